"""Copies of a cache for other tools: Parquet, and JSON Lines for reading and comparing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from pipeline.cache.cache_file import open_cache, translated
from pipeline.cache.schema import ROW_ORDER, TABLES
from pipeline.replacing import replacing

_CHUNK = 10_000
_COLUMNS = {**{table: tuple(columns) for table, columns in TABLES.items()}, "manifest": ("key", "value")}
_ORDER = {**ROW_ORDER, "manifest": ("key",)}


def export_parquet(cache: Path, folder: Path) -> list[Path]:
    """Writes each table of `cache` to `<table>.parquet` in `folder`, sorted by its key; gives the paths.

    Raises `CacheError` for a cache that cannot be read, `UserError` when a file cannot be written.
    """
    written = []
    with _reading(cache) as connection:
        for table in _COLUMNS:
            path = folder / f"{table}.parquet"
            with replacing(path) as fresh, translated(cache):
                connection.execute(_query(table)).pl().write_parquet(fresh)
            written.append(path)
    return written


def export_jsonl(cache: Path, folder: Path) -> list[Path]:
    """Writes each table of `cache` to `<table>.jsonl` in `folder`: a JSON object per row, sorted by the table's key.

    Raises `CacheError` for a cache that cannot be read, `UserError` when a file cannot be written.
    """
    written = []
    with _reading(cache) as connection:
        for table, columns in _COLUMNS.items():
            path = folder / f"{table}.jsonl"
            with replacing(path) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as file:
                for row in _rows(connection, cache, table):
                    file.write(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n")
            written.append(path)
    return written


@contextmanager
def _reading(cache: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_cache(cache) as connection:
        yield connection


def _rows(connection: duckdb.DuckDBPyConnection, cache: Path, table: str) -> Iterator[tuple[object, ...]]:
    with translated(cache):
        result = connection.execute(_query(table))
    while True:
        with translated(cache):
            chunk = result.fetchmany(_CHUNK)
        if not chunk:
            return
        yield from chunk


def _query(table: str) -> str:
    return f"SELECT {', '.join(_COLUMNS[table])} FROM {table} ORDER BY {', '.join(_ORDER[table])}"  # noqa: S608
