from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli.app import app
from pipeline.errors import UserError
from pipeline.project import Project
from tests.content_factory import write_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return write_project(tmp_path)


def run(project: Project, culture: str) -> str:
    """The message that the command ends with."""
    result = CliRunner().invoke(app, ["train", culture, "--project", str(project.root)])
    assert isinstance(result.exception, UserError)
    return str(result.exception)


def test_without_its_requirements_training_says_how_to_get_them(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "torch" else real(name, *more))
    said = run(project, "van_maanens_star")
    assert "Training needs" in said
    assert "torch" in said
    assert "make train-setup" in said


@pytest.mark.parametrize(
    ("culture", "said"),
    [("van_manens_star", "The cultures are van_maanens_star"), ("van_maanens_star", "voice_bank.ron")],
)
def test_an_unknown_culture_and_one_without_a_bank_are_named(
    project: Project, monkeypatch: pytest.MonkeyPatch, culture: str, said: str
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: real(name, *more) or ModuleSpec(name, None))
    monkeypatch.setitem(__import__("sys").modules, "pipeline.training.train", type("Stub", (), {"train_culture": None}))
    assert said in run(project, culture)
