"""`voicebake bake`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.bake_summary import as_json, print_summary
from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import (
    AllowOption,
    JsonOption,
    ModelOption,
    ProjectOption,
    QuietOption,
    ThreadsOption,
    find_project,
    settings_of,
)
from pipeline.cli.stopping import EXIT_BUDGET, EXIT_STOPPED, stop_on_interrupt

if TYPE_CHECKING:
    from pipeline.bake import BakeSummary, Workspace


def bake(
    zones: Annotated[list[str] | None, typer.Argument(help="Zone ids; without them all zones.")] = None,
    project: ProjectOption = None,
    model: ModelOption = None,
    allow_other_model: AllowOption = False,
    threads: ThreadsOption = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Fail instead of waiting for another bake of the zone or the model.")
    ] = False,
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="TIME", help="End in time: 90s, 10m, 1h30m. Exit code 4 if lines are left."),
    ] = None,
    changed_since: Annotated[
        str | None,
        typer.Option("--changed-since", metavar="REV", help="Only the zones that changes since a git revision touch."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write a summary as JUnit XML, a case per line.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary as Markdown.")
    ] = None,
    background: Annotated[
        bool,
        typer.Option(
            "--background", help="Pre-voice the zones around --from, nearest first, at below-normal priority."
        ),
    ] = False,
    start: Annotated[
        str | None, typer.Option("--from", metavar="ZONE", help="With --background: where the player is.")
    ] = None,
    production: Annotated[
        bool, typer.Option("--production", help="One text in 200 for the quality sample, not one in 50.")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Voice what is new or changed, and merge the draft cache.

    Ctrl-C, or kill, ends after the line in flight; the next bake goes on from there.
    """
    from pipeline.bake import Workspace, bake_background, lower_priority
    from pipeline.bake import bake as bake_zones
    from pipeline.bake.budget import TimeBudget, parse_duration
    from pipeline.cli.bake_files import BakeFiles
    from pipeline.cli.progress import TerminalProgress

    _check_choice(zones, changed_since, background, start)
    limit = TimeBudget(parse_duration(budget)) if budget else None
    found = find_project(project)
    files = BakeFiles(junit, markdown)
    with files.telling_failure():
        settings = settings_of(found, model=model, allow_other_model=allow_other_model, threads=threads)
        with (
            Workspace.open(found, settings) as workspace,
            TerminalProgress(quiet=quiet or json) as progress,
            stop_on_interrupt(progress.message) as stop,
        ):
            workspace.wait, workspace.notify = not no_wait, progress.message
            why = _touched(workspace, changed_since)

            def should_stop() -> bool:
                return stop() or (limit is not None and limit())

            if start:
                lower_priority()
                summary = bake_background(workspace, start, progress, should_stop, production=production)
            else:
                chosen = [workspace.check_zone(zone) for zone in zones or why]
                summary = bake_zones(workspace, chosen, progress, should_stop, production=production)
            files.write(found, summary, why if changed_since else {})
            _write_report(workspace, summary)
    stopped_by = None if not summary.stopped else "budget" if limit and limit.spent else "interrupt"
    if json:
        print_json(as_json(workspace, summary) | {"stopped_by": stopped_by})
    elif not quiet:
        if changed_since and not why:
            out.print(f"No zone is touched by what changed since {changed_since}.")
        print_summary(workspace, summary)
        if stopped_by == "budget":
            err.print(f"Stopped by the time budget of {budget}.")
    if summary.stopped:
        raise typer.Exit(EXIT_BUDGET if stopped_by == "budget" else EXIT_STOPPED)


def _touched(workspace: Workspace, since: str | None) -> dict[str, tuple[str, ...]]:
    """The zones to bake where none are named, with what changed in them; without `since` all zones."""
    if since is None:
        return dict.fromkeys(workspace.content.zones, ())
    from pipeline.bake.changed import touched_zones

    return {zone.zone: zone.why for zone in touched_zones(workspace.project, workspace.content, since)}


def _write_report(workspace: Workspace, summary: BakeSummary) -> None:
    """Writes the report anew where the draft was, or where there is none yet."""
    report = workspace.project.report
    if summary.draft is None and (summary.stopped or report.is_file()):
        return
    from pipeline.report import write_report

    write_report(workspace)


def _check_choice(zones: list[str] | None, changed_since: str | None, background: bool, start: str | None) -> None:
    """Raises `typer.BadParameter` for options that choose zones in more than one way."""
    if background != (start is not None):
        raise typer.BadParameter("--background and --from ZONE belong together")
    if sum(map(bool, (zones, changed_since, background))) > 1:
        raise typer.BadParameter("name zones, or give --changed-since, or --background: one of them")
