"""The texts of the last two bakes, kept beside the report so that it can say what changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.report.facts import Facts

FORMAT = 1

Texts = Mapping[str, Mapping[str, str | None]]
"""By zone: the text of each variant, keyed by NPC, line and tell state as a JSON array; None where it is empty."""


@dataclass(frozen=True, slots=True)
class Change:
    """A variant whose text is another one than before; None: no text, so that it falls back."""

    zone: str
    npc_id: str
    line_id: str
    tell_state: str
    before: str | None
    now: str | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since the bake before."""

    changed: tuple[Change, ...]
    added: Mapping[str, int]
    """By zone, variants of lines that were not there."""
    removed: Mapping[str, int]
    """By zone, variants of lines that are gone."""


def changes_since_last_bake(project: Project, facts: Facts) -> Changes | None:
    """Compares with the bake before, and remembers this one. None when there was none.

    A report that is written again without a bake in between compares with the same bake as before. What was remembered
    and cannot be read counts as nothing remembered.
    """
    current, previous = project.build / "report.json", project.build / "report.previous.json"
    states = {zone.id: zone.state for zone in facts.zones}
    remembered = _read(current)
    if remembered is None or remembered["states"] != states:
        if remembered is not None:
            with replacing(previous) as fresh:
                fresh.write_bytes(current.read_bytes())
        with replacing(current) as fresh:
            saved = {"format": FORMAT, "states": states, "texts": _texts(facts)}
            fresh.write_text(json.dumps(saved, ensure_ascii=False, sort_keys=True), encoding="utf-8")
    before = _read(previous)
    return None if before is None else _compare(before["texts"], _texts(facts))


def _texts(facts: Facts) -> dict[str, dict[str, str | None]]:
    return {
        zone.id: {json.dumps([one.npc_id, one.line_id, one.tell_state]): one.voiced for one in zone.records}
        for zone in facts.zones
    }


def _compare(before: Texts, now: Texts) -> Changes:
    changed: list[Change] = []
    added: dict[str, int] = {}
    removed: dict[str, int] = {}
    for zone in sorted({*before, *now}):
        old, new = before.get(zone, {}), now.get(zone, {})
        for key, text in new.items():
            if key in old and old[key] != text:
                npc_id, line_id, tell_state = json.loads(key)
                changed.append(Change(zone, npc_id, line_id, tell_state, old[key], text))
        if count := len(new.keys() - old.keys()):
            added[zone] = count
        if count := len(old.keys() - new.keys()):
            removed[zone] = count
    return Changes(tuple(changed), added, removed)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        readable = found["format"] == FORMAT and isinstance(found["states"], dict) and isinstance(found["texts"], dict)
    except (OSError, ValueError, TypeError, KeyError):
        return None  # generated, and only for comparison
    return found if readable else None
