"""Writing a file, or a folder of files, as a whole: readers see the earlier one or the new one, never a half."""

from __future__ import annotations

import itertools
import os
import platform
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import UserError

_NUMBERS = itertools.count()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a fresh path in `path`'s folder; when the block ends well, what was written there takes `path`'s place.

    The rename is atomic and the content is on disk before it. When the block fails, the earlier file stays as it was
    and the half-written one is removed, with all that was written beside it under a longer name. An `OSError` (disk
    full, read-only folder) becomes a `UserError`. A folder of files may be written too, where `path` is not there yet.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        fresh = path.parent / f"{_prefix(path)}{os.getpid()}-{next(_NUMBERS)}.tmp"
        try:
            yield fresh
            _flush(fresh)
            os.replace(fresh, path)
        finally:
            for written in path.parent.glob(f"{fresh.name}*"):
                _remove(written)
    except OSError as error:
        raise UserError(
            f"{path}: could not be written: {error.strerror or error}.",
            "The earlier file, if there was one, is untouched. Free some space or mend the rights, then run again.",
        ) from error


def _flush(path: Path) -> None:
    for file in path.rglob("*") if path.is_dir() else (path,):
        with file.open("rb+") as opened:
            os.fsync(opened.fileno())


def _remove_leftovers(path: Path) -> None:
    """Removes what processes of this machine left behind that were killed while they wrote `path`."""
    prefix = _prefix(path)
    for leftover in path.parent.glob(f"{prefix}*"):
        pid = leftover.name.removeprefix(prefix).partition("-")[0]
        if pid.isdecimal() and not _alive(int(pid)):
            _remove(leftover)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _prefix(path: Path) -> str:
    """Names the machine as well: on a shared folder the process numbers of others say nothing here."""
    node = re.sub(r"[^A-Za-z0-9]", "_", platform.node()) or "node"
    return f".{path.name}.{node}-"


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
