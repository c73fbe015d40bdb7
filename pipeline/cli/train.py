"""`voicebake train`."""

from __future__ import annotations

import importlib.util
import time
from typing import Annotated

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, ThreadsOption, find_project, settings_of
from pipeline.errors import UserError

_NEEDED = ("torch", "transformers", "peft", "gguf")
_PLAIN_EVERY_S = 30.0


def train(
    culture: Annotated[str, typer.Argument(help="Culture id.")],
    project: ProjectOption = None,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Train a culture's adapter on its voice bank. Goes on where an earlier run of the same training stopped.

    Needs the training requirements: `make train-setup`.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UserError(f"Training needs {', '.join(missing)}.", "Install the training requirements: make train-setup")
    from pipeline.content import load_content
    from pipeline.content.voice_bank import bank_path, load_bank
    from pipeline.generation.machine import usable_cores
    from pipeline.generation.models import find_model
    from pipeline.training.record import TrainingSettings
    from pipeline.training.train import train_culture

    found = find_project(project)
    settings = settings_of(found, threads=threads)
    content = load_content(found)
    if culture not in content.cultures:
        raise UserError(f"There is no culture {culture!r}.", f"The cultures are {', '.join(content.cultures)}.")
    loaded = load_bank(found, culture)
    if loaded is None:
        raise UserError(
            f"{found.shown(bank_path(found, culture))}: the culture has no voice bank.",
            "docs/voice-banks.md shows how to write one.",
        )
    model = find_model(found, settings.model.path, allow_other=settings.model.allow_other_model)
    trained = train_culture(
        found,
        content,
        content.cultures[culture],
        loaded,
        model,
        TrainingSettings(),
        TrainProgress(quiet=quiet or json),
        threads=settings.model.threads or usable_cores(),
    )
    record = trained.record
    if json:
        print_json({"adapter": found.shown(trained.adapter), "record": record.model_dump()})
    elif not quiet:
        out.print(f"Adapter  {found.shown(trained.adapter)}, {trained.adapter.stat().st_size / 1e6:.1f} MB")
        out.print(
            f"Loss     {record.loss_before['all']:.2f} before, {record.loss_after['all']:.2f} after, "
            f"on {record.held_out_lines} held-out lines"
        )
        if content.cultures[culture].adapter != trained.adapter.name:
            out.print(
                f'Next     write adapter: "{trained.adapter.name}" into cultures/{culture}/culture.ron, then bake'
            )
        else:
            out.print("Next     voicebake bake    texts of this culture are generated anew")


class TrainProgress:
    """Plain lines about training: one every 30 s, with the loss and the time left."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._spoke = time.monotonic()
        self._steps = 0
        self._seconds = 0.0
        self._losses: list[float] = []

    def message(self, text: str) -> None:
        """Says something."""
        if not self._quiet:
            err.print(text)

    def step_done(self, step: int, steps: int, loss: float, seconds: float) -> None:
        """Counts a step, and now and then says how it goes."""
        self._steps += 1
        self._seconds += seconds
        self._losses.append(loss)
        now = time.monotonic()
        if now - self._spoke < _PLAIN_EVERY_S and step != steps:
            return
        left = (steps - step) * self._seconds / self._steps
        mean = sum(self._losses) / len(self._losses)
        self.message(
            f"step {step}/{steps}, loss {mean:.3f}, {self._seconds / self._steps:.1f} s/step, {left:.0f} s left"
        )
        self._spoke, self._losses = now, []
