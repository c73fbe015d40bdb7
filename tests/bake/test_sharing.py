"""Machines with bake stores of their own share finished zones: nothing is generated twice, nothing is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.bake import BakeSummary, Workspace, bake, project_status, write_draft
from pipeline.bake.plan import plan_zone
from pipeline.project import Project
from pipeline.review import queue_path
from pipeline.store import BakeStore, ChoiceRecord
from tests.project_fixture import bakeable_project, batches, digest, edit
from tests.reliability.programs import voicebake

ZONES = ["test_hub", "test_yard"]
IMKE = "test_hub/npcs/imke_dorr.ron"


@pytest.fixture
def machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Project]:
    """Three checkouts of one project, and a folder that all of them share."""
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    monkeypatch.setenv("VOICEBAKE_SHARED", str(tmp_path / "shared"))
    return [bakeable_project(tmp_path / f"machine{number}") for number in range(3)]


class _Told(list[str]):
    """Progress that keeps what it is told."""

    def zone_started(self, zone_id: str, lines: int, to_generate: int) -> None:
        """Nothing."""

    def line_done(self, job: object, *, generated: bool, voiced: int) -> None:
        """Nothing."""

    def message(self, text: str) -> None:
        """Keeps it."""
        self.append(text)


def _bake(project: Project, *zones: str, told: _Told | None = None) -> BakeSummary:
    progress = told if told is not None else _Told()
    with Workspace.open(project) as workspace:
        workspace.notify = progress.message
        return bake(workspace, zones or ZONES, progress)


def _choices(project: Project, zone: str) -> list[ChoiceRecord]:
    with BakeStore.read_only(project.zone_build(zone) / "bake.sqlite") as store:
        return store.choices()


def _generated(summary: BakeSummary) -> dict[str, int]:
    return {zone.status.zone: zone.tally.lines for zone in summary.zones}


def test_zones_of_two_machines_are_merged_on_a_third(machines: list[Project], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = machines
    assert _generated(_bake(first, "test_hub")) == {"test_hub": 9}
    assert _generated(_bake(second, "test_yard")) == {"test_yard": 3}
    with Workspace.open(third) as workspace:
        assert write_draft(workspace).zones == ("test_hub", "test_yard")
        plans = [plan_zone(workspace, zone) for zone in ZONES]
        assert [zone.stale for zone in project_status(workspace, plans)] == [0, 0]
    monkeypatch.delenv("VOICEBAKE_SHARED")
    alone = bakeable_project(first.root.parent / "alone")
    _bake(alone)
    assert digest(third) == digest(alone)
    for zone in ZONES:
        assert batches(third, zone) == batches(alone, zone)
        assert queue_path(third, zone).read_bytes() == queue_path(alone, zone).read_bytes()


def test_a_zone_that_another_machine_finished_is_taken_and_not_baked(machines: list[Project]) -> None:
    first, second, _ = machines
    _bake(first)
    again = _bake(second)
    assert _generated(again) == {"test_hub": 0, "test_yard": 0}
    assert all(zone.unchanged for zone in again.zones)
    assert digest(first) == digest(second)


def test_an_edit_is_generated_alone_on_whichever_machine_and_comes_back(machines: list[Project]) -> None:
    first, second, _ = machines
    _bake(first)
    for machine in (first, second):
        edit(machine.zones / IMKE, "What do you need?", "What do you want?")
    assert _generated(_bake(second)) == {"test_hub": 1, "test_yard": 0}
    assert _generated(_bake(first)) == {"test_hub": 0, "test_yard": 0}
    assert digest(first) == digest(second)


def test_a_machine_with_older_content_takes_candidates_but_not_texts(machines: list[Project]) -> None:
    first, second, _ = machines
    _bake(second)
    edit(first.zones / IMKE, "What do you need?", "What do you want?")
    _bake(first)
    before = digest(second)
    (second.zone_build("test_hub") / "voiced_lines.parquet").unlink()
    assert _generated(_bake(second, "test_hub"))["test_hub"] == 0
    assert digest(second) == before


def test_a_bake_that_died_before_sharing_shares_next_time(machines: list[Project]) -> None:
    first, second, _ = machines
    shared = first.root.parent / "shared"
    _bake(first)
    shutil.rmtree(shared / "test_hub")
    (first.zone_build("test_hub") / "bake.snapshot.sqlite").write_text("half", encoding="utf-8")
    assert all(zone.unchanged for zone in _bake(first).zones)
    assert not (first.zone_build("test_hub") / "bake.snapshot.sqlite").exists()
    assert _generated(_bake(second)) == {"test_hub": 0, "test_yard": 0}


def test_a_damaged_shared_zone_is_told_of_and_baked_here(machines: list[Project]) -> None:
    first, second, third = machines
    _bake(first)
    for path in (first.root.parent / "shared/test_hub").rglob("*.parquet"):
        path.write_bytes(b"PAR1")
    told = _Told()
    assert _generated(_bake(second, told=told)) == {"test_hub": 9, "test_yard": 0}
    assert any("it is not what was written" in text for text in told)
    assert digest(second) == digest(first)
    assert _generated(_bake(third)) == {"test_hub": 0, "test_yard": 0}


def test_a_shared_folder_that_cannot_be_written_is_told_and_costs_nothing(
    machines: list[Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.errors import UserError

    first = machines[0]
    blocked = first.root.parent / "a_file"
    blocked.touch()
    monkeypatch.setenv("VOICEBAKE_SHARED", str(blocked))
    with pytest.raises(UserError, match="a_file"):
        _bake(first)
    monkeypatch.setenv("VOICEBAKE_SHARED", str(first.root.parent / "shared"))
    assert _generated(_bake(first)) == {"test_hub": 0, "test_yard": 3}


def test_a_zone_that_is_being_baked_here_is_left_to_that_bake(machines: list[Project]) -> None:
    from pipeline.store import zone_lock

    first, second, _ = machines
    _bake(first)
    told = _Told()
    with zone_lock(second, "test_hub", wait=False), Workspace.open(second) as workspace:
        workspace.notify = told.message
        assert write_draft(workspace).zones == ("test_yard",)
    assert any("is baking it" in text for text in told)


def test_a_review_on_the_merging_machine_outlives_the_next_merge(machines: list[Project]) -> None:
    first, merging, _ = machines
    _bake(first)
    with Workspace.open(merging) as workspace:
        write_draft(workspace)
        shared = digest(merging)
    line = next(line for line in _choices(merging, "test_yard") if line.voiced is not None)
    words = ("verdict", "set", "reject", line.npc_id, line.line_id, "--tell", line.tell_state, "--reviewer", "Ada")
    decided = voicebake(merging, *words)
    assert decided.returncode == 0, decided.stderr
    with Workspace.open(merging) as workspace:
        write_draft(workspace)
    assert digest(merging) != shared
    now = {(one.npc_id, one.line_id, one.tell_state): one.voiced for one in _choices(merging, "test_yard")}
    assert now[line.npc_id, line.line_id, line.tell_state] != line.voiced
