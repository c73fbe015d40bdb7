"""The tables of a bake store and how a file is recognised as one."""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x766F6963
"""`voic`: SQLite keeps it in the file's header, so that foreign files are told apart."""

SCHEMA_VERSION = 4
OLDEST_VERSION = 2
"""The oldest one that can be brought up to date, and be read as it is."""

_TABLES = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
    fingerprint TEXT NOT NULL,
    round INTEGER NOT NULL CHECK (round >= 0),
    variant TEXT NOT NULL,
    npc_id TEXT NOT NULL,
    line_id TEXT NOT NULL,
    culture_id TEXT NOT NULL,
    base_text TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    generated_at TEXT NOT NULL,
    PRIMARY KEY (fingerprint, round, variant)
) STRICT, WITHOUT ROWID;

CREATE TABLE candidates (
    fingerprint TEXT NOT NULL,
    round INTEGER NOT NULL,
    variant TEXT NOT NULL,
    position INTEGER NOT NULL,
    tell_state TEXT NOT NULL,
    candidate_index INTEGER NOT NULL CHECK (candidate_index >= 0),
    text TEXT NOT NULL,
    finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
    tokens INTEGER NOT NULL,
    way_back REAL,
    PRIMARY KEY (fingerprint, round, variant, position),
    UNIQUE (fingerprint, round, variant, tell_state, candidate_index),
    FOREIGN KEY (fingerprint, round, variant) REFERENCES batches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE choices (
    position INTEGER PRIMARY KEY,
    npc_id TEXT NOT NULL,
    line_id TEXT NOT NULL,
    tell_state TEXT NOT NULL,
    culture_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    round INTEGER,
    candidate_index INTEGER,
    masked TEXT,
    voiced TEXT,
    score REAL,
    source TEXT NOT NULL,
    findings TEXT NOT NULL CHECK (json_valid(findings)),
    base_hash TEXT NOT NULL,
    voiced_hash TEXT,
    verdict TEXT,
    reviewer TEXT,
    trouble TEXT,
    waits_for_bake INTEGER NOT NULL DEFAULT 0 CHECK (waits_for_bake IN (0, 1)),
    UNIQUE (npc_id, line_id, tell_state, culture_id)
) STRICT;

CREATE TABLE judged_lines (
    npc_id TEXT NOT NULL,
    line_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (npc_id, line_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    started_at TEXT NOT NULL,
    finished_at TEXT NOT NULL,
    summary TEXT NOT NULL CHECK (json_valid(summary))
) STRICT;
"""


def create_tables(db: sqlite3.Connection) -> None:
    """Makes an empty database a bake store, in one transaction: a kill leaves it empty or complete."""
    statements = [statement for statement in _TABLES.split(";\n") if statement.strip()]
    db.execute("BEGIN IMMEDIATE")
    try:
        if not is_empty(db):  # another process was faster
            db.execute("ROLLBACK")
            return
        for statement in statements:
            db.execute(statement)
        # PRAGMA takes no parameters; both values are this module's own integers.
        db.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION:d}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


_UPGRADES = {
    # Ways back were measured side by side, which gives other values than today's; the next bake measures anew.
    2: (
        next(one for one in _TABLES.split(";\n") if "TABLE judged_lines " in one),
        "UPDATE candidates SET way_back = NULL",
    ),
    3: (
        "ALTER TABLE choices ADD COLUMN verdict TEXT",
        "ALTER TABLE choices ADD COLUMN reviewer TEXT",
        "ALTER TABLE choices ADD COLUMN trouble TEXT",
        "ALTER TABLE choices ADD COLUMN waits_for_bake INTEGER NOT NULL DEFAULT 0 CHECK (waits_for_bake IN (0, 1))",
    ),
}
"""What makes the next version of each that can be brought up to date."""


def upgrade_tables(db: sqlite3.Connection) -> None:
    """Makes a store of `OLDEST_VERSION` or later one of today, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        # The version is read inside the transaction: another process may have been faster.
        while (version := header(db)[1]) in _UPGRADES:
            for statement in _UPGRADES[version]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {version + 1:d}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def is_empty(db: sqlite3.Connection) -> bool:
    """True for a database without tables: a new file, or one whose creation was cut off."""
    return db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def header(db: sqlite3.Connection) -> tuple[int, int]:
    """The application id and schema version in the file's header."""
    application: int = db.execute("PRAGMA application_id").fetchone()[0]
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return application, version
