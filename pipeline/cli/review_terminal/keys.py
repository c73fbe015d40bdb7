"""What a person presses, read from a terminal in raw mode."""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_ESCAPE_WAIT = 0.1
"""Seconds in which the rest of an arrow key's bytes arrive, over a slow line too; after that Esc was pressed."""

_NAMES = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", "\x1b": "esc",
    "\x01": "home", "\x03": "ctrl-c", "\x04": "delete", "\x05": "end", "\x0b": "ctrl-k", "\x0c": "ctrl-l",
    "\x15": "ctrl-u", "\x17": "ctrl-w", "\x02": "left", "\x06": "right", "\x10": "up", "\x0e": "down",
}  # fmt: skip
_SEQUENCES = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "1~": "home", "3~": "delete", "4~": "end", "5~": "page-up", "6~": "page-down", "7~": "home", "8~": "end",
}  # fmt: skip
_SEQUENCE = re.compile(r"\x1b(?:\[([0-9;?]*[@-~])|O(.))", re.DOTALL)
_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"


@dataclass(frozen=True, slots=True)
class Key:
    """A key by its name (`enter`, `up`, `a`), a `paste`, a `resize` of the window, or the input's `hangup`."""

    name: str
    text: str = ""
    """What it types; empty for keys that type nothing."""


class KeyReader:
    """Keys of the terminal behind a file descriptor."""

    def __init__(self, fd: int, encoding: str) -> None:
        self._fd = fd
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._waiting = ""
        self._ended = False
        self._wake, self._woken = os.pipe()
        os.set_blocking(self._woken, False)

    @contextmanager
    def watching_size(self) -> Iterator[None]:
        """While open, a change of the window's size comes as a `resize` key."""
        before = signal.signal(signal.SIGWINCH, self._resized)
        try:
            yield
        finally:
            signal.signal(signal.SIGWINCH, before)

    def close(self) -> None:
        """After the last call of `wake`."""
        os.close(self._wake)
        os.close(self._woken)

    def wake(self) -> None:
        """Makes a waiting `next` return a `resize`: what is shown has changed. For other threads and signals."""
        try:
            os.write(self._woken, b"!")
        except BlockingIOError:
            return  # it is full of such calls: one is enough

    def next(self, timeout: float | None = None) -> Key | None:
        """The next key; None when none came within `timeout` seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            if key := self._take(whole=False):
                return key
            left = None if until is None else max(until - time.monotonic(), 0)
            unclear = self._waiting.startswith("\x1b") and not self._waiting.startswith(_PASTE_START)
            ready = self._ready(_ESCAPE_WAIT if unclear else left)
            if self._wake in ready:
                os.read(self._wake, 4096)
                return Key("resize")
            if self._fd in ready:
                self._fill()
            elif unclear:
                return self._take(whole=True)
            elif self._ended or left is not None:
                return Key("hangup") if self._ended else None

    def _ready(self, timeout: float | None) -> list[int]:
        if self._ended:
            return []
        return select.select([self._fd, self._wake], [], [], timeout)[0]

    def _fill(self) -> None:
        try:
            data = os.read(self._fd, 4096)
        except OSError:
            data = b""  # the terminal is gone
        self._ended = not data
        self._waiting += self._decoder.decode(data)

    def _resized(self, *_: object) -> None:
        self.wake()

    def _take(self, *, whole: bool) -> Key | None:
        """The first key of what has arrived; None where it is not yet clear which. `whole`: nothing more comes."""
        text = self._waiting
        if not text:
            return None
        if text.startswith(_PASTE_START):
            pasted, end, rest = text.removeprefix(_PASTE_START).partition(_PASTE_END)
            if not end:
                return None
            self._waiting = rest
            return Key("paste", " ".join(pasted.split()))
        if text[0] == "\x1b" and not whole:
            return self._sequence()
        self._waiting = text[1:]
        name = _NAMES.get(text[0], text[0])
        return Key(name, text[0] if name == text[0] and text[0].isprintable() else "")

    def _sequence(self) -> Key | None:
        """The key of an escape sequence; one without a meaning here is a key without a name."""
        found = _SEQUENCE.match(self._waiting)
        if found is None:
            return None if len(self._waiting) == 1 or self._waiting[1] in "[O" else self._take(whole=True)
        self._waiting = self._waiting[found.end() :]
        return Key(_SEQUENCES.get(found[1] or found[2], "unknown"))
