"""A real terminal for tests: a program behind a pseudo-terminal, and the screen that it draws.

The screen knows the control sequences that the reviewer sends and no other: an unknown one, or a control character
that content smuggled in, fails the test.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pexpect
from rich.cells import cell_len

TIMEOUT = 60
_TOKEN = re.compile(r"\x1b\[(?P<args>[0-9;?]*)(?P<end>[A-Za-z])|(?P<text>[^\x00-\x1f\x7f-\x9f]+)|(?P<line>[\r\n])")
_MODES = {"?1049h", "?1049l", "?2004h", "?2004l", "?25h", "?25l"}
_CLOSING_CODES = {"", "0"}


class Grid:
    """Cells of a screen, with the attributes of each."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells: list[list[str]] = []
        self.codes: list[list[str]] = []
        self.row = self.column = 0
        self.code = ""
        self.alternate = False
        self.used_codes: set[str] = set()
        self.clear()

    def clear(self) -> None:
        self.cells = [[" "] * self.width for _ in range(self.height)]
        self.codes = [[""] * self.width for _ in range(self.height)]

    def resize(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.clear()

    def feed(self, text: str) -> str:
        """Takes in output; gives back the unfinished sequence at its end."""
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                rest = text[place:]
                assert re.fullmatch(r"\x1b(\[[0-9;?]*)?", rest), f"a control sequence nobody should send: {rest[:20]!r}"
                return rest
            if found["text"]:
                self._write(found["text"])
            elif found["end"]:
                self._control(found["args"], found["end"])
            else:
                self._line_end(found["line"])
            place = found.end()
        return ""

    def _write(self, text: str) -> None:
        for char in text:
            size = cell_len(char)
            if not self.alternate:
                continue  # what is printed before and after is read as text, not as a screen
            assert self.column + size <= self.width, f"written past the edge of the screen: {text!r}"
            if size:
                self.cells[self.row][self.column] = char
                self.codes[self.row][self.column] = self.code
            for further in range(1, size):
                self.cells[self.row][self.column + further] = ""
            self.column += size

    def _line_end(self, char: str) -> None:
        assert not self.alternate, "the reviewer places its rows and never breaks a line"
        self.column = 0 if char == "\r" else self.column

    def _control(self, args: str, end: str) -> None:
        if end == "H":
            row, column = (int(one) for one in args.split(";"))
            self.row, self.column = row - 1, column - 1
            assert 0 <= self.row < self.height, "placed outside of the screen"
        elif end == "K":
            self.cells[self.row][self.column :] = [" "] * (self.width - self.column)
            self.codes[self.row][self.column :] = [""] * (self.width - self.column)
        elif end == "J":
            self.clear()
        elif end == "m":
            self.code = "" if args in _CLOSING_CODES else args
            self.used_codes.add(self.code)
        else:
            assert f"{args}{end}" in _MODES, f"a control sequence nobody should send: {args}{end}"
            self.alternate = {"?1049h": True, "?1049l": False}.get(f"{args}{end}", self.alternate)

    @property
    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Terminal:
    """A program at a terminal of `width` by `height` cells."""

    def __init__(self, words: list[str], environment: dict[str, str], width: int = 80, height: int = 24) -> None:
        self.program = pexpect.spawn(
            sys.executable,
            ["-m", "pipeline.cli", *words],
            env=environment,
            dimensions=(height, width),
            timeout=TIMEOUT,
            encoding="utf-8",
            codec_errors="strict",
            cwd=str(Path(__file__).parents[3]),
        )
        self.program.delaybeforesend = None
        self.grid = Grid(width, height)
        self.output = ""
        self._rest = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.close(force=True)

    def press(self, keys: str) -> None:
        """Sends keys as they come from a keyboard."""
        self.program.send(keys)

    def resize(self, width: int, height: int) -> None:
        self.grid.resize(width, height)
        self.program.setwinsize(height, width)

    def wait(self, wanted: str | Callable[[str], bool]) -> str:
        """Reads until the screen holds `wanted`; gives the screen. Fails with the screen when it never does."""
        holds = wanted if callable(wanted) else lambda screen: wanted in screen
        until = time.monotonic() + TIMEOUT
        while not holds(self.grid.text):
            assert time.monotonic() < until, f"never shown: {wanted!r}. The screen:\n{self.grid.text}"
            try:
                self._read()
            except pexpect.EOF:
                raise AssertionError(f"ended before it showed {wanted!r}:\n{self.output[-2000:]}") from None
        return self.grid.text

    def end(self) -> int:
        """Reads until the program ends; gives its exit code."""
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            try:
                self._read()
            except pexpect.EOF:
                self.program.close()
                return self.program.exitstatus if self.program.signalstatus is None else -self.program.signalstatus
        raise AssertionError(f"did not end. The screen:\n{self.grid.text}")

    def _read(self) -> None:
        try:
            got = self.program.read_nonblocking(65536, timeout=0.2)
        except pexpect.TIMEOUT:
            return
        self.output += got
        self._rest = self.grid.feed(self._rest + got)
