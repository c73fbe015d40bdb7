"""`VoiceCache`: what the game, `voicebake say` and the tools read."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pipeline.cache.errors import UnknownText, did_you_mean
from pipeline.cache.slots import fill
from pipeline.cache.texts import Answer, CachedLine, LineInfo, answers
from pipeline.content.terms import TELL_CATEGORIES, TellState

if TYPE_CHECKING:
    import duckdb

_NO_SLOTS: Mapping[str, str] = {}
_NO_TEXTS: Mapping[str, str] = {}

_BASE_LINE = "SELECT NULL, base_text, anchor FROM base_lines WHERE npc_id = $1 AND line_id = $2"
# One query, not two: a lookup in the file is mostly planning.
_LINE = f"{_BASE_LINE} UNION ALL SELECT tell_state, text, NULL FROM voiced_lines WHERE npc_id = $1 AND line_id = $2"  # noqa: S608


class VoiceCache:
    """A cache file, open for reading only. Any number of threads may share one object.

    It answers every line in every tell state: with the tell variant, else the Neutral variant, else the base text. With
    `ai_dialogue` off it answers with base texts alone. Tells and anchors come as authored. The object keeps reading the
    file that it opened when a newer one takes its place.

    Raises `CacheError` when the file is missing, damaged, foreign or too new.
    """

    def __init__(self, path: Path | str, *, ai_dialogue: bool = True) -> None:
        # DuckDB is loaded when a cache is opened, not when this module is imported.
        from pipeline.cache.cache_file import cursor_of, open_cache, read_manifest, translated

        self.path = Path(path)
        self.ai_dialogue = ai_dialogue
        self._translated = translated
        self._cursor_of = cursor_of
        self._connection = open_cache(self.path)
        with translated(self.path):
            self.manifest: Mapping[str, str] = read_manifest(self._connection)
        self._lock = threading.Lock()
        self._answers: dict[tuple[str, str], dict[str, Answer]] = {}
        self._loaded: dict[tuple[str, str], tuple[str, bool, Mapping[str, str]]] = {}
        self._tells: dict[str, dict[str, tuple[str, ...]]] = {}

    def close(self) -> None:
        """Closes the file. What was preloaded can still be read."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def line(
        self, npc_id: str, line_id: str, tell_state: str = "Neutral", *, slots: Mapping[str, str] | None = None
    ) -> CachedLine:
        """The text of a line in a tell state, its authored slots filled from `slots`.

        Raises `UnknownText` for an NPC, line or state that does not exist and `SlotError` when `slots` are not exactly
        the text's.
        """
        found = self._answer(npc_id, line_id, tell_state)
        if not (found.slots or slots):
            return found.line
        text = fill(found.line.text, slots or _NO_SLOTS, f"{npc_id} {line_id} ({tell_state})")
        return CachedLine(text, found.line.source)

    def template(self, npc_id: str, line_id: str, tell_state: str = "Neutral") -> CachedLine:
        """The text of a line in a tell state with its slots unfilled. Raises `UnknownText`."""
        return self._answer(npc_id, line_id, tell_state).line

    def tells(self, npc_id: str, category: str) -> tuple[str, ...]:
        """The NPC's tell behaviors of a category, as authored and in that order. Raises `UnknownText`."""
        if category not in TELL_CATEGORIES:
            raise _unknown("tell category", category, TELL_CATEGORIES)
        loaded = self._tells.get(npc_id)
        if loaded is not None:
            return loaded.get(category, ())
        rows = self._rows(
            "SELECT text FROM tells WHERE npc_id = ? AND category = ? ORDER BY ordinal", [npc_id, category]
        )
        if not rows:
            self._check_npc(npc_id)
        return tuple(text for (text,) in rows)

    def lines(self, npc_id: str) -> list[LineInfo]:
        """The NPC's lines, sorted by kind and id. Raises `UnknownText`."""
        rows = self._rows(
            "SELECT line_id, zone_id, kind, anchor, base_text FROM base_lines WHERE npc_id = ? ORDER BY kind, line_id",
            [npc_id],
        )
        if not rows:
            self._check_npc(npc_id)
        return [LineInfo(*row) for row in rows]

    def npcs(self, zone_id: str | None = None) -> list[str]:
        """The ids of all NPCs, or of one zone's, sorted."""
        rows = self._rows(
            "SELECT npc_id FROM base_lines WHERE zone_id = coalesce(?, zone_id) "
            "UNION SELECT npc_id FROM tells WHERE zone_id = coalesce(?, zone_id) ORDER BY npc_id",
            [zone_id, zone_id],
        )
        return [npc_id for (npc_id,) in rows]

    def preload(self, zone_id: str | None = None) -> int:
        """Takes one zone, or everything, into memory, where a lookup takes about a microsecond; gives the line count.

        Raises `UnknownText` for a zone that the cache does not hold.
        """
        where = "zone_id = coalesce(?, zone_id)"
        base = self._rows(f"SELECT npc_id, line_id, base_text, anchor FROM base_lines WHERE {where}", [zone_id])  # noqa: S608
        tells = self._rows(f"SELECT npc_id, category, text FROM tells WHERE {where} ORDER BY ordinal", [zone_id])  # noqa: S608
        if zone_id is not None and not (base or tells):
            zones = self._rows("SELECT DISTINCT zone_id FROM base_lines UNION SELECT DISTINCT zone_id FROM tells")
            raise _unknown("zone", zone_id, [zone for (zone,) in zones])
        voiced = self._voiced(where, [zone_id])
        loaded = {
            (npc_id, line_id): (text, anchor, voiced.get((npc_id, line_id), _NO_TEXTS))
            for npc_id, line_id, text, anchor in base
        }
        grouped: dict[str, dict[str, tuple[str, ...]]] = {npc_id: {} for npc_id, *_ in base}
        for npc_id, category, text in tells:
            categories = grouped.setdefault(npc_id, {})
            categories[category] = (*categories.get(category, ()), text)
        # New dictionaries take the place of the old ones at once, since other threads may be reading; under the lock,
        # since others may be preloading.
        with self._lock:
            self._loaded = self._loaded | loaded
            self._tells = self._tells | grouped
        return len(loaded)

    def _answer(self, npc_id: str, line_id: str, tell_state: str) -> Answer:
        found = self._answers.get((npc_id, line_id)) or self._line_answers((npc_id, line_id))
        try:
            return found[tell_state]
        except KeyError:
            raise _unknown("tell state", tell_state, TellState) from None

    def _line_answers(self, key: tuple[str, str]) -> dict[str, Answer]:
        """The answers of a line. Those of a preloaded line are worked out once, when it is first asked for."""
        if key not in self._loaded:
            return self._read_answers(*key)
        text, anchor, voiced = self._loaded[key]
        found = self._answers[key] = answers(text, anchor=anchor, voiced=voiced)
        return found

    def _read_answers(self, npc_id: str, line_id: str) -> dict[str, Answer]:
        rows = self._rows(_LINE if self.ai_dialogue else _BASE_LINE, [npc_id, line_id])
        if not rows:
            raise _unknown(f"line of {npc_id}", line_id, [line.line_id for line in self.lines(npc_id)])
        (base, anchor), *_ = [(text, anchor) for state, text, anchor in rows if state is None]
        return answers(base, anchor=anchor, voiced={state: text for state, text, _ in rows if state is not None})

    def _voiced(self, where: str, values: Sequence[str | None]) -> dict[tuple[str, str], dict[str, str]]:
        """The voiced texts of the lines that the condition `where` picks: by NPC and line id, then by tell state."""
        if not self.ai_dialogue:
            return {}
        found: dict[tuple[str, str], dict[str, str]] = {}
        query = f"SELECT npc_id, line_id, tell_state, text FROM voiced_lines WHERE {where}"  # noqa: S608
        for npc_id, line_id, tell_state, text in self._rows(query, values):
            found.setdefault((npc_id, line_id), {})[tell_state] = text
        return found

    def _check_npc(self, npc_id: str) -> None:
        known = self.npcs()
        if npc_id not in known:
            raise _unknown("NPC", npc_id, known)

    def _rows(self, query: str, values: Sequence[str | None] = ()) -> list[Any]:
        with self._translated(self.path), self._cursor() as cursor:
            return cursor.execute(query, list(values)).fetchall()

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        # One connection must not run two queries at once; a cursor of it may run beside others.
        with self._lock:
            cursor = self._cursor_of(self._connection)
        with cursor:
            yield cursor


def _unknown(what: str, name: str, known: Sequence[str] | type[TellState]) -> UnknownText:
    hint = did_you_mean(name, [str(one) for one in known])
    if hint is None and len(known) <= len(TellState):
        hint = f"There are: {', '.join(known)}."
    return UnknownText(f"There is no {what} {name!r} in this cache.", hint)
