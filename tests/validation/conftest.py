"""The demo project's rules, built once for all tests of the room."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.content.models import Content
from pipeline.project import Project
from pipeline.validation.ruleset import RuleSet, build_rules

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "tests" / "corpora"


@pytest.fixture(scope="session")
def content() -> Content:
    return load_content(Project(ROOT))


@pytest.fixture(scope="session")
def rules(content: Content) -> RuleSet:
    return build_rules(content)
