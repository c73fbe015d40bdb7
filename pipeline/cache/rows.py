"""What a finished zone hands to the caches: its base texts, its tells and the variants that were voiced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.content.models import ZoneContent
from pipeline.content.terms import Kind, TellState
from pipeline.prompting.jobs import VariantKey


@dataclass(frozen=True, slots=True)
class VoicedRow:
    """One variant that has a text."""

    key: VariantKey
    kind: Kind
    text: str
    source: str = "generated"
    """How it came to be chosen: `generated`, `approved` or `edited`."""
    reviewer: str | None = None
    """Who approved or wrote it."""


@dataclass(frozen=True, slots=True)
class BaseRow:
    """One authored line; an anchor's text is shown in every tell state."""

    npc_id: str
    line_id: str
    culture_id: str
    kind: Kind
    text: str
    anchor: bool


@dataclass(frozen=True, slots=True)
class TellRow:
    """One authored tell behavior; `ordinal` counts from 0 within its category."""

    npc_id: str
    category: TellState
    ordinal: int
    text: str


@dataclass(frozen=True, slots=True)
class ZoneRows:
    """All texts of a zone that the game can show."""

    base: tuple[BaseRow, ...]
    tells: tuple[TellRow, ...]
    voiced: tuple[VoicedRow, ...]


def zone_rows(content: ZoneContent, voiced: Iterable[VoicedRow]) -> ZoneRows:
    """The rows of a zone: base texts, anchors and tells straight from the content, byte for byte, beside `voiced`."""
    base = tuple(
        BaseRow(ref.npc.id, ref.line_id, ref.culture.id, ref.kind, ref.line.base_text, ref.line.anchor_line)
        for ref in content.lines
    )
    return ZoneRows(base, tuple(_tells(content)), tuple(voiced))


def _tells(content: ZoneContent) -> Iterable[TellRow]:
    for npc in content.npcs:
        counts: dict[TellState, int] = {}
        for tell in npc.tell_behaviors:
            ordinal = counts.get(tell.category, 0)
            counts[tell.category] = ordinal + 1
            yield TellRow(npc.id, tell.category, ordinal, tell.base_text)
