"""Lines of a file that the user names, `-` being stdin."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.errors import UserError


def input_lines(file: Path) -> list[bytes]:
    """The lines of `file`, or of stdin for `-`, without line ends. Raises `UserError` for a file that cannot be
    read."""
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}.", "Name a file, or - for stdin.") from None
    lines = raw.split(b"\n")
    return [line.removesuffix(b"\r") for line in (lines if lines[-1] else lines[:-1])]
