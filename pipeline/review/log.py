"""A zone's verdict log: `review_queue/<zone>.verdicts.jsonl`, append-only, one verdict a line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from pipeline.errors import UserError
from pipeline.project import Project, checked_id
from pipeline.review.verdict import Verdict, VerdictError, from_json, to_json

_SUFFIX = ".verdicts.jsonl"


@dataclass(frozen=True, slots=True)
class VerdictLog:
    """What a log holds. Lines may stand in any order and more than once: a merge may have moved and doubled them."""

    zone_id: str
    verdicts: tuple[Verdict, ...] = ()
    """Each once, in the order of the file."""
    problems: tuple[str, ...] = ()
    """Lines that cannot be read, each as `file:line: why`. They count for nothing and are left where they are."""


def log_path(project: Project, zone_id: str) -> Path:
    """Where a zone's log stands. Raises `UserError` for an id that is no plain name."""
    return project.review_queue / f"{checked_id(zone_id)}{_SUFFIX}"


def logged_zones(project: Project) -> list[str]:
    """The zones that have a log, sorted, whether or not the zone still exists."""
    return sorted(path.name.removesuffix(_SUFFIX) for path in project.review_queue.glob(f"*{_SUFFIX}"))


def read_log(project: Project, zone_id: str) -> VerdictLog:
    """A zone's log; an empty one where there is no file. Raises `UserError` when the file cannot be opened."""
    path = log_path(project, zone_id)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return VerdictLog(zone_id)
    except OSError as error:
        raise UserError(f"{project.shown(path)}: cannot be read: {error.strerror or error}.") from error
    verdicts: dict[str, Verdict] = {}
    problems: list[str] = []
    for number, line in enumerate(raw.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            verdict = from_json(line)
        except VerdictError as error:
            problems.append(f"{project.shown(path)}:{number}: this is no verdict ({error}); it counts for nothing.")
        else:
            verdicts.setdefault(verdict.id, verdict)
    return VerdictLog(zone_id, tuple(verdicts.values()), tuple(problems))


@contextmanager
def locked_log(project: Project, zone_id: str) -> Iterator[LogWriter]:
    """A zone's log, for writing, with the assurance that nobody else on this machine writes it meanwhile.

    Waits while another process writes; that takes as long as checking a few decisions. Raises `UserError` when lock
    or file cannot be written.
    """
    from filelock import FileLock

    folder = project.zone_build(zone_id)
    path = log_path(project, zone_id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Outside of review_queue/: a lock file is none of git's business. See `zone_lock` on why it stays behind.
        lock = FileLock(folder / "verdicts.lock", fallback_to_soft=False, preserve_lock_file=True)
        lock.acquire()
    except (OSError, NotImplementedError) as error:
        raise _unwritable(project, folder, error) from error
    try:
        yield LogWriter(project, path)
    finally:
        lock.release()


@dataclass(frozen=True, slots=True)
class LogWriter:
    """Appends to a log whose lock is held."""

    project: Project
    path: Path

    def append(self, verdicts: Sequence[Verdict]) -> None:
        """Appends verdicts, which have their ids, in one write, and returns once they are on disk.

        A last line that a killed process left without its end is closed first, so that nothing is glued to it.
        Raises `UserError` when they cannot be written; the file is then as long as it was.
        """
        if not verdicts:
            return
        text = "".join(f"{to_json(verdict)}\n" for verdict in verdicts).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not self.path.exists()
            with self.path.open("ab+", buffering=0) as file:
                _append(file, text)
            if is_new:
                _flush_folder(self.path.parent)
        except OSError as error:
            raise _unwritable(self.project, self.path, error) from error


def _append(file: FileIO, text: bytes) -> None:
    length = file.seek(0, os.SEEK_END)
    if length:
        file.seek(length - 1)
        if file.read(1) != b"\n":
            text = b"\n" + text
    try:
        left = memoryview(text)
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(length)
        raise


def _flush_folder(folder: Path) -> None:
    """Puts a new file's name on disk too; where folders cannot be opened (Windows) the system does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unwritable(project: Project, path: Path, error: Exception) -> UserError:
    reason = getattr(error, "strerror", None) or error
    return UserError(
        f"{project.shown(path)}: the verdict log cannot be written: {reason}.",
        "Nothing was decided. Free some space or mend the rights, then decide again.",
    )
