"""A bake store taken to another machine: written as one file, and taken in from one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from pipeline.store.bake_store import BakeStore
from pipeline.store.connection import frozen_address, open_read_only, open_writable, translated


def write_snapshot(path: Path, target: Path) -> None:
    """Writes all that is committed in the store at `path` to the new file `target`, which needs no file beside it.

    Raises `StoreError`.
    """
    with closing(open_read_only(path)) as db, translated(target):
        db.execute("PRAGMA query_only = OFF")  # it forbids writing the new file too; the store itself is open read-only
        db.execute("VACUUM INTO ?", (str(target),))


def add_batches(path: Path, snapshot: Path) -> int:
    """Adds the batches of a snapshot that the store at `path` lacks, and gives their number; the others stay.

    The store is made when it is missing. The snapshot is opened without locks, since nobody writes it: it may lie on a
    network folder. Raises `StoreError` for a damaged, foreign, earlier or later one, before anything is added.
    """
    BakeStore.frozen(snapshot).close()
    with closing(open_writable(path)) as db, translated(snapshot):
        db.execute("ATTACH ? AS other", (frozen_address(snapshot),))
        return _add(db)


def _add(db: sqlite3.Connection) -> int:
    db.execute(
        "CREATE TEMP TABLE new AS SELECT fingerprint, round, variant FROM other.batches "
        "EXCEPT SELECT fingerprint, round, variant FROM main.batches"
    )
    db.execute("BEGIN IMMEDIATE")
    try:
        added = db.execute("INSERT INTO batches SELECT * FROM other.batches NATURAL JOIN new").rowcount
        db.execute("INSERT INTO candidates SELECT * FROM other.candidates NATURAL JOIN new")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    return added
