"""`voicebake train`."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, ThreadsOption, find_project, settings_of

_SPEAK_EVERY_S = 15.0


def train(
    culture: Annotated[str, typer.Argument(help="Culture id.")],
    project: ProjectOption = None,
    epochs: Annotated[
        int | None, typer.Option("--epochs", min=1, max=20, help="How often each line is met; a small bank needs more.")
    ] = None,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Train a culture's adapter on its voice bank. Goes on where an earlier run of the same training stopped.

    Needs the training requirements: `make train-setup`.
    """
    from pipeline.training.command import SpokenProgress, train_by_id

    found = find_project(project)
    silent = quiet or json
    progress = SpokenProgress(lambda text: None if silent else err.print(text), _SPEAK_EVERY_S)
    trained = train_by_id(found, culture, settings_of(found, threads=threads), progress, epochs)
    record = trained.record
    if json:
        print_json({"adapter": found.shown(trained.adapter), "record": record.model_dump()})
    elif not quiet:
        out.print(f"Adapter  {found.shown(trained.adapter)}, {trained.adapter.stat().st_size / 1e6:.1f} MB")
        out.print(
            f"Loss     {record.loss_before['all']:.2f} before, {record.loss_after['all']:.2f} after, "
            f"on {record.held_out_lines} held-out lines"
        )
        out.print(
            f'Next     cultures/{culture}/culture.ron: adapter: "{trained.adapter.name}", then voicebake bake; '
            "texts of this culture are generated anew"
        )
