"""The tables of a voice cache, the same in the draft and in the release file. docs/cache-format.md explains them."""

from __future__ import annotations

SCHEMA_VERSION = 1
"""Goes up when a reader of the earlier version would read something wrong."""

TABLES = {
    "base_lines": {
        "npc_id": "VARCHAR NOT NULL",
        "line_id": "VARCHAR NOT NULL",
        "zone_id": "VARCHAR NOT NULL",
        "kind": "VARCHAR NOT NULL",
        "base_text": "VARCHAR NOT NULL",
        "anchor": "BOOLEAN NOT NULL",
    },
    "tells": {
        "npc_id": "VARCHAR NOT NULL",
        "zone_id": "VARCHAR NOT NULL",
        "category": "VARCHAR NOT NULL",
        "ordinal": "INTEGER NOT NULL",
        "text": "VARCHAR NOT NULL",
    },
    "voiced_lines": {
        "npc_id": "VARCHAR NOT NULL",
        "line_id": "VARCHAR NOT NULL",
        "tell_state": "VARCHAR NOT NULL",
        "culture_id": "VARCHAR NOT NULL",
        "zone_id": "VARCHAR NOT NULL",
        "kind": "VARCHAR NOT NULL",
        "text": "VARCHAR NOT NULL",
    },
}
"""The content tables, in the order in which the content digest reads them."""

ROW_ORDER = {
    "base_lines": ("npc_id", "line_id"),
    "tells": ("npc_id", "category", "ordinal"),
    "voiced_lines": ("npc_id", "line_id", "tell_state"),
}
"""The key of each table: unique, and the order in which rows lie, so that a lookup skips almost all of the file."""

FROM_ZONES = {
    "base_lines": ("base", {"base_text": "text"}),
    "tells": ("tell", {"category": "tell_state"}),
    "voiced_lines": ("voiced", {}),
}
"""For each table: which records of the zones' files it takes, and the columns that are called otherwise there."""
