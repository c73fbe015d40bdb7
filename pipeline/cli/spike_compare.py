"""`voicebake spike compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, find_project
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.spike.comparison import Comparison
    from pipeline.spike.judging import Judged


def compare(
    results: Annotated[
        list[str] | None, typer.Argument(metavar="[OLD NEW]", help="Two results; none: list all.")
    ] = None,
    project: ProjectOption = None,
    json: JsonOption = False,
) -> None:
    """Show whether a change of prompts, bank, words or model helped, line by line; without results the history."""
    from pipeline.spike.judging import judge, report
    from pipeline.spike.page import write_page
    from pipeline.spike.result_files import all_results, find_result
    from pipeline.spike.voicing import spike_folder

    found = find_project(project)
    if not results:
        _history([judge(found, one) for one in all_results(found)], json=json)
        return
    if len(results) != 2:
        raise UserError(f"{len(results)} results were given.", "Name two: the old one, then the new one.")
    made = report(found, [find_result(found, name) for name in results])
    if made.comparison is None:
        raise UserError("Both names are of one and the same result.", "voicebake spike compare lists all of them.")
    page = write_page(found, made, spike_folder(found) / "compare.html")
    if json:
        print_json(made.as_json() | {"report": found.shown(page)})
        return
    out.print(f"Old      {made.judged[0].result.label} {made.judged[0].result.short}")
    out.print(f"New      {made.judged[1].result.label} {made.judged[1].result.short}")
    _show(made.comparison)
    out.print(f"Report   {found.shown(page)}")


def _history(judged: list[Judged], *, json: bool) -> None:
    if json:
        print_json({"results": [_row(one) for one in judged]})
        return
    for one in judged:
        row = _row(one)
        out.print(
            f"{one.result.short}  {row['written_at']}  {row['decision']:<9}  {one.result.label}, {row['culture']}, "
            f"{row['lines']} lines, {row['candidates']} candidates, {row['rounds']} rounds"
        )
    if not judged:
        out.print("No results yet: voicebake spike")


def _row(judged: Judged) -> dict[str, Any]:
    content = judged.result.content
    return {
        "content_hash": judged.result.content_hash,
        "written_at": judged.result.run.written_at,
        "decision": judged.decision.verdict.value,
        "model": content.model.name,
        "profile": content.model.profile,
        "culture": content.culture,
        "evaluation": content.evaluation,
        "lines": len(content.lines),
        "candidates": content.settings.candidates,
        "rounds": content.settings.rounds,
        "inputs": content.inputs.model_dump(mode="json"),
        "measures": {one.id: one.value for each in judged.criteria for one in each.measures},
    }


def _show(comparison: Comparison) -> None:
    out.print(f"Changed  {', '.join(comparison.changed) or 'nothing'}; {len(comparison.texts)} texts differ")
    out.print(f"On {comparison.lines} lines, old -> new (difference, 95 %; lines higher / lower; p of the sign test):")
    for one in comparison.differences:
        two = one.paired
        spread = f", {two.interval[0]:+.3f} to {two.interval[1]:+.3f}" if two.interval else ""
        out.print(
            f"  {one.verdict:<20}{one.title}: {two.first:.3f} -> {two.second:.3f} ({two.difference:+.3f}{spread}; "
            f"{two.higher} / {two.lower}; p {two.p:.3f}{'; small sample' if two.small else ''})"
        )
    told = [
        ("too few texts" if one is None else f"{one:.3f}") for one in (comparison.told.first, comparison.told.second)
    ]
    out.print(f"  {'not tested':<20}states that a classifier tells from the words: {told[0]} -> {told[1]}")
