"""A project with an evaluation set, and results to judge."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.project import Project

EVALUATION = Path(__file__).parents[2] / "evaluation"


@pytest.fixture
def spike_project(project: Project) -> Project:
    """The test project with this repository's evaluation set and the fake engine."""
    shutil.copytree(EVALUATION / "v1", project.root / "evaluation" / "v1")
    return project
