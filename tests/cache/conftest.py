"""A project with two baked zones and their draft cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.cache import merge_draft, write_zone_parquet
from pipeline.project import Project
from tests.cache.zones import HUB, YARD


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    write_zone_parquet(project, "test_hub", HUB, state="hub state")
    write_zone_parquet(project, "test_yard", YARD, state="yard state")
    return project


@pytest.fixture
def draft(project: Project) -> Path:
    return merge_draft(project, ["test_hub", "test_yard"], {"engine": "fake 1"}).path
