"""Opening a finished cache for reading, and turning DuckDB's errors into ones that tell what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from pipeline.cache.errors import CacheError
from pipeline.cache.schema import SCHEMA_VERSION, TABLES

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    # A cache is data from elsewhere: reading it must neither reach other files nor fetch extensions.
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
}


def open_cache(path: Path) -> duckdb.DuckDBPyConnection:
    """The cache at `path`, read-only. Raises `CacheError` for a missing, damaged, foreign or too new file."""
    if not path.is_file():
        raise CacheError(
            f"{path}: there is no voice cache.", "`voicebake bake` makes the draft, `voicebake ship` the release."
        )
    with translated(path):
        connection = duckdb.connect(str(path), read_only=True, config=_CONFIG)
    try:
        _check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def read_manifest(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """All entries of the manifest, sorted by key."""
    return dict(connection.execute("SELECT key, value FROM manifest ORDER BY key").fetchall())


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raises DuckDB's errors on the cache at `path` as `CacheError`."""
    try:
        yield
    except duckdb.Error as error:
        raise _damaged(path, str(error).splitlines()[0]) from error


def _check(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    with translated(path):
        tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        if "manifest" not in tables:
            raise _foreign(path)
        version = read_manifest(connection).get("schema_version", "")
    if not version.isdecimal():
        raise _foreign(path)
    if int(version) > SCHEMA_VERSION:
        raise CacheError(
            f"{path}: the cache has schema version {version}; this reader knows versions up to {SCHEMA_VERSION}.",
            "Use a newer voicebake to read it, or build the cache again with this one.",
        )
    lacking = sorted(TABLES.keys() - tables)
    if lacking:
        raise _damaged(path, f"it lacks the table {lacking[0]}")


def _foreign(path: Path) -> CacheError:
    return CacheError(
        f"{path}: this DuckDB file is not a voice cache.", "Give the path of a cache that voicebake built."
    )


def _damaged(path: Path, reason: str) -> CacheError:
    return CacheError(
        f"{path}: this voice cache cannot be read: {reason}",
        "Build it again: `voicebake bake` makes the draft, `voicebake ship` the release. Nothing is generated anew.",
    )
