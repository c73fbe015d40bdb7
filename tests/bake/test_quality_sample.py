"""The quality sample: the same few texts on every machine, each with its score."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipeline.bake import Workspace, write_quality_sample
from pipeline.bake import quality_sample as module
from pipeline.bake.quality_sample import is_sampled
from pipeline.project import Project
from pipeline.store import ChoiceRecord
from pipeline.validation.texts import Speakers
from tests.project_fixture import bake_all, edit


def _written(project: Project, *, production: bool = False) -> list[dict[str, object]]:
    with Workspace.open(project) as workspace:
        sample = write_quality_sample(workspace, production=production)
    rows = [json.loads(line) for line in project.quality_sample.read_text("utf-8").splitlines()]
    assert sample.lines == len(rows)
    return rows


def _record(number: int) -> ChoiceRecord:
    text = f"Text {number} – ünïcode."
    return ChoiceRecord("npc", f"line_{number}", "Neutral", "c", "dialogue", "f", "generated", "b", voiced=text)


def test_about_one_in_so_many_is_taken_and_production_takes_from_the_same() -> None:
    records = [_record(number) for number in range(20_000)]
    usual = {record.line_id for record in records if is_sampled(record, 50)}
    production = {record.line_id for record in records if is_sampled(record, 200)}
    assert 330 <= len(usual) <= 470
    assert 70 <= len(production) <= 130
    assert production < usual
    # Fixed for good: another machine, Python or day takes the same.
    assert sorted(usual)[:3] == FIRST


FIRST = ["line_10000", "line_10061", "line_10189"]


def test_a_bake_ends_with_the_sample(baked: Project) -> None:
    before = baked.quality_sample.read_bytes()
    baked.quality_sample.unlink()
    bake_all(baked)
    assert baked.quality_sample.read_bytes() == before


def test_every_text_of_a_project_can_be_a_row(baked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ONE_IN", 1)
    rows = _written(baked)
    keys = [(row["npc"], row["line"], row["tell"]) for row in rows]
    assert keys == sorted(set(keys))
    assert {row["zone"] for row in rows} == {"test_hub", "test_yard"}
    assert "sign" not in {row["line"] for row in rows}
    with Workspace.open(baked) as workspace:
        speakers = Speakers(workspace.content)
        for row in rows:
            known = {key: row[key] for key in ("base", "voiced", "kind", "tell", "culture", "npc", "affect")}
            assert speakers.subject(**known).npc is not None  # type: ignore[arg-type]
            assert 0 <= row["adherence"] <= 1  # type: ignore[operator]
            total = len(row["used"]) + len(row["wrong"])  # type: ignore[arg-type]
            assert row["adherence"] == (round(len(row["used"]) / total, 3) if total else 1.0)  # type: ignore[arg-type]
    commission = [row for row in rows if "used" in row and "look" in row["used"]]  # type: ignore[operator]
    assert all(row["npc"] == "imke_dorr" for row in commission)


def test_the_same_content_elsewhere_gives_the_same_bytes(baked: Project, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "ONE_IN", 7)
    _written(baked)
    copy = Project(Path(shutil.copytree(baked.root, tmp_path / "elsewhere")).resolve())
    assert _written(copy)
    assert copy.quality_sample.read_bytes() == baked.quality_sample.read_bytes()


def test_an_edited_line_is_left_out_until_it_is_baked(baked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ONE_IN", 1)
    assert any(row["line"] == "greet" for row in _written(baked))
    edit(baked.zones / "test_hub/npcs/imke_dorr.ron", "What do you need?", "What do you want?")
    assert not any(row["line"] == "greet" for row in _written(baked))
    bake_all(baked)
    assert any("want" in str(row["base"]) for row in _written(baked))


def test_before_the_first_bake_the_sample_is_empty(project: Project) -> None:
    assert _written(project) == []
