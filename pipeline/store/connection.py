"""Opening a bake store's SQLite file, and turning SQLite's errors into ones that tell what to do."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from pipeline.store import errors
from pipeline.store.schema import (
    APPLICATION_ID,
    OLDEST_VERSION,
    SCHEMA_VERSION,
    create_tables,
    header,
    is_empty,
    upgrade_tables,
)

_BUSY_SECONDS = 30.0
"""How long a statement waits for another process's short transaction."""
_PAGES_BYTES = 64 * 1024
"""What SQLite takes at a time beside a store: its index of the write-ahead log grows by 32 KiB."""


def open_writable(path: Path) -> sqlite3.Connection:
    """The store at `path`, made when it is missing. Raises `StoreError`."""
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(f"file:{quote(str(path))}?mode=rwc")
        try:
            if is_empty(db):
                if header(db)[0] not in (0, APPLICATION_ID):
                    raise errors.foreign(path)
                db.execute("PRAGMA journal_mode = WAL")
                create_tables(db)
            _check_header(db, path)
            _check_pages(db, path)
            db.execute("PRAGMA journal_mode = WAL")
            if header(db)[1] < SCHEMA_VERSION:
                upgrade_tables(db)
            # FULL: a committed line outlives a power cut too; it costs one flush per line, which takes seconds to make.
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            db.close()
            raise
        return db


def open_read_only(path: Path) -> sqlite3.Connection:
    """The store at `path` for reading while another process may write. Raises `StoreMissing`, `StoreError`."""
    if not path.is_file():
        raise errors.missing(path)
    with translated(path):
        address = f"file:{quote(str(path))}?mode=ro"
        if not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists():
            # SQLite would want to make its -shm file here; without a -wal file nobody writes, so none is needed.
            address += "&immutable=1"
        db = _connect(address)
        try:
            if is_empty(db):
                raise errors.missing(path)
            _check_header(db, path)
            db.execute("PRAGMA query_only = ON")
        except BaseException:
            db.close()
            raise
        return db


def open_frozen(path: Path) -> sqlite3.Connection:
    """The store of today's schema at `path`, which nobody writes any more, without locks and without files beside it.

    Raises `StoreMissing`, `StoreError`.
    """
    if not path.is_file():
        raise errors.missing(path)
    with translated(path):
        db = _connect(frozen_address(path))
        try:
            _check_header(db, path)
            if header(db)[1] != SCHEMA_VERSION:
                raise errors.older(path, header(db)[1], SCHEMA_VERSION)
            _check_pages(db, path)
        except BaseException:
            db.close()
            raise
        return db


def frozen_address(path: Path) -> str:
    """The address by which SQLite opens a file that nobody writes."""
    return f"file:{quote(str(path))}?mode=ro&immutable=1"


def _connect(address: str) -> sqlite3.Connection:
    # isolation_level None: transactions begin and end where the store says, not where the driver guesses.
    return sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)


def _check_header(db: sqlite3.Connection, path: Path) -> None:
    application, version = header(db)
    if application != APPLICATION_ID:
        raise errors.foreign(path)
    if version > SCHEMA_VERSION:
        raise errors.newer(path, version, SCHEMA_VERSION)
    if version < OLDEST_VERSION:
        raise errors.older(path, version, SCHEMA_VERSION)


def _check_pages(db: sqlite3.Connection, path: Path) -> None:
    verdict: str = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise errors.damaged(path, " ".join(verdict.split()))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raises SQLite's and the system's errors on the store at `path` as `StoreError`."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # a caller's mistake, not the file's
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise errors.damaged(path, str(error)) from error
        full = code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN) and _is_full(path.parent)
        raise errors.unusable(path, f"No space left on device ({error})" if full else str(error)) from error
    except OSError as error:
        raise errors.unusable(path, error.strerror or str(error)) from error


def _is_full(folder: Path) -> bool:
    """True when not even a page more fits on the disk: SQLite calls that an I/O error at some places."""
    try:
        return shutil.disk_usage(folder).free < _PAGES_BYTES
    except OSError:
        return False  # the folder itself is the trouble
