"""Reading a text or a file."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from pipeline.errors import UserError
from pipeline.ron.error import RonError
from pipeline.ron.nodes import Document
from pipeline.ron.parser import Parser
from pipeline.ron.source import Source

_LARGE = 100_000
"""Code points from which Python's collector is worth stopping: it looks at every node again and again, for up to half
of the time, and nodes never form cycles."""
_lock = Lock()
_readers = 0
_was_enabled = False


@contextmanager
def _collector_paused(size: int) -> Iterator[None]:
    """Stops the collector of cycles while large texts are read, until the last of all threads has finished."""
    global _readers, _was_enabled
    if size < _LARGE:
        yield
        return
    with _lock:
        if _readers == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _readers += 1
    try:
        yield
    finally:
        with _lock:
            _readers -= 1
            if _readers == 0 and _was_enabled:
                gc.enable()


def parse(text: str, name: str = "<text>") -> Document:
    """The RON document in `text`, called `name` in messages. Raises `RonError`. Several threads may call it at once."""
    source = Source(name, text)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RonError(source, (error.start, error.start + 1), "half of a surrogate pair is no character") from None
    with _collector_paused(len(text)):
        return Parser(source).document()


def parse_file(path: Path | str, name: str | None = None) -> Document:
    """The RON document in the file at `path`, called `name` in messages (default: the path).

    Raises `RonError` for a text that is no RON or no UTF-8, and `UserError` for a file that cannot be read.
    """
    shown = name or str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}.") from None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        readable = data[: error.start].decode()
        source = Source(shown, readable + data[error.start :].decode(errors="replace"))
        raise RonError(
            source,
            (len(readable), len(readable) + 1),
            f"byte {data[error.start]:02X} is no UTF-8",
            hint="Save the file as UTF-8.",
        ) from None
    return parse(text, shown)
