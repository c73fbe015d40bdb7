"""The bake store of a zone: candidates, choices and timings, committed as they come."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from pipeline.generation.engine import Candidate
from pipeline.store.connection import open_frozen, open_read_only, open_writable, translated
from pipeline.store.records import (
    WHOLE_LINE,
    BatchKey,
    BatchRecord,
    ChoiceRecord,
    JudgedLine,
    RunRecord,
    StoreCost,
    batch_values,
    choice_of,
    choice_values,
    columns,
)
from pipeline.store.schema import header

STORE_NAME = "bake.sqlite"

_BATCH_COLUMNS = columns(BatchRecord)
_CHOICE_COLUMNS = columns(ChoiceRecord)

# Column names are this code's own field names; every value is a parameter.
_ADD_BATCH = (
    f"INSERT OR IGNORE INTO batches ({', '.join(_BATCH_COLUMNS)}) "  # noqa: S608
    f"VALUES ({', '.join(f':{name}' for name in _BATCH_COLUMNS)})"
)
_ADD_CANDIDATE = (
    "INSERT INTO candidates "
    "(fingerprint, round, variant, position, tell_state, candidate_index, text, finished, tokens, way_back) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD_CHOICE = (
    f"INSERT INTO choices (position, {', '.join(_CHOICE_COLUMNS)}) "  # noqa: S608
    f"VALUES (:position, {', '.join(f':{name}' for name in _CHOICE_COLUMNS)})"
)
_LATER = {"verdict": "NULL", "reviewer": "NULL", "trouble": "NULL", "waits_for_bake": "0"}
"""Columns of choices that schema versions before 4 lack, and what stands for them."""


class BakeStore:
    """One zone's `bake.sqlite`. Every writing method is one transaction: after a kill it has happened or it has not.

    One process writes (see `zone_lock`), any number read meanwhile through `read_only`. An object belongs to the thread
    that opened it. All methods raise `StoreError` for a file that is damaged, foreign, too new or refused by the
    system.
    """

    def __init__(self, path: Path) -> None:
        """Opens the store at `path` for writing and makes it when it is missing. A damaged file is left as it is."""
        self.path = path
        self._db = open_writable(path)

    @classmethod
    def read_only(cls, path: Path) -> Self:
        """Opens the store at `path` for reading, also while a bake writes. Raises `StoreMissing` when there is none."""
        store = cls.__new__(cls)
        store.path = path
        store._db = open_read_only(path)
        return store

    @classmethod
    def frozen(cls, path: Path) -> Self:
        """Opens a snapshot (see `transfer`) for reading. Raises `StoreMissing` when there is none."""
        store = cls.__new__(cls)
        store.path = path
        store._db = open_frozen(path)
        return store

    def close(self) -> None:
        """Closes the file. Nothing is pending: everything was committed."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Candidates

    def batch(self, fingerprint: str, round: int, variant: str = WHOLE_LINE) -> list[Candidate] | None:
        """The candidates of a batch, in the order in which they were added; None when it was never generated."""
        key = (fingerprint, round, variant)
        with self._reading() as db:
            known = "SELECT 1 FROM batches WHERE fingerprint = ? AND round = ? AND variant = ?"
            if db.execute(known, key).fetchone() is None:
                return None
            rows = db.execute(
                "SELECT tell_state, candidate_index, text, finished, tokens, way_back FROM candidates "
                "WHERE fingerprint = ? AND round = ? AND variant = ? ORDER BY position",
                key,
            ).fetchall()
        return [
            Candidate(state, index, text, bool(finished), tokens, way_back)
            for state, index, text, finished, tokens, way_back in rows
        ]

    def batches_of(self, npc_id: str, line_id: str) -> list[tuple[BatchRecord, list[Candidate]]]:
        """All batches that were generated for a line, oldest first, each with its candidates."""
        with self._reading() as db:
            rows = db.execute(
                f"SELECT {', '.join(_BATCH_COLUMNS)} FROM batches WHERE npc_id = ? AND line_id = ? "  # noqa: S608
                "ORDER BY generated_at, fingerprint, round, variant",
                (npc_id, line_id),
            ).fetchall()
        records = [BatchRecord(**dict(zip(_BATCH_COLUMNS, row, strict=True))) for row in rows]
        return [(one, self.batch(one.fingerprint, one.round, one.variant) or []) for one in records]

    def add_batch(self, batch: BatchRecord, candidates: Sequence[Candidate]) -> bool:
        """Keeps a generated batch. False when it is there already: the earlier candidates stay."""
        with self._writing() as db:
            if not db.execute(_ADD_BATCH, batch_values(batch)).rowcount:
                return False
            db.executemany(
                _ADD_CANDIDATE,
                [
                    (
                        *(batch.fingerprint, batch.round, batch.variant),
                        *(position, c.variant, c.index, c.text, int(c.finished), c.tokens, c.way_back),
                    )
                    for position, c in enumerate(candidates)
                ],
            )
        return True

    def add_ways_back(self, batch: BatchKey, found: Mapping[str, float], prompt_tokens: int, seconds: float) -> None:
        """Keeps the way back of texts, by text, at every candidate of the line that has the text and no value yet.

        What measuring took is added to `batch`, for which it was done.
        """
        with self._writing() as db:
            db.executemany(
                "UPDATE candidates SET way_back = ? WHERE fingerprint = ? AND text = ? AND way_back IS NULL",
                [(value, batch[0], text) for text, value in found.items()],
            )
            db.execute(
                "UPDATE batches SET prompt_tokens = prompt_tokens + ?, seconds = seconds + ? "
                "WHERE fingerprint = ? AND round = ? AND variant = ?",
                (prompt_tokens, seconds, *batch),
            )

    def known(self, fingerprints: Collection[str]) -> set[str]:
        """Those of `fingerprints` of which a round is stored."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT DISTINCT fingerprint FROM batches WHERE fingerprint IN (SELECT value FROM json_each(?))",
                (json.dumps(sorted(fingerprints)),),
            )
            return {fingerprint for (fingerprint,) in rows.fetchall()}

    def cost(self, fingerprints: Collection[str] | None = None) -> StoreCost:
        """What the stored batches took to generate; with `fingerprints` only those."""
        with self._reading() as db:
            return StoreCost(
                *db.execute(
                    "SELECT count(*), coalesce(sum(prompt_tokens), 0), coalesce(sum(output_tokens), 0), "
                    "coalesce(sum(seconds), 0.0) FROM batches "
                    "WHERE :among IS NULL OR fingerprint IN (SELECT value FROM json_each(:among))",
                    {"among": None if fingerprints is None else json.dumps(sorted(fingerprints))},
                ).fetchone()
            )

    def prune(self, keep: Collection[str]) -> int:
        """Removes batches whose fingerprint is neither in `keep` nor chosen from; gives their number.

        Never called by a bake: old candidates make reverting an edit free.
        """
        with self._writing() as db:
            return db.execute(
                "DELETE FROM batches WHERE fingerprint NOT IN (SELECT value FROM json_each(?)) "
                "AND fingerprint NOT IN (SELECT fingerprint FROM choices)",
                (json.dumps(sorted(keep)),),
            ).rowcount

    # Choices

    def state(self) -> str | None:
        """The zone state digest that the choices were made for; None before the first complete bake."""
        return self._meta("zone_state")

    def shared_version(self) -> str | None:
        """The version of the zone in the shared folder that was taken from there, or put there, last."""
        return self._meta("shared_version")

    def note_shared_version(self, name: str) -> None:
        """Keeps the name of the version that was taken or put."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('shared_version', ?)", (name,))

    def _meta(self, key: str) -> str | None:
        with self._reading() as db:
            row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def replace_choices(self, zone_state: str, rows: Iterable[ChoiceRecord]) -> None:
        """Puts `rows` and the zone state digest in the place of the earlier ones."""
        with self._writing() as db:
            db.execute("DELETE FROM choices")
            db.executemany(
                _ADD_CHOICE, ({**choice_values(row), "position": position} for position, row in enumerate(rows))
            )
            db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('zone_state', ?)", (zone_state,))

    def choices(self, line: tuple[str, str] | None = None) -> list[ChoiceRecord]:
        """The choices in the order in which they were given; with `line` (NPC and line id) only those of that line."""
        with self._reading() as db:
            lacking = _LATER if header(db)[1] < 4 else {}  # a store that is only read is not brought up to date
            names = ", ".join(lacking.get(name, name) for name in _CHOICE_COLUMNS)
            rows = db.execute(
                f"SELECT {names} FROM choices WHERE ?1 IS NULL OR (npc_id = ?1 AND line_id = ?2) "  # noqa: S608
                "ORDER BY position",
                line or (None, None),
            ).fetchall()
        return [choice_of(row) for row in rows]

    # Judged lines

    def judged_lines(self) -> list[JudgedLine]:
        """What is kept of judged lines; nothing in a store of an earlier schema that is only read."""
        with self._reading() as db:
            if header(db)[1] < 3:
                return []
            rows = db.execute("SELECT npc_id, line_id, digest, result FROM judged_lines").fetchall()
        return [JudgedLine(*row) for row in rows]

    def keep_judged_lines(self, lines: Iterable[JudgedLine], gone: Iterable[tuple[str, str]]) -> None:
        """Puts `lines` in the place of what was kept of them, and forgets `gone` (NPC and line ids)."""
        with self._writing() as db:
            db.executemany("DELETE FROM judged_lines WHERE npc_id = ? AND line_id = ?", gone)
            db.executemany(
                "INSERT OR REPLACE INTO judged_lines (npc_id, line_id, digest, result) VALUES (?, ?, ?, ?)",
                [(one.npc_id, one.line_id, one.digest, one.result) for one in lines],
            )

    # Runs

    def add_run(self, started_at: str, finished_at: str, summary: Mapping[str, Any]) -> None:
        """Keeps the summary of a run; times are ISO 8601, UTC."""
        with self._writing() as db:
            db.execute(
                "INSERT INTO runs (started_at, finished_at, summary) VALUES (?, ?, ?)",
                (started_at, finished_at, json.dumps(dict(summary), ensure_ascii=False, sort_keys=True)),
            )

    def runs(self) -> list[RunRecord]:
        """All runs, oldest first."""
        with self._reading() as db:
            rows = db.execute("SELECT number, started_at, finished_at, summary FROM runs ORDER BY number").fetchall()
        return [
            RunRecord(number, started, finished, json.loads(summary)) for number, started, finished, summary in rows
        ]

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with translated(self.path):
            self._db.execute("BEGIN")
            try:
                yield self._db
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with translated(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
