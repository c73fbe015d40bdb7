"""Four zones on two workers, merged once; and a worker that is killed while it bakes."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.cache import VoiceCache
from pipeline.content.terms import TellState
from pipeline.project import Project
from tests.deploy.zones import ZONES, four_zones
from tests.project_fixture import bake_all, batches, digest

if TYPE_CHECKING:
    from loopback import Cluster

pytestmark = [pytest.mark.system, pytest.mark.timeout(1800)]

SECONDS = 900.0
"""For what takes half a minute on a quiet machine."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Four zones for the fake engine."""
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    return four_zones(tmp_path / "project")


@contextmanager
def _cluster(project: Project, tmp_path: Path, workers: int = 2) -> Iterator[Cluster]:
    from loopback import cluster

    folder = tmp_path / "cluster"
    folder.mkdir()
    try:
        with cluster(project.root, folder, workers) as made:
            yield made
    except BaseException:
        for log in sorted(folder.glob("*.log")):
            print(f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}")
        raise


def _bakers(made: Cluster) -> dict[str, list[str]]:
    """By zone, the machines whose own store has batches of it."""
    found: dict[str, list[str]] = {zone: [] for zone in ZONES}
    for machine in made.workers:
        for zone in ZONES:
            store = made.folder / machine / "build/zones" / zone / "bake.sqlite"
            if store.is_file() and batches(Project(made.folder / machine), zone):
                found[zone].append(machine)
    return found


def test_four_zones_on_two_workers_are_the_bake_of_one_machine(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOICEBAKE_FAKE_DELAY", "0.1")  # long enough for both workers to have something to do
    with _cluster(project, tmp_path) as made:
        runs = made.bake(ZONES)
        runs.wait(SECONDS)
        assert runs.failed() == []
        assert all(len(runs.tries(zone)) == 1 for zone in ZONES)
        assert not project.draft_cache.exists()
        made.merge()
        bakers = _bakers(made)
        assert {zone: len(machines) for zone, machines in bakers.items()} == dict.fromkeys(ZONES, 1)
        assert {machine for machines in bakers.values() for machine in machines} == set(made.workers)
        assert all(len(list((made.shared / zone).glob("*/summary.json"))) == 1 for zone in ZONES)
    _is_the_bake_of_one_machine(project, tmp_path, monkeypatch)


def test_a_zone_whose_worker_is_killed_is_baked_by_another(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from services import wait_until

    monkeypatch.setenv("VOICEBAKE_FAKE_DELAY", "0.4")
    with _cluster(project, tmp_path) as made:
        runs = made.bake(["test_hub"])
        wait_until(lambda: any(_committed(made, machine) >= 2 for machine in made.workers), "two lines", SECONDS)
        (victim,) = [machine for machine in made.workers if _committed(made, machine)]
        os.killpg(made.workers[victim].pid, signal.SIGKILL)
        kept = _committed(made, victim)
        assert 2 <= kept < 9
        runs.wait(SECONDS)
        assert runs.failed() == []
        assert [run.status for run in runs.tries("test_hub")] == ["FAILURE", "SUCCESS"]
        assert _committed(made, victim) == kept
        (other,) = set(made.workers) - {victim}
        assert set(_bakers(made)["test_hub"]) == {victim, other}
        rest = made.bake([zone for zone in ZONES if zone != "test_hub"])
        rest.wait(SECONDS)
        assert rest.failed() == []
        made.merge()
        assert len(list((made.shared / "test_hub").glob("*/summary.json"))) == 1
    _is_the_bake_of_one_machine(project, tmp_path, monkeypatch)


def test_what_a_person_has_to_mend_is_not_tried_again(project: Project, tmp_path: Path) -> None:
    with _cluster(project, tmp_path, workers=1) as made:
        broken = made.folder / "machine1/zones/test_yard/npcs/jora_vant.ron"
        broken.write_text("Npc(", encoding="utf-8")
        runs = made.bake(["test_yard"])
        runs.wait(SECONDS)
        assert runs.failed() == ["test_yard"]
        assert len(runs.tries("test_yard")) == 1
        assert not (made.shared / "test_yard").exists()


@pytest.mark.timeout(3600)
def test_a_zone_with_the_real_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo's smallest zone, on a worker without anything built: 17 lines, two minutes on a quiet machine."""
    from loopback import REPOSITORY, checkout

    monkeypatch.delenv("VOICEBAKE_ENGINE", raising=False)
    checkout(REPOSITORY, tmp_path / "project")
    project = Project(tmp_path / "project")
    with _cluster(project, tmp_path, workers=1) as made:
        runs = made.bake(["lowring_yard"])
        runs.wait(3 * SECONDS)
        assert runs.failed() == []
        made.merge()
    with VoiceCache(project.draft_cache) as cache:
        assert "Gemma" in cache.manifest["model.name"]
        voiced = int(cache.manifest["rows.voiced_lines"])
    assert voiced > 0.8 * 17 * len(TellState)


def _committed(made: Cluster, machine: str) -> int:
    """How many lines of the hub the machine's own store holds."""
    path = made.folder / machine / "build/zones/test_hub/bake.sqlite"
    if not path.is_file():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            count: int = db.execute("SELECT count(*) FROM batches WHERE round = 0").fetchone()[0]
            return count
    except sqlite3.OperationalError:
        return 0  # the store is being made


def _is_the_bake_of_one_machine(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing lost and nothing doubled: the merged draft, and every zone's candidates, are those of one machine."""
    monkeypatch.delenv("VOICEBAKE_FAKE_DELAY")
    alone = four_zones(tmp_path / "alone")
    bake_all(alone)
    assert digest(project) == digest(alone)
    for zone in ZONES:
        assert batches(project, zone) == batches(alone, zone)
