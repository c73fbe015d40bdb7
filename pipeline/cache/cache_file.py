"""Opening a finished cache for reading, and turning DuckDB's errors into ones that tell what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb

from pipeline.cache.errors import CacheError
from pipeline.cache.schema import SCHEMA_VERSION, TABLES

_NAME = "voice"
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    # Lookups are far too small to share out; starting threads would be the largest part of opening.
    "threads": 1,
}


def open_cache(path: Path) -> duckdb.DuckDBPyConnection:
    """The cache at `path`, read-only. Raises `CacheError` for a missing, damaged, foreign or too new file."""
    connection = _attached({_NAME: path})
    connection.execute(f"USE {_NAME}")
    return connection


@contextmanager
def opened(caches: Mapping[str, Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Several caches side by side in one connection, read-only, each under its name. Raises as `open_cache`."""
    with _attached(caches) as connection:
        yield connection


def _attached(caches: Mapping[str, Path]) -> duckdb.DuckDBPyConnection:
    for path in caches.values():
        if not path.is_file():
            raise CacheError(
                f"{path}: there is no voice cache.", "`voicebake bake` makes the draft, `voicebake ship` the release."
            )
    # Attached to a database of its own: DuckDB would otherwise hand out a connection that this process already has to a
    # file of that name, though a newer file has taken its place.
    connection = duckdb.connect(":memory:", config=_CONFIG)
    try:
        for name, path in caches.items():
            with translated(path):
                connection.execute(f"ATTACH {_quoted(path)} AS {name} (READ_ONLY)")
        # A cache is data from elsewhere: nothing in it may make DuckDB read another file.
        connection.execute("SET enable_external_access = false")
        connection.execute("SET enable_progress_bar = false")
        for name, path in caches.items():
            _check(connection, name, path)
    except BaseException:
        connection.close()
        raise
    return connection


def cursor_of(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A cursor on an open cache, which may run beside others in its own thread."""
    return connection.cursor().execute(f"USE {_NAME}; SET enable_progress_bar = false")


def read_manifest(connection: duckdb.DuckDBPyConnection, name: str = _NAME) -> dict[str, str]:
    """All entries of a cache's manifest, sorted by key."""
    return dict(connection.execute(f"SELECT key, value FROM {name}.manifest ORDER BY key").fetchall())  # noqa: S608


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raises DuckDB's errors on the cache at `path` as `CacheError`."""
    try:
        yield
    except duckdb.Error as error:
        raise _damaged(path, str(error).splitlines()[0]) from error


def _check(connection: duckdb.DuckDBPyConnection, name: str, path: Path) -> None:
    with translated(path):
        found = connection.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = ?", [name])
        tables = {table for (table,) in found.fetchall()}
        if "manifest" not in tables:
            raise _foreign(path)
        version = read_manifest(connection, name).get("schema_version", "")
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


def _quoted(path: Path) -> str:
    """`path` as an SQL string: ATTACH takes no parameters."""
    return "'" + str(path).replace("'", "''") + "'"


def _foreign(path: Path) -> CacheError:
    return CacheError(
        f"{path}: this DuckDB file is not a voice cache.", "Give the path of a cache that voicebake built."
    )


def _damaged(path: Path, reason: str) -> CacheError:
    return CacheError(
        f"{path}: this voice cache cannot be read: {reason}",
        "Build it again: `voicebake bake` makes the draft, `voicebake ship` the release. Nothing is generated anew.",
    )
