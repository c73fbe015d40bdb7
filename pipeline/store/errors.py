"""What can be wrong with a bake store, told to the person who can mend it."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import UserError


class StoreError(UserError):
    """A bake store that cannot be used as it is. Nothing was changed or deleted."""


class StoreMissing(StoreError):
    """The zone has no bake store yet."""


class ZoneBusy(UserError):
    """Another process bakes the zone."""


def missing(path: Path) -> StoreMissing:
    """There is no store at `path`, or only an empty one."""
    zone = path.parent.name
    return StoreMissing(f"zone {zone}: not baked yet ({path.name} does not exist).", f"Run: voicebake bake {zone}")


def damaged(path: Path, reason: str) -> StoreError:
    """The file at `path` is no readable SQLite database."""
    zone = path.parent.name
    return StoreError(
        f"{path}: the bake store is damaged ({reason}). Nothing was changed.",
        f"Put back a copy of the file, or move it (with its -wal and -shm files) to another folder and run "
        f"`voicebake bake {zone}`: the zone is then generated anew. `sqlite3 FILE .recover` can often save candidates.",
    )


def foreign(path: Path) -> StoreError:
    """The file at `path` is a database of another program."""
    return StoreError(
        f"{path}: this SQLite file is not a bake store. Nothing was changed.",
        f"Move it to another folder, then run: voicebake bake {path.parent.name}",
    )


def newer(path: Path, version: int, known: int) -> StoreError:
    """The file at `path` was written by a later voicebake."""
    return StoreError(
        f"{path}: the bake store has schema version {version}; this voicebake knows versions up to {known}.",
        "Use the voicebake that wrote it, or move the file to another folder and bake the zone again.",
    )


def older(path: Path, version: int, known: int) -> StoreError:
    """The file at `path` was written by an earlier voicebake, whose candidates lack what is measured today."""
    return StoreError(
        f"{path}: the bake store has schema version {version}, made by an earlier voicebake; this one writes {known}.",
        "Move the file to another folder and bake the zone again: its candidates are generated anew.",
    )


def unusable(path: Path, reason: str) -> StoreError:
    """The system refuses to read or write the file at `path` (rights, disk full, locked)."""
    return StoreError(
        f"{path}: the bake store cannot be used: {reason}.",
        "What was committed is safe. Look at the folder's rights, at free space and at other programs that hold the "
        "file open, then run again.",
    )
