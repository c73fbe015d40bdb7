"""Lines to show: the same ones for the same bake, spread over a zone's people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pipeline.content.terms import Severity, TellState
from pipeline.report.facts import ZoneFacts, base_texts, by_line
from pipeline.store import ChoiceRecord

_Item = TypeVar("_Item")

LINES = 4
"""Per zone."""


@dataclass(frozen=True, slots=True)
class SampleText:
    """One variant as the game would answer."""

    tell_state: TellState
    text: str
    answer: str
    """`voiced`, `Neutral` or `base`: whose text it is."""
    remarks: tuple[str, ...]
    """Rules that ask a person to look, with their messages."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A line with all its variants."""

    npc: str
    line_id: str
    base: str
    texts: tuple[SampleText, ...]


def samples(zone: ZoneFacts, count: int = LINES) -> list[Sample]:
    """`count` lines at even steps through the zone's bake, which goes from one person to the next."""
    authored, names = base_texts(zone.zone), {npc.id: npc.name for npc in zone.zone.npcs}
    lines = [(key, variants) for key, variants in by_line(zone.records).items() if key in authored]
    return [
        Sample(names[npc_id], line_id, authored[npc_id, line_id], _texts(variants, authored[npc_id, line_id]))
        for (npc_id, line_id), variants in _spread(lines, count)
    ]


def _texts(variants: dict[TellState, ChoiceRecord], base: str) -> tuple[SampleText, ...]:
    neutral = variants[TellState.Neutral].voiced if TellState.Neutral in variants else None
    found = []
    for state, one in variants.items():
        remarks = tuple(f"{f.rule}: {f.message}" for f in one.findings if f.severity is Severity.review)
        if one.voiced is not None:
            found.append(SampleText(state, one.voiced, "voiced", remarks))
        elif neutral is not None:
            found.append(SampleText(state, neutral, "Neutral", ()))
        else:
            found.append(SampleText(state, base, "base", ()))
    return tuple(found)


def _spread(items: Sequence[_Item], count: int) -> list[_Item]:
    if len(items) <= count:
        return list(items)
    return [items[index * len(items) // count] for index in range(count)]
