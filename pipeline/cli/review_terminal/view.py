"""The whole screen: head, the card of the line in front, and the foot."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.cli.review_terminal.card import card
from pipeline.cli.review_terminal.commands import FOOT, KEYS
from pipeline.cli.review_terminal.layout import Row, Span, Style, ends, flow, row
from pipeline.cli.review_terminal.tray import Tray

SMALLEST = (40, 12)
"""Width and height below which nothing sensible can be shown."""


def screen_rows(
    zone_id: str, reviewer: str, tray: Tray, size: tuple[int, int], foot: Sequence[Row], *, opened: bool
) -> tuple[list[Row], int]:
    """All rows of the screen, and the number of the foot's first row. The foot always shows, the card gets the rest."""
    width, height = size
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return [row(f"Needs {SMALLEST[0]} x {SMALLEST[1]}; this is {width} x {height}.", width)], 0
    foot = foot[: height - 4]
    room = height - 2 - len(foot)
    body, front = _body(tray, width, opened=opened)
    first = _scroll(len(body), front, room)
    shown = body[first : first + room]
    shown += [()] * (room - len(shown))
    if first + room < len(body):
        shown[-1] = row("  ... more below: j, o", width, Style.faint)
    return [_head(zone_id, reviewer, tray, width), *shown, *foot, row(FOOT, width, Style.faint)], 1 + room


def _body(tray: Tray, width: int, *, opened: bool) -> tuple[list[Row], Span]:
    line = tray.line
    if line is None:
        return flow([(Style.text, "The queue is empty: nothing waits for a person here.")], width), (0, 1)
    return card(line, tray.variant_at, width, opened=opened)


def _head(zone_id: str, reviewer: str, tray: Tray, width: int) -> Row:
    lines, variants = tray.counts()
    where = f"{tray.at + 1}/{len(tray.shown)}" if tray.shown else "0/0"
    filtered = f"  [{tray.filter.words}]" if tray.filter.words else ""
    return ends(
        f"{zone_id}  line {where}{filtered}  {variants} variants of {lines} lines wait", reviewer, width, Style.bar
    )


def _scroll(length: int, front: Span, room: int) -> int:
    """The first row to show: the top where the variant in front fits below it, else so far down that it shows."""
    start, end = front
    if end <= room:
        return 0
    return max(min(start, length - room), min(start, end - room), 0)


def help_rows(width: int) -> list[Row]:
    """The help page."""
    rows = [row("Keys (any key goes back)", width, Style.bar)]
    for keys, meaning in KEYS:
        rows += flow([(Style.text, meaning.replace("`", ""))], width, f"{keys:<5}")
    return rows
