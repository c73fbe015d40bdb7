"""What the reader gives, and how a line's texts answer each tell state."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from pipeline.cache.slots import slot_names
from pipeline.content.terms import TellState


class Source(StrEnum):
    """Where a text came from, in the order of the fallback."""

    tell = "tell"
    neutral = "neutral"
    base = "base"
    anchor = "anchor"


class CachedLine(NamedTuple):
    """A text to show, and where it came from."""

    text: str
    source: Source


class LineInfo(NamedTuple):
    """One line of an NPC, as authored."""

    line_id: str
    zone_id: str
    kind: str
    anchor: bool
    base_text: str


class Answer(NamedTuple):
    """The text that answers a tell state, with the slots that the game fills."""

    line: CachedLine
    slots: frozenset[str]


def answers(base: str, *, anchor: bool, voiced: Mapping[str, str]) -> dict[str, Answer]:
    """The answer to each tell state: the state's own text, else the Neutral one, else the base text.

    `voiced` holds the line's voiced texts by tell state. Without any, as with AI-enhanced dialogue off, `base` answers.
    """
    last = _answer(base, Source.anchor if anchor else Source.base)
    if not voiced:
        return dict.fromkeys(_STATES, last)
    neutral = _answer(voiced["Neutral"], Source.neutral) if "Neutral" in voiced else last
    found = {
        state: _answer(voiced[state], Source.tell) if state in voiced else neutral
        for state in _STATES
        if state != "Neutral"
    }
    return {"Neutral": neutral, **found}


_STATES = tuple(str(state) for state in TellState)


def _answer(text: str, source: Source) -> Answer:
    return Answer(CachedLine(text, source), slot_names(text))
