"""`voicebake review`."""

from __future__ import annotations

import sys
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, find_project
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.bake import Decided
    from pipeline.project import Project


class SheetKind(StrEnum):
    """What a queue can be exported as."""

    csv = "csv"
    md = "md"


ReviewerOption = Annotated[
    str | None, typer.Option("--reviewer", metavar="NAME", help="Who decides; without it as git's configuration says.")
]


def review(
    zone: Annotated[str, typer.Argument(help="Zone id.")],
    export: Annotated[
        SheetKind | None, typer.Option("--export", help="Write what waits as csv or md, with fields to fill in.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to; without it stdout.")
    ] = None,
    import_: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Take the decisions of a filled-in file, or none.")
    ] = None,
    reviewer: ReviewerOption = None,
    project: ProjectOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Decide on what waits for a person in a zone, at a terminal; or hand it out as a file and take it back filled in.

    Where no terminal is, and with --json, it shows what waits.
    """
    found = find_project(project)
    if export is not None and import_ is not None:
        raise UserError("--export and --import are two steps.", "Export first, fill the file in, then import it.")
    if export is not None:
        _export(found, zone, export, output)
    elif import_ is not None:
        decided = _import(found, zone, import_, reviewer)
        report(decided, quiet=quiet, json=json)
    elif json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _show(found, zone, json=json)
    else:
        from pipeline.cli.review_terminal.start import review_at_terminal
        from pipeline.review import default_reviewer

        review_at_terminal(found, zone, reviewer or default_reviewer(found))


def report(decided: Decided, *, quiet: bool, json: bool) -> None:
    """What a command that decided says at its end."""
    outcome = decided.outcome
    for problem in (*outcome.problems, *outcome.conflicts):
        err.print(problem)
    if json:
        print_json(as_json(decided))
    elif not quiet:
        out.print(f"{len(decided.verdicts)} verdicts written.")
        if not outcome.rebuilt:
            out.print("The zone is being baked; they count when that bake ends.")
        elif outcome.status is not None:
            out.print(
                f"{outcome.lines_waiting} lines with {outcome.status.pending} variants wait. Draft and queue are up to "
                "date."
            )
            if outcome.status.stale:
                out.print(f"{outcome.status.stale} lines lack candidates. Next: voicebake bake {outcome.status.zone}")


def as_json(decided: Decided) -> dict[str, Any]:
    """What was decided, for scripts."""
    from dataclasses import asdict

    outcome = decided.outcome
    return {
        "verdicts": [{"id": one.id, "action": one.action} for one in decided.verdicts],
        "rebuilt": outcome.rebuilt,
        "lines_waiting": outcome.lines_waiting,
        "status": asdict(outcome.status) if outcome.status else None,
        "counts": asdict(outcome.counts) if outcome.counts else None,
        "problems": outcome.problems,
        "conflicts": outcome.conflicts,
    }


def _export(project: Project, zone: str, kind: SheetKind, output: Path | None) -> None:
    from pipeline.replacing import replacing
    from pipeline.review import read_queue
    from pipeline.review.csv_sheet import to_csv
    from pipeline.review.markdown_sheet import to_markdown
    from pipeline.review.sheet import sheet_rows

    rows = list(sheet_rows(read_queue(project, zone)))
    content = to_csv(rows) if kind is SheetKind.csv else to_markdown(rows).encode()
    if output is None:
        sys.stdout.buffer.write(content)
        return
    with replacing(output) as fresh:
        fresh.write_bytes(content)
    out.print(f"Wrote {output}: {len(rows)} variants. Fill it in, then: voicebake review {zone} --import {output}")


def _import(project: Project, zone: str, path: Path, reviewer: str | None) -> Decided:
    from pipeline.bake import Workspace, decide
    from pipeline.review import DecisionErrors, default_reviewer
    from pipeline.review.csv_sheet import from_csv
    from pipeline.review.markdown_sheet import from_markdown
    from pipeline.review.sheet import decisions_of

    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}.") from error
    is_markdown = path.suffix.lower() in (".md", ".markdown")
    try:
        rows = from_markdown(raw.decode("utf-8", "replace")) if is_markdown else from_csv(raw)
        decisions = decisions_of(rows)
        with Workspace.open(project) as workspace:
            return decide(workspace, zone, decisions, reviewer or default_reviewer(project))
    except DecisionErrors:
        raise
    except UserError as error:
        raise type(error)(f"{path}: {error.message}", error.hint or "Nothing was decided.") from error


def _show(project: Project, zone: str, *, json: bool) -> None:
    from pipeline.review import read_queue

    rows = read_queue(project, zone)
    if json:
        print_json({"zone": zone, "lines": rows})
        return
    waiting = [variant for row in rows for variant in row["variants"] if variant["pending"]]
    by_rule = Counter(
        rule for one in waiting for rule in {f["rule"] for f in one["findings"] if f["severity"] != "info"}
    )
    out.print(f"{zone}: {sum(row['pending'] > 0 for row in rows)} lines with {len(waiting)} variants wait")
    for rule, count in by_rule.most_common():
        out.print(f"  {count:>5}  {rule}")
    out.print(f"Next: voicebake review {zone} --export csv -o {zone}.csv, or voicebake dev")
