"""`voicebake bake`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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

if TYPE_CHECKING:
    from types import FrameType

    from pipeline.bake import BakeSummary, Workspace, ZoneSummary

EXIT_BUDGET = 4
EXIT_STOPPED = 130


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
        _print_summary(workspace, summary)
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


class Stop:
    """Asked between lines: should the bake end here?"""

    requested = False

    def __call__(self) -> bool:
        return self.requested


@contextmanager
def stop_on_interrupt(say: Any) -> Iterator[Stop]:
    """Turns the first Ctrl-C, or `kill`, into a request to stop after the line in flight; the second ends at once."""
    stop = Stop()

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if stop.requested:
            raise KeyboardInterrupt
        stop.requested = True
        say("Stopping after the line in flight; Ctrl-C again ends at once.")

    before = {one: signal.signal(one, on_interrupt) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def as_json(workspace: Workspace, summary: BakeSummary) -> dict[str, Any]:
    """The summary for scripts."""
    draft, sample = summary.draft, summary.sample
    return {
        "model": workspace.identity.model_name,
        "stopped": summary.stopped,
        "zones": [
            asdict(zone.status)
            | {"generated": asdict(zone.tally), "unchanged": zone.unchanged, "stopped": zone.stopped, "left": zone.left}
            for zone in summary.zones
        ],
        "draft": {"path": workspace.project.shown(draft.path), "content_digest": draft.content_digest}
        if draft
        else None,
        "report": workspace.project.shown(workspace.project.report) if workspace.project.report.is_file() else None,
        "quality_sample": {
            "path": workspace.project.shown(sample.path),
            "lines": sample.lines,
            "adherence": None if sample.adherence is None else round(sample.adherence, 3),
        }
        if sample
        else None,
    }


def _print_summary(workspace: Workspace, summary: BakeSummary) -> None:
    project = workspace.project
    for zone in summary.zones:
        out.print(_zone_line(zone))
        if zone.stopped:
            out.print(f"  stopped: {zone.left} lines are left. Go on with: voicebake bake {zone.status.zone}")
    if summary.stopped and summary.draft is None:
        err.print("The earlier draft cache is as it was.")
        return
    from pipeline.review import queue_path

    out.print(f"Draft cache   {project.shown(project.draft_cache)}{'' if summary.draft else ' (unchanged)'}")
    for zone in summary.zones:
        if zone.status.pending:
            queue = project.shown(queue_path(project, zone.status.zone))
            out.print(f"Review queue  {queue} ({zone.status.pending} variants wait)")
    out.print(f"Report        {project.shown(project.report)}")
    if sample := summary.sample:
        share = (
            "" if sample.adherence is None else f", {100 * sample.adherence:.0f} % of their culture's words used well"
        )
        out.print(f"Quality       {project.shown(sample.path)} ({sample.lines} texts to read{share})")
    if workspace.identity.engine.startswith("fake"):
        out.print("These texts come from the FAKE engine of the tests. Unset VOICEBAKE_ENGINE for real ones.")
    out.print("Next          voicebake say NPC LINE --tell Guarded    hear a line")
    out.print("              voicebake dev                            see lines, findings and the queue in Dagster")


def _zone_line(zone: ZoneSummary) -> str:
    status, tally = zone.status, zone.tally
    share = f"{100 * status.voiced / status.variants:.0f} %" if status.variants else "none to voice"
    text = (
        f"{status.zone}: {status.lines} lines, {status.voiced} of {status.variants} variants voiced ({share}), "
        f"{status.fallback_neutral} fall back to Neutral, {status.fallback_base} to base text"
    )
    if zone.unchanged:
        return f"{text}; nothing to do"
    if not tally.batches and zone.stopped:
        return f"{text}; nothing generated"
    if not tally.batches:
        measured = f", {tally.measured} texts measured in {tally.seconds:.0f} s" if tally.measured else ""
        return f"{text}; judged anew, nothing to generate{measured}"
    rate = tally.candidates / tally.seconds if tally.seconds else 0.0
    made = f"{tally.candidates} candidates for {tally.lines} lines in {tally.seconds:.0f} s ({rate:.1f}/s)"
    return f"{text}; generated {made}"
