"""`voicebake validate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import err, out, print_json, written_out
from pipeline.cli.input_lines import input_lines
from pipeline.cli.options import ProjectOption, find_project

if TYPE_CHECKING:
    from pipeline.validation.finding import Finding
    from pipeline.validation.rows import JudgedRow


def validate(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="A JSON object a line; - for stdin.")],
    project: ProjectOption = None,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON on stdout per row, for scripts.")] = False,
) -> None:
    """Run all rules on any lines, human-written ones too. Exit code 1 if one is blocked or cannot be read."""
    from pipeline.content import load_content
    from pipeline.validation.rows import judge_rows
    from pipeline.validation.ruleset import build_rules
    from pipeline.validation.texts import Speakers

    found = find_project(project)
    lines = input_lines(file)
    content = load_content(found)
    blocked = reviewed = rows = 0
    for row in judge_rows(lines, build_rules(content, found.build), Speakers(content)):
        rows += 1
        blocked += row.blocked
        reviewed += not row.blocked and any(finding.severity == "review" for finding in row.findings)
        if json:
            print_json({"findings": [as_json(finding) for finding in row.findings]})
            if row.unreadable:
                err.print(f"{file}: {row.unreadable.message} {row.unreadable.suggestion or ''}".rstrip())
        else:
            _show(row, file)
    if not json:
        out.print(f"{rows} rows: {blocked} blocked, {reviewed} to review, {rows - blocked - reviewed} pass")
    if blocked:
        raise typer.Exit(1)


def as_json(finding: Finding) -> dict[str, Any]:
    """A finding as scripts read it; `span` is start and end in code points, or null for the whole text."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "span": list(finding.span) if finding.span else None,
        "suggestion": finding.suggestion,
    }


def _show(row: JudgedRow, file: Path) -> None:
    told = [finding for finding in row.findings if finding.severity != "info"]
    if not told:
        return
    out.print(f"{file}:{row.number}: {written_out(row.voiced)}".rstrip())
    for finding in told:
        out.print(f"  {finding.severity.value:<6} {finding.rule}: {written_out(finding.message)}")
        if finding.suggestion:
            out.print(f"         {written_out(finding.suggestion)}")
