"""One baking process per zone: a lock of the operating system, which dies with the process that holds it."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.store.errors import ZoneBusy

_POLL_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class LockHolder:
    """The process that bakes a zone."""

    pid: int
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command})"


@contextmanager
def zone_lock(
    project: Project, zone_id: str, *, wait: bool, report: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Holds the bake lock of a zone for the length of the block.

    When another process holds it: with `wait` this one waits and tells `report` once who it waits for; without, it
    raises `ZoneBusy`, which says who holds it. The lock is advisory, exclusive and freed by the system when its holder
    dies. `bake.lock` stays behind on purpose: removing a lock file would let two processes hold two files of one name.
    """
    from filelock import FileLock, Timeout

    folder = project.zone_build(zone_id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # fallback_to_soft would leave a lock behind after a kill.
        lock = FileLock(folder / "bake.lock", fallback_to_soft=False, preserve_lock_file=True)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            busy = _busy(zone_id, holder(project, zone_id))
            if not wait:
                raise busy from None
            if report:
                report(f"{busy.message} Waiting for it to end.")
            lock.acquire(poll_interval=_POLL_SECONDS)
    except (OSError, NotImplementedError) as error:
        raise UserError(
            f"{project.shown(folder)}: the zone's lock cannot be taken: {error}.",
            "Look at the folder's rights; build/ must lie on a local disk that supports file locks.",
        ) from error
    try:
        with replacing(_holder_file(folder)) as fresh:
            fresh.write_text(json.dumps(asdict(_this_process())), encoding="utf-8")
        yield
    finally:
        _holder_file(folder).unlink(missing_ok=True)
        lock.release()


def holder(project: Project, zone_id: str) -> LockHolder | None:
    """Who last wrote that it bakes the zone; None when nobody did. After a kill the note may outlive its process."""
    try:
        note = json.loads(_holder_file(project.zone_build(zone_id)).read_text(encoding="utf-8"))
        return LockHolder(int(note["pid"]), str(note["command"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None  # none, or damaged; who waits is then told of "another process"


def _busy(zone_id: str, who: LockHolder | None) -> ZoneBusy:
    return ZoneBusy(
        f"zone {zone_id}: {who or 'another process'} is baking it.",
        "Wait until it ends, or stop it; what it has finished is kept.",
    )


def _holder_file(folder: Path) -> Path:
    return folder / "bake.lock.json"


def _this_process() -> LockHolder:
    return LockHolder(os.getpid(), shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]))
