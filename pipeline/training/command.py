"""Training by a culture's id, as the command line and Dagster ask for it."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.content import load_content
from pipeline.content.voice_bank import bank_path, load_bank
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.settings import Settings
from pipeline.training.record import TrainingSettings

if TYPE_CHECKING:
    from pipeline.training.train import Trained

NEEDED = ("torch", "transformers", "peft", "gguf")


class SpokenProgress:
    """Tells of a training in lines: one every some seconds, with the loss since the last one and the time left."""

    def __init__(self, say: Callable[[str], None], every_s: float) -> None:
        self._say = say
        self._every_s = every_s
        self._spoke = time.monotonic()
        self._steps = 0
        self._seconds = 0.0
        self._losses: list[float] = []

    def message(self, text: str) -> None:
        """Passes it on."""
        self._say(text)

    def step_done(self, step: int, steps: int, loss: float, seconds: float) -> None:
        """Counts a step, and now and then says how it goes."""
        self._steps += 1
        self._seconds += seconds
        self._losses.append(loss)
        now = time.monotonic()
        if now - self._spoke < self._every_s and step != steps:
            return
        rate = self._seconds / self._steps
        mean = sum(self._losses) / len(self._losses)
        self._say(f"step {step}/{steps}, loss {mean:.3f}, {rate:.1f} s/step, {(steps - step) * rate:.0f} s left")
        self._spoke, self._losses = now, []


def train_by_id(
    project: Project, culture_id: str, settings: Settings, progress: SpokenProgress, epochs: int | None = None
) -> Trained:
    """Trains the adapter of a culture of `project` on the model of `settings`. `epochs`: how often each line is met.

    Raises `UserError` for missing training requirements, an unknown culture, a culture without a bank and a model
    that may not be used, `ContentErrors` for broken content.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UserError(f"Training needs {', '.join(missing)}.", "Install the training requirements: make train-setup")
    from pipeline.generation.machine import usable_cores
    from pipeline.generation.models import find_model
    from pipeline.training.train import train_culture

    content = load_content(project)
    if culture_id not in content.cultures:
        raise UserError(f"There is no culture {culture_id!r}.", f"The cultures are {', '.join(content.cultures)}.")
    loaded = load_bank(project, culture_id)
    if loaded is None:
        raise UserError(
            f"{project.shown(bank_path(project, culture_id))}: the culture has no voice bank.",
            "docs/voice-banks.md shows how to write one.",
        )
    model = settings.model
    return train_culture(
        project,
        content,
        content.cultures[culture_id],
        loaded,
        find_model(project, model.path, allow_other=model.allow_other_model),
        TrainingSettings() if epochs is None else TrainingSettings(epochs=epochs),
        progress,
        threads=model.threads or usable_cores(),
    )
