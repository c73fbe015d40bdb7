"""The content digest: one value for all that a cache can show, whenever, wherever and in what order it was built."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from pipeline.cache.schema import ROW_ORDER, TABLES

if TYPE_CHECKING:
    import duckdb

_CHUNK = 10_000


def content_digest(connection: duckdb.DuckDBPyConnection) -> str:
    """sha256, in hexadecimal, over the content tables of an open cache.

    What is hashed: for each table, in the order of `TABLES`, a JSON array with its name, then each row as a JSON array
    of its columns, sorted by the bytes of the table's key (`ROW_ORDER`); UTF-8, no spaces, nothing escaped that JSON
    does not demand, every array followed by a line feed. The manifest is no part of it.
    """
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    digest = hashlib.sha256()
    for table, columns in TABLES.items():
        digest.update(f"{encode([table])}\n".encode())
        # All names are this code's own.
        rows = connection.execute(
            f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(ROW_ORDER[table])}"  # noqa: S608
        )
        while chunk := rows.fetchmany(_CHUNK):
            digest.update("".join(f"{encode(row)}\n" for row in chunk).encode())
    return digest.hexdigest()
