"""`voicebake diff`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption

if TYPE_CHECKING:
    from pipeline.cache import CacheDiff, CachedLine, LineChange

_SOURCES = {"tell": "its own text", "neutral": "the Neutral text", "base": "base text", "anchor": "anchor"}


def diff(
    old: Annotated[Path, typer.Argument(help="A cache file.")],
    new: Annotated[Path, typer.Argument(help="Another, such as build/voice_cache.duckdb.")],
    json: JsonOption = False,
) -> None:
    """Show what a player would notice between two caches: every text that is shown otherwise, fallbacks resolved."""
    from pipeline.cache import diff_caches

    found = diff_caches(old, new)
    if json:
        print_json(as_json(found))
        return
    for npc, changes in groupby(found.lines, key=lambda change: (change.npc_id, change.line_id)):
        out.print(f"{npc[0]} {npc[1]}")
        for same in _alike(changes):
            out.print(f"  {', '.join(change.tell_state for change in same)}")
            _print_text("-", same[0].old)
            _print_text("+", same[0].new)
    for tell in found.tells:
        out.print(f"{tell.npc_id} tell {tell.category} {tell.ordinal}")
        for mark, text in (("-", tell.old), ("+", tell.new)):
            if text is not None:
                out.print(f"    {mark} {text}")
    out.print(_summary(found))


def as_json(found: CacheDiff) -> dict[str, Any]:
    """The differences for scripts."""
    return {
        "same": found.same,
        "old_digest": found.old_digest,
        "new_digest": found.new_digest,
        "lines": [
            {
                "npc": one.npc_id,
                "line": one.line_id,
                "zone": one.zone_id,
                "tell": one.tell_state,
                "change": one.change,
                "old": one.old._asdict() if one.old else None,
                "new": one.new._asdict() if one.new else None,
            }
            for one in found.lines
        ],
        "tells": [
            {
                "npc": one.npc_id,
                "category": one.category,
                "ordinal": one.ordinal,
                "change": one.change,
                "old": one.old,
                "new": one.new,
            }
            for one in found.tells
        ],
    }


def _alike(changes: Iterable[LineChange]) -> list[list[LineChange]]:
    """The changes of a line, those of tell states that read the same before and after side by side."""
    groups: dict[tuple[CachedLine | None, CachedLine | None], list[LineChange]] = {}
    for change in changes:
        groups.setdefault((change.old, change.new), []).append(change)
    return list(groups.values())


def _print_text(mark: str, line: CachedLine | None) -> None:
    if line is not None:
        out.print(f"    {mark} {line.text}  ({_SOURCES[line.source]})")


def _summary(found: CacheDiff) -> str:
    if found.same:
        return "A player would notice nothing."
    lines = {(one.npc_id, one.line_id) for one in found.lines}
    npcs = {one.npc_id for one in found.lines} | {one.npc_id for one in found.tells}
    counts = {kind: sum(one.change == kind for one in found.lines) for kind in ("changed", "added", "removed")}
    shown = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "none"
    return (
        f"A player would notice {len(lines)} lines of {len(npcs)} people: {shown} (counting tell states), "
        f"and {len(found.tells)} tell behaviors."
    )
