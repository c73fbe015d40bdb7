"""Two baked zones and their draft cache: made anew for a test that changes them, shared by all that only read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.cache import merge_draft, write_zone_parquet
from pipeline.project import Project
from tests.cache.zones import HUB, YARD


def _baked(root: Path) -> Project:
    project = Project(root)
    write_zone_parquet(project, "test_hub", HUB, state="hub state")
    write_zone_parquet(project, "test_yard", YARD, state="yard state")
    return project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return _baked(tmp_path)


@pytest.fixture
def draft(project: Project) -> Path:
    """The draft of `project`."""
    return merge_draft(project, ["test_hub", "test_yard"], {"engine": "fake 1"}).path


@pytest.fixture(scope="session")
def shared_draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A draft that no test changes."""
    project = _baked(tmp_path_factory.mktemp("shared"))
    return merge_draft(project, ["test_hub", "test_yard"], {"engine": "fake 1"}).path
