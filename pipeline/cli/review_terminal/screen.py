"""The terminal as a grid of rows: raw mode, the other screen, and drawing no more than what has changed."""

from __future__ import annotations

import os
import signal
import termios
import tty
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from rich.cells import cell_len

from pipeline.cli.review_terminal.layout import Row, Style
from pipeline.cli.review_terminal.plain import plain
from pipeline.errors import UserError

_ENTER = "\x1b[?1049h\x1b[?2004h\x1b[2J"
_LEAVE = "\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l"
_COLOURED = {
    Style.text: "", Style.strong: "1", Style.faint: "2", Style.bar: "7", Style.block: "1;31", Style.review: "33",
    Style.added: "32", Style.removed: "31", Style.marked: "1;4;31",
}  # fmt: skip
_COLOURLESS = {**dict.fromkeys(Style, ""), Style.strong: "1", Style.bar: "7", Style.block: "1", Style.marked: "1;4"}

Cursor = tuple[int, int]
"""Row and column, from 0."""


def check_terminal(environment: Mapping[str, str]) -> None:
    """Raises `UserError` for a terminal on which no screen can be drawn, with what to do instead."""
    term = environment.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        raise UserError(
            f"voicebake review cannot draw on this terminal (TERM={term or 'is not set'}).",
            "Where the terminal can move its cursor, say so: TERM=xterm voicebake review ZONE. Or review in a "
            "spreadsheet: voicebake review ZONE --export csv -o FILE, then --import FILE.",
        )


class Screen:
    """Draws rows on the terminal behind a file descriptor."""

    def __init__(self, fd: int, encoding: str, *, colour: bool) -> None:
        self._fd = fd
        self._encoding = encoding
        self._codes = _COLOURED if colour else _COLOURLESS
        self._shown: list[str] = []
        self._shown_size = (0, 0)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Raw mode and the other screen; both are given back however the block ends."""
        before = termios.tcgetattr(self._fd)
        old = {number: signal.signal(number, _ended) for number in (signal.SIGTERM, signal.SIGHUP)}
        try:
            tty.setraw(self._fd)
            self._write(_ENTER)
            yield
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)
            self._write(_LEAVE)
            with suppress(termios.error):  # the terminal is gone: there is nothing to give back
                termios.tcsetattr(self._fd, termios.TCSADRAIN, before)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in cells; a terminal that does not say is taken for 80 by 24."""
        size = os.get_terminal_size(self._fd)
        return (size.columns or 80, size.lines or 24)

    def draw(self, rows: Sequence[Row], cursor: Cursor | None = None) -> None:
        """Shows the rows from the top; what is below them is cleared. Without a cursor it is hidden."""
        width, height = self.size
        fresh = [self._line(row, width) for row in rows[:height]]
        fresh += [""] * (height - len(fresh))
        known = self._shown if self._shown_size == (width, height) else []
        changed = [
            f"\x1b[{number + 1};1H{line}\x1b[0m\x1b[K"
            for number, line in enumerate(fresh)
            if number >= len(known) or known[number] != line
        ]
        place = f"\x1b[{cursor[0] + 1};{cursor[1] + 1}H\x1b[?25h" if cursor else ""
        self._write("\x1b[?25l" + ("" if known else "\x1b[2J") + "".join(changed) + place)
        self._shown, self._shown_size = fresh, (width, height)

    def forget(self) -> None:
        """The next `draw` paints everything: something else may have written to the terminal."""
        self._shown = []

    def _line(self, row: Row, width: int) -> str:
        parts = []
        left = width
        for style, content in row:
            text = plain(content)
            while cell_len(text) > left:
                text = text[:-1]
            left -= cell_len(text)
            code = self._codes[style]
            parts.append(f"\x1b[{code}m{text}\x1b[0m" if code and text else text)
        return "".join(parts)

    def _write(self, text: str) -> None:
        data = text.encode(self._encoding, "replace")
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError:
            return  # the terminal is gone; the next read says so


def _ended(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)
