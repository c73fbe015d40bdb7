from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from pipeline.cli import train
from pipeline.errors import UserError
from tests.content_factory import write_project


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the training requirements were there."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: ModuleSpec(name, None))


def test_without_its_requirements_training_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="Training needs torch") as caught:
        train.train("van_maanens_star", project=write_project(tmp_path).root)
    assert "make train-setup" in str(caught.value)
