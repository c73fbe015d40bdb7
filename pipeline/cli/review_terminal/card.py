"""A line of the queue as rows of text: clean variants folded to one row, flagged ones and the one in front open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.cli.review_terminal.layout import Piece, Row, Span, Style, cut, flow, row
from pipeline.cli.review_terminal.tray import Finding, Line, Variant, is_flagged, open_findings

_NAME_WIDTH = 17
"""`RoutineDeviation` and a space."""
_INDENT = " " * 6
_DIFF_SIGNS = {"-": ("[-", "-]", Style.removed), "+": ("{+", "+}", Style.added)}
_TAKEABLE = 9
"""Other candidates that a digit key can take."""


def card(line: Line, front: int, width: int, *, opened: bool = False) -> tuple[list[Row], Span]:
    """The rows of a line, and from where to where of them the variant in front (by index) goes.

    `opened`: the clean variants stand open, too.
    """
    npc = line["npc"]
    rows = [row(f"{npc['name']} ({npc['id']}), {npc['role']}", width, Style.strong)]
    rows += flow([(Style.faint, f"{npc['tier']}, {line['kind']}, {line['culture']}, line {line['line_id']}")], width)
    rows += flow([(Style.text, line["base"])], width, "Base  ")
    rows.append(())
    span = (0, 0)
    for index, variant in enumerate(line["variants"]):
        start = len(rows)
        rows += _variant(line, variant, width, in_front=index == front, opened=opened)
        if index == front:
            span = (start, len(rows))
    return rows, span


def _variant(line: Line, variant: Variant, width: int, *, in_front: bool, opened: bool) -> Iterator[Row]:
    mark = ">" if in_front else " "
    head = f"{mark} {variant['tell_state']:<{_NAME_WIDTH}}"
    waits = variant["pending"]
    if not (in_front or opened or (waits and is_flagged(variant))):
        said = variant["voiced"] if variant["voiced"] is not None else "(empty: the game falls back)"
        left = cut(f"{head}{_standing(variant)}  {said}", width)
        yield ((Style.text if waits else Style.faint, left),)
        return
    style = Style.block if variant["trouble"] else Style.review if is_flagged(variant) else Style.strong
    score = "" if variant["score"] is None else f", score {variant['score']:.2f}"
    yield row(f"{head}{_standing(variant)}{score}{_more(variant)}", width, style)
    yield from _texts(line, variant, width)
    for finding in open_findings(variant):
        yield from _finding(finding, width)
    if in_front:
        yield from _details(variant, width)


def _standing(variant: Variant) -> str:
    """In a word or two, where the variant stands."""
    if variant["trouble"]:
        return "in question"
    if variant["source"] in ("approved", "edited"):
        return str(variant["source"])
    if variant["voiced"] is None:
        return "empty"
    if not variant["pending"]:
        return "passes"
    return "FLAGGED" if is_flagged(variant) else "clean"


def _more(variant: Variant) -> str:
    more = ", other candidates asked for" if variant["waits_for_bake"] else ""
    return more + (", new candidates on offer" if variant["offer"] else "")


def _texts(line: Line, variant: Variant, width: int) -> Iterator[Row]:
    """The text with its marked spans, and what became of the base text's words."""
    if variant["voiced"] is None:
        yield row(f"{_INDENT}(empty: the game falls back to Neutral or the base text)", width, Style.faint)
        return
    spans = [(one["span"][0], one["span"][1]) for one in open_findings(variant) if one["span"]]
    yield from flow([(Style.strong, variant["voiced"])], width, _INDENT, spans)
    if variant["voiced"] == line["base"]:
        yield row(f"{_INDENT}diff   the same as the base text", width, Style.faint)
    else:
        yield from flow(_diff(variant["diff"]), width, f"{_INDENT}diff   ")


def _diff(parts: list[tuple[str, str]]) -> Iterator[Piece]:
    """The word diff with its signs, what goes before what comes."""
    parts = list(parts)
    for index in range(1, len(parts)):
        if (parts[index - 1][0], parts[index][0]) == ("+", "-"):
            parts[index - 1], parts[index] = parts[index], parts[index - 1]
    for number, (sign, words) in enumerate(parts):
        space = " " if number else ""
        before, after, style = _DIFF_SIGNS.get(sign, ("", "", Style.text))
        yield Style.text, space
        yield style, f"{before}{words}{after}"


def _finding(finding: Finding, width: int, indent: str = _INDENT) -> Iterator[Row]:
    style = Style.block if finding["severity"] == "block" else Style.review
    said = [(style, f"{finding['rule']}: "), (Style.text, finding["message"])]
    yield from flow(said, width, f"{indent}{finding['severity']:<6} ")
    if finding["suggestion"]:
        yield from flow([(Style.text, finding["suggestion"])], width, f"{indent}try    ")


def findings_rows(findings: Sequence[Finding], width: int) -> list[Row]:
    """Findings one below the other, as under a variant."""
    return [found for finding in findings for found in _finding(finding, width, "")]


def _details(variant: Variant, width: int) -> Iterator[Row]:
    """What is shown of the variant in front only."""
    if variant["trouble"]:
        yield from flow([(Style.block, variant["trouble"])], width, f"{_INDENT}!      ")
    if variant["question"]:
        yield from flow([(Style.faint, variant["question"])], width, f"{_INDENT}ask    ")
    for one in variant["last_approved"]:
        told = f"  ({one['action']}, {one['reviewer']}, {one['time'][:10]})"
        yield from flow([(Style.text, one["voiced"]), (Style.faint, told)], width, f"{_INDENT}before ")
    for one in variant["verdicts"]:
        reason = f": {one['reason']}" if one["reason"] else ""
        told = f"{one['action']} by {one['reviewer']}, {one['time'][:10]}{reason}"
        yield from flow([(Style.faint, told)], width, f"{_INDENT}log    ")
    for number, other in enumerate(variant["others"][:_TAKEABLE], 1):
        rules = sorted({f"{one['severity']} {one['rule']}" for one in open_findings(other)})
        told = f"  ({other['score']:.2f}{''.join(f', {rule}' for rule in rules)})"
        yield from flow([(Style.text, other["voiced"]), (Style.faint, told)], width, f"{_INDENT}take {number} ")
