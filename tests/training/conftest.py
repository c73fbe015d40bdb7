"""A model small enough to train in seconds, and a bank for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.content.voice_bank import load_bank
from pipeline.generation.models import ModelFile, find_model
from pipeline.project import Project
from tests.bank_factory import bank_text, write_bank
from tests.generation.gguf_files import write_model
from tests.project_fixture import bakeable_project

CULTURE = "van_maanens_star"
BASES = [
    f"the {thing} {what}" for thing in ("gate", "pump", "shift", "seal") for what in ("is closed", "runs", "holds on")
]


def _project(root: Path) -> tuple[Project, ModelFile]:
    project = bakeable_project(root)
    project.build.mkdir(exist_ok=True)
    write_model(project.build / "tiny.gguf")
    write_bank(project, bank_text([("dialogue", base) for base in BASES]))
    return project, find_model(project, "build/tiny.gguf", allow_other=True)


@pytest.fixture(scope="module")
def real_learner(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A learner over the tiny model, and the trees of a bank line for it."""
    from pipeline.generation.tokeniser import Tokeniser
    from pipeline.prompting import load_profile
    from pipeline.training.examples import ExampleMaker
    from pipeline.training.lora import Learner
    from pipeline.training.record import TrainingSettings

    project, model = _project(tmp_path_factory.mktemp("learner"))
    content, loaded = load_content(project), load_bank(project, CULTURE)
    assert loaded is not None
    tokeniser = Tokeniser(model)
    folder = project.prompts / "profiles"
    maker = ExampleMaker(
        content,
        content.cultures[CULTURE],
        loaded.bank,
        load_profile(folder, "adapter"),
        load_profile(folder, "reverse"),
        tokeniser.vocabulary,
    )
    trees = list(maker.trees(loaded.bank.lines[0], 0, 1))
    yield Learner(model.path, TrainingSettings(rank=2), range(tokeniser.vocabulary.size)), trees
    tokeniser.close()


@pytest.fixture
def training(tmp_path: Path) -> Callable[..., object]:
    """Trains in a project of the given name, which stays for the next call."""
    from pipeline.training.record import TrainingSettings
    from pipeline.training.train import train_culture

    def train(name: str, progress: object) -> object:
        root = tmp_path / name
        project, model = (
            (Project(root), find_model(Project(root), "build/tiny.gguf", allow_other=True))
            if root.exists()
            else _project(root)
        )
        content, loaded = load_content(project), load_bank(project, CULTURE)
        assert loaded is not None
        settings = TrainingSettings(rank=2, alpha=4, epochs=2, lines_per_step=3, learning_rate=1e-2)
        return train_culture(
            project,
            content,
            content.cultures[CULTURE],
            loaded,
            model,
            settings,
            progress,
            threads=1,  # type: ignore[arg-type]
        )

    return train
