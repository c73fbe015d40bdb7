"""A named text, and how a place in it is shown to people."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

_SHOWN = 96
"""Cells of a source line that a message shows; longer lines are cut around the place."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the name that messages give it. Offsets count code points from 0; lines and columns count from 1."""

    name: str
    text: str

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`; the end of the text lies just after its last character."""
        starts = _line_starts(self.text)
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def where(self, offset: int) -> str:
        """`name:line:column`, the form that editors and terminals make clickable."""
        line, col = self.position(offset)
        return f"{self.name}:{line}:{col}"

    def line_text(self, line: int) -> str:
        """The text of a line (from 1), without its line end."""
        starts = _line_starts(self.text)
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].removesuffix("\r")

    def excerpt(self, start: int, end: int, label: str = "") -> str:
        """Two indented lines: the source line of `start`, and a caret run up to `end` or the line's end."""
        line, col = self.position(start)
        text = self.line_text(line)
        length = max(1, min(end - start, len(text) - col + 1))
        at, stop = col - 1, col - 1 + length
        left, middle = _cells(text[max(0, at - _SHOWN) : at]), _cells(text[at : min(stop, at + _SHOWN)])
        right = _cells(text[stop : stop + _SHOWN])
        if _width(left) > _SHOWN // 2:
            left = "…" + _tail(left, _SHOWN // 2)
        middle = middle[:_SHOWN]
        room = max(0, _SHOWN - _width(left) - _width(middle))
        if len(right) > room:
            right = right[:room] + "…"
        gutter = f"  {line} | "
        carets = "^" * max(1, _width(middle))
        shown = f"{gutter}{left}{middle}{right}".rstrip()
        return f"{shown}\n{'| '.rjust(len(gutter))}{' ' * _width(left)}{carets}{' ' + label if label else ''}"


@lru_cache(maxsize=8)
def _line_starts(text: str) -> tuple[int, ...]:
    """The offset of each line's first character."""
    starts = [0]
    found = text.find("\n")
    while found >= 0:
        starts.append(found + 1)
        found = text.find("\n", found + 1)
    return tuple(starts)


def _cells(text: str) -> str:
    """`text` made safe to print on one line: tabs become spaces, control and invisible characters a visible mark."""
    return "".join(_cell(char) for char in text)


def _cell(char: str) -> str:
    if char == "\t":
        return "    "
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char


def _width(text: str) -> int:
    """Terminal cells that `text` takes: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _tail(text: str, width: int) -> str:
    while _width(text) > width:
        text = text[1:]
    return text


def quoted(text: str, limit: int = 32) -> str:
    """A piece of source as messages quote it: one line, cut to `limit`, between backticks."""
    shown = _cells(text.replace("\n", "⏎"))
    return f"`{shown if len(shown) <= limit else shown[: limit - 1] + '…'}`"
