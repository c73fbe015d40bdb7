"""Token counts, kept by model and text so that a bake with nothing to do loads no model."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from pipeline.errors import UserError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS token_counts (
    model TEXT NOT NULL, text TEXT NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (model, text)
) WITHOUT ROWID
"""


class TokenCounts:
    """A SQLite file, one row per model (sha256 of the GGUF) and text (sha256 of its UTF-8): how many tokens it has."""

    def __init__(self, memory: Path, model_sha256: str) -> None:
        self._memory = memory
        self._model = model_sha256

    def count(self, texts: Sequence[str], measure: Callable[[list[str]], list[int]]) -> list[int]:
        """Tokens of each text. `measure` counts those that are not known yet; it is not called when all are.

        A damaged memory is made anew. Raises `UserError` when the system refuses the file (disk full, rights).
        """
        try:
            return self._counted(texts, measure)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                self._memory.unlink()
                return self._counted(texts, measure)
            raise UserError(
                f"{self._memory}: the memory of token counts cannot be used: {error}.",
                "Look at free space and at the folder's rights, then run again.",
            ) from error

    def _counted(self, texts: Sequence[str], measure: Callable[[list[str]], list[int]]) -> list[int]:
        digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        self._memory.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._memory, timeout=30)
        try:
            connection.execute(_SCHEMA)
            known = self._known(connection, digests)
            missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
            if missing:
                known |= zip(missing, measure(list(missing.values())), strict=True)
                rows = [(self._model, digest, known[digest]) for digest in missing]
                with connection:
                    connection.executemany("INSERT OR REPLACE INTO token_counts VALUES (?, ?, ?)", rows)
        finally:
            connection.close()
        return [known[digest] for digest in digests]

    def _known(self, connection: sqlite3.Connection, digests: Sequence[str]) -> dict[str, int]:
        query = "SELECT tokens FROM token_counts WHERE model = ? AND text = ?"
        found = {
            digest: connection.execute(query, (self._model, digest)).fetchone() for digest in dict.fromkeys(digests)
        }
        return {digest: int(row[0]) for digest, row in found.items() if row}
