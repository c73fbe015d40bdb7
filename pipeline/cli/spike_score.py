"""`voicebake spike score`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, find_project
from pipeline.cli.spike import print_report
from pipeline.errors import UserError


def score(
    packet: Annotated[str, typer.Argument(help="The packet's id.")],
    sheets: Annotated[list[Path], typer.Argument(metavar="SHEETS...", help="Filled CSV files, or folders of them.")],
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="REVIEWER", help="Do not wait for this reviewer.")
    ] = None,
    project: ProjectOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Import reviewers' answers, measure, and decide. A sheet with a wrong row imports nothing of any sheet."""
    from pipeline.spike.answers import merged, read_answers, write_answers
    from pipeline.spike.judging import report
    from pipeline.spike.keys import read_key
    from pipeline.spike.page import write_page
    from pipeline.spike.result_files import find_result
    from pipeline.spike.sheet_reading import read_sheets
    from pipeline.spike.voicing import spike_folder

    found = find_project(project)
    key = read_key(found, packet)
    for name in without or []:
        if name not in key.reviewers:
            raise UserError(f"The packet has no {name!r}.", f"Its reviewers are: {', '.join(key.reviewers)}.")
    result = find_result(found, key.content_hash)
    answers = merged(read_answers(found, key.packet), key, read_sheets(sheets, key), without or [])
    path = write_answers(found, answers)
    made = report(found, [result])
    page = write_page(found, made, spike_folder(found) / f"report-{result.short}.html")
    (judged,) = made.judged
    if json:
        print_json(
            {"packet": key.packet, "answers": found.shown(path), "report": found.shown(page), **judged.as_json()}
        )
        return
    if quiet:
        return
    print_report(found, made, page)
    if judged.scores is not None:
        for name, count in judged.scores.missing.items():
            out.print(f"{name}: {f'{count} answers are missing' if count else 'complete'}")
        for one in judged.scores.agreement:
            kappa = "not defined" if one.kappa is None else f"{one.kappa:.2f}"
            same = "no pair" if one.same is None else f"{one.same:.0%} equal answers"
            out.print(f"Agreement  {one.sheet} {one.question}: {same}, kappa {kappa}, {one.items} items")
    out.print(f"Answers  {found.shown(path)}")
