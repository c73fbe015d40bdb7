"""Writing a file as a whole: readers see the earlier file or the new one, never a half."""

from __future__ import annotations

import itertools
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import UserError

_NUMBERS = itertools.count()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a fresh path in `path`'s folder; when the block ends well, what was written there takes `path`'s place.

    The rename is atomic and the content is on disk before it. When the block fails, the earlier file stays as it was
    and the half-written one is removed. An `OSError` (disk full, read-only folder) becomes a `UserError`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        fresh = path.parent / f".{path.name}.{_node()}-{os.getpid()}-{next(_NUMBERS)}.tmp"
        try:
            yield fresh
            _flush(fresh)
            os.replace(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(
            f"{path}: could not be written: {error.strerror or error}.",
            "The earlier file, if there was one, is untouched. Free some space or mend the rights, then run again.",
        ) from error


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _remove_leftovers(path: Path) -> None:
    """Removes temporary files of processes of this machine that were killed while they wrote `path`."""
    pattern = re.compile(rf"\.{re.escape(path.name)}\.{re.escape(_node())}-(\d+)-\d+\.tmp(\..+)?\Z")
    for leftover in path.parent.glob(f".{path.name}.*.tmp*"):
        match = pattern.match(leftover.name)
        if match and leftover.is_file() and not _alive(int(match[1])):
            leftover.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    if os.name == "nt":  # there a signal of 0 is no harmless question
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _node() -> str:
    return re.sub(r"[^A-Za-z0-9]", "_", platform.node()) or "node"
