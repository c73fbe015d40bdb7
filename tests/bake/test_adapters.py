"""A culture's adapter is part of what its lines' candidates were made with."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.bake import Workspace, plan_zone
from pipeline.bake.candidates import line_request
from pipeline.bake.trial import TrialLine, plan_trial
from pipeline.errors import UserError
from pipeline.project import Project
from tests.generation.gguf_files import write_adapter
from tests.project_fixture import edit

CULTURE = "van_maanens_star"


def adapted(project: Project, *, seed: int) -> Path:
    """The test project's culture with an adapter."""
    folder = project.cultures / CULTURE
    path = write_adapter(folder / "voice.gguf", seed=seed)
    if "adapter:" not in (folder / "culture.ron").read_text("utf-8"):
        edit(
            folder / "culture.ron",
            'name: "Van Maanen\'s Star",',
            'name: "Van Maanen\'s Star",\n    adapter: "voice.gguf",',
        )
    return path


def fingerprints(project: Project) -> list[str]:
    with Workspace.open(project) as workspace:
        return [job.fingerprint for job in plan_zone(workspace, "test_hub").jobs]


def test_the_adapters_content_enters_every_fingerprint_and_its_place_does_not(project: Project) -> None:
    without = fingerprints(project)
    adapted(project, seed=1)
    first = fingerprints(project)
    assert fingerprints(project) == first
    adapted(project, seed=2)
    second = fingerprints(project)
    assert set(without).isdisjoint(first)
    assert set(first).isdisjoint(second)
    folder = project.cultures / CULTURE
    (folder / "voice.gguf").rename(folder / "other.gguf")
    edit(folder / "culture.ron", "voice.gguf", "other.gguf")
    assert fingerprints(project) == second


def test_the_engine_is_told_of_the_adapter_in_bakes_and_trials(project: Project) -> None:
    path = adapted(project, seed=1)
    with Workspace.open(project) as workspace:
        job = plan_zone(workspace, "test_hub").jobs[0]
        trial = plan_trial(workspace, TrialLine("Good morning. What do you need?", npc_id="imke_dorr"))
        for one in (job, trial.job):
            assert line_request(workspace, one, 0, None).adapter == str(path)
            assert one.profile == "adapter"


def test_an_adapter_that_is_no_gguf_is_one_clear_error(project: Project) -> None:
    adapted(project, seed=1).write_bytes(b"not a model")
    with pytest.raises(UserError, match=r"voice\.gguf"):
        fingerprints(project)
