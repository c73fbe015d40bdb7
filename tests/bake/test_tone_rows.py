"""An adapter reads the tone row's own words: another row, another text."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.bake import Workspace
from pipeline.bake.trial import TrialLine, plan_trial, voice_trial
from pipeline.content.terms import TellState
from pipeline.project import Project
from tests.bake.test_real_model import yard
from tests.project_fixture import edit

pytestmark = [pytest.mark.model, pytest.mark.timeout(1200)]

BASES = ("You can leave the crate beside the lift.", "Bring me the small wrench from the second drawer.")
NERVOUS = "Shorter than usual: the plain words, then on to the next thing, sometimes with a phrase left off."
ROOMY = "A little more than was asked, in working words: one easy extra phrase, time taken, hands open."


def nervous_texts(project: Project) -> list[str]:
    """What is chosen for each base line in the state Nervous."""
    with Workspace.open(project) as workspace:
        results = [voice_trial(workspace, plan_trial(workspace, TrialLine(base))) for base in BASES]
    choices = [result.choices[TellState.Nervous] for result in results]
    return [choice.chosen.candidate.voiced if choice.chosen else "" for choice in choices]


def test_an_edited_tone_row_changes_what_comes_out(tmp_path: Path) -> None:
    project = yard(tmp_path / "project")
    before = nervous_texts(project)
    edit(project.cultures / "van_maanens_star" / "culture.ron", NERVOUS, ROOMY)
    after = nervous_texts(project)
    assert all(before)
    assert all(one != other for one, other in zip(before, after, strict=True))
    # The row asks for more words; a model that only knew the state's name would stay as brief.
    assert sum(map(len, after)) > sum(map(len, before))
