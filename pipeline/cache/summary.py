"""What a merge put into a cache: row counts, coverage by fallback tier and the content digest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from pipeline.cache.digest import content_digest
from pipeline.cache.schema import TABLES
from pipeline.content.terms import TellState


@dataclass(frozen=True, slots=True)
class Coverage:
    """How the variants of all lines that are no anchors are answered; the three add up to lines times tell states."""

    voiced: int
    """By their own text."""
    fallback_neutral: int
    """Tell variants without a text, answered by the line's Neutral text."""
    fallback_base: int
    """By the base text."""


@dataclass(frozen=True, slots=True)
class CacheSummary:
    """What a merge put into a cache."""

    path: Path
    zones: tuple[str, ...]
    missing: tuple[str, ...]
    """Zones that were asked for and have no file yet; they are not in the cache."""
    base_lines: int
    tells: int
    voiced_lines: int
    coverage: Coverage
    content_digest: str


def summarised(
    connection: duckdb.DuckDBPyConnection, target: Path, baked: Mapping[str, str], states: Mapping[str, str | None]
) -> CacheSummary:
    """Counts what stands in the tables of a cache that is being built; `states` are of all zones asked for."""
    counts = {
        table: _count(connection, f"SELECT count(*) FROM {table}")  # noqa: S608
        for table in TABLES
    }
    return CacheSummary(
        path=target,
        zones=tuple(baked),
        missing=tuple(zone for zone in states if zone not in baked),
        base_lines=counts["base_lines"],
        tells=counts["tells"],
        voiced_lines=counts["voiced_lines"],
        coverage=_coverage(connection),
        content_digest=content_digest(connection),
    )


def _coverage(connection: duckdb.DuckDBPyConnection) -> Coverage:
    lines = _count(connection, "SELECT count(*) FROM base_lines WHERE NOT anchor")
    voiced = _count(connection, "SELECT count(*) FROM voiced_lines")
    neutral = _count(connection, "SELECT count(*) FROM voiced_lines WHERE tell_state = 'Neutral'")
    tells_beside_neutral = _count(
        connection,
        "SELECT count(*) FROM voiced_lines AS tell SEMI JOIN "
        "(SELECT npc_id, line_id FROM voiced_lines WHERE tell_state = 'Neutral') AS neutral USING (npc_id, line_id) "
        "WHERE tell.tell_state <> 'Neutral'",
    )
    by_neutral = neutral * (len(TellState) - 1) - tells_beside_neutral
    return Coverage(voiced, by_neutral, lines * len(TellState) - voiced - by_neutral)


def _count(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(connection.execute(query).fetchall()[0][0])
