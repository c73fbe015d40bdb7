"""Text of the reviewer in rows that fit the terminal: wrapped, cut, and with the marked spans underlined by carets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from rich.cells import cell_len

from pipeline.cli.review_terminal.plain import plain


class Style(Enum):
    """What a piece of text is; the screen decides how it looks."""

    text = "text"
    strong = "strong"
    faint = "faint"
    bar = "bar"
    block = "block"
    review = "review"
    added = "added"
    removed = "removed"
    marked = "marked"


Piece = tuple[Style, str]
Row = tuple[Piece, ...]
Span = tuple[int, int]


def wrap(text: str, width: int) -> list[Span]:
    """Where the rows of `text` begin and end, at most `width` cells each; broken at spaces, a long word anywhere."""
    rows: list[Span] = []
    start = 0
    while start < len(text):
        end = _reach(text, start, width)
        if end < len(text) and (space := text.rfind(" ", start, end + 1)) > start:
            rows.append((start, space))
            start = space + 1
        else:
            rows.append((start, end))
            start = end
    return rows or [(0, 0)]


def _reach(text: str, start: int, width: int) -> int:
    """The end of what fits from `start` on; at least one character."""
    used = 0
    for place in range(start, len(text)):
        used += cell_len(text[place])
        if used > width:
            return max(place, start + 1)
    return len(text)


def flow(pieces: Iterable[Piece], width: int, head: str = "", marks: Sequence[Span] = ()) -> list[Row]:
    """The pieces one after the other behind `head`, on as many rows as they take, further rows indented like the first.

    `marks` are spans of the whole text: they are shown as marked, and by carets in a row below.
    """
    pieces = [(style, plain(text)) for style, text in pieces]
    text = "".join(part for _, part in pieces)
    styles = [style for style, part in pieces for _ in part]
    marked = {place for start, end in marks for place in range(max(start, 0), min(max(end, start + 1), len(text)))}
    for place in marked:
        styles[place] = Style.marked
    head = plain(head)
    indent = " " * cell_len(head)
    rows: list[Row] = []
    for start, end in wrap(text, max(width - len(indent), 1)):
        lead = head if not rows or start == 0 else indent
        rows.append(((Style.faint, lead), *_pieces(text, styles, start, end)))
        if marked.intersection(range(start, end)):
            carets = "".join(("^" if place in marked else " ") * cell_len(text[place]) for place in range(start, end))
            rows.append(((Style.marked, indent + carets.rstrip()),))
    return rows


def _pieces(text: str, styles: Sequence[Style], start: int, end: int) -> Iterator[Piece]:
    first = start
    for place in range(start + 1, end + 1):
        if place == end or styles[place] is not styles[first]:
            yield styles[first], text[first:place]
            first = place


def cut(text: str, width: int) -> str:
    """`text` if it fits `width` cells, else its beginning and an ellipsis."""
    text = plain(text)
    if cell_len(text) <= width:
        return text
    return text[: _reach(text, 0, max(width - 3, 1))] + "..."


def row(text: str, width: int, style: Style = Style.text) -> Row:
    """One row of one style, cut to the width."""
    return ((style, cut(text, width)),)


def ends(left: str, right: str, width: int, style: Style) -> Row:
    """One row with a text at each end; the right one goes first when there is no room."""
    left, right = cut(left, width), plain(right)
    gap = width - cell_len(left) - cell_len(right)
    return ((style, left + (" " * gap + right if gap >= 2 else " " * (width - cell_len(left)))),)
