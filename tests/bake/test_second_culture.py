"""A second culture is an addition: the first one's bake does not change by a byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

from pipeline.bake import Silent, Workspace, bake, plan_zone
from pipeline.project import Project

REPOSITORY = Path(__file__).parents[2]
SECOND, ITS_ZONE = "sovari", "orrel_court"
FIRST_ZONES = ("sova_transit_district", "lowring_yard")


def demo(root: Path, *, second: bool) -> Project:
    """The demo's content, with or without its second culture."""
    for folder in ("cultures", "prompts", "zones"):
        shutil.copytree(REPOSITORY / folder, root / folder)
    if not second:
        shutil.rmtree(root / "cultures" / SECOND)
        shutil.rmtree(root / "zones" / ITS_ZONE)
    return Project(root.resolve())


def test_adding_a_culture_changes_no_prompt_and_no_text_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    prompts, texts = [], []
    for second in (True, False):
        project = demo(tmp_path / str(second), second=second)
        with Workspace.open(project) as workspace:
            prompts.append([[job.fingerprint for job in plan_zone(workspace, zone).jobs] for zone in FIRST_ZONES])
            bake(workspace, ["lowring_yard"], Silent())
        # The file also names the state of all rules, which know each culture's exclamations; its rows are what ships.
        texts.append(pl.read_parquet(project.zone_build("lowring_yard") / "voiced_lines.parquet"))
    assert len(prompts[0][0]) > 100
    assert prompts[0] == prompts[1]
    assert texts[0].height >= 90
    assert texts[0].equals(texts[1])
