"""What a player would notice between two caches: texts as the game shows them, fallbacks resolved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline.cache.cache_file import opened, read_manifest, translated
from pipeline.cache.texts import CachedLine, Source
from pipeline.content.terms import TellState

if TYPE_CHECKING:
    import duckdb

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line that answers a tell state otherwise than before."""

    npc_id: str
    line_id: str
    zone_id: str
    """In the new cache, where the line is there."""
    tell_state: TellState
    change: Change
    old: CachedLine | None
    """None: the line is new."""
    new: CachedLine | None
    """None: the line is gone."""


@dataclass(frozen=True, slots=True)
class TellChange:
    """A tell behavior that is new, gone, or reads otherwise."""

    npc_id: str
    category: TellState
    ordinal: int
    change: Change
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class CacheDiff:
    """All that a player would notice. Both lists are sorted by NPC, line and tell state."""

    old_digest: str
    new_digest: str
    lines: tuple[LineChange, ...]
    tells: tuple[TellChange, ...]

    @property
    def same(self) -> bool:
        """True when no text that can be shown differs."""
        return not (self.lines or self.tells)


def diff_caches(old: Path, new: Path) -> CacheDiff:
    """Compares two caches. A text that now comes from elsewhere but reads the same is no change.

    Raises `CacheError` for a file that is missing, damaged, foreign or too new.
    """
    with opened({"old": old, "new": new}) as connection, translated(new):
        return CacheDiff(
            old_digest=read_manifest(connection, "old").get("content_digest", ""),
            new_digest=read_manifest(connection, "new").get("content_digest", ""),
            lines=tuple(_line_changes(connection)),
            tells=tuple(_tell_changes(connection)),
        )


# In the statements below every name is this code's own.


def _line_changes(connection: duckdb.DuckDBPyConnection) -> Iterator[LineChange]:
    states = ", ".join(f"('{state}', {place})" for place, state in enumerate(TellState))
    rows = connection.execute(
        f"WITH states(tell_state, place) AS (VALUES {states}), old AS ({_shown('old')}), new AS ({_shown('new')}) "  # noqa: S608
        "SELECT npc_id, line_id, coalesce(new.zone_id, old.zone_id), tell_state, "
        "old.text, old.source, new.text, new.source FROM old FULL JOIN new USING (npc_id, line_id, tell_state, place) "
        "WHERE old.text IS DISTINCT FROM new.text ORDER BY npc_id, line_id, place"
    ).fetchall()
    for npc, line, zone, state, old_text, old_source, new_text, new_source in rows:
        old, new = _line(old_text, old_source), _line(new_text, new_source)
        yield LineChange(npc, line, zone, TellState(state), _change(old, new), old, new)


def _shown(side: str) -> str:
    """Every line of a cache in every tell state, with the text that answers and where it comes from."""
    return (
        "SELECT base.npc_id, base.line_id, base.zone_id, states.tell_state, states.place, "  # noqa: S608
        "coalesce(own.text, neutral.text, base.base_text) AS text, "
        "CASE WHEN base.anchor THEN 'anchor' WHEN own.text IS NOT NULL AND states.tell_state <> 'Neutral' THEN 'tell' "
        "WHEN neutral.text IS NOT NULL THEN 'neutral' ELSE 'base' END AS source "
        f"FROM {side}.base_lines AS base CROSS JOIN states "
        f"LEFT JOIN {side}.voiced_lines AS own ON own.npc_id = base.npc_id AND own.line_id = base.line_id "
        "AND own.tell_state = states.tell_state "
        f"LEFT JOIN {side}.voiced_lines AS neutral ON neutral.npc_id = base.npc_id AND neutral.line_id = base.line_id "
        "AND neutral.tell_state = 'Neutral'"
    )


def _tell_changes(connection: duckdb.DuckDBPyConnection) -> Iterator[TellChange]:
    rows: Sequence[tuple[str, str, int, str | None, str | None]] = connection.execute(
        "SELECT npc_id, category, ordinal, old.text, new.text "
        "FROM old.tells AS old FULL JOIN new.tells AS new USING (npc_id, category, ordinal) "
        "WHERE old.text IS DISTINCT FROM new.text ORDER BY npc_id, category, ordinal"
    ).fetchall()
    for npc, category, ordinal, old, new in rows:
        yield TellChange(npc, TellState(category), ordinal, _change(old, new), old, new)


def _line(text: str | None, source: str | None) -> CachedLine | None:
    return None if text is None or source is None else CachedLine(text, Source(source))


def _change(old: object, new: object) -> Change:
    return "added" if old is None else "removed" if new is None else "changed"
