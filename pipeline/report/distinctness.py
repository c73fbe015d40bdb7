"""How far a tell state's texts are from Neutral: a plain measure over words, for seeing a trend, not a proof."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from pipeline.content.terms import TELL_CATEGORIES, TellState
from pipeline.report.facts import by_line
from pipeline.store import ChoiceRecord

_WORD = re.compile(r"[\w{}']+")


@dataclass(frozen=True, slots=True)
class Distinctness:
    """One tell state over the lines that have a text of it and a Neutral one."""

    tell_state: TellState
    lines: int
    differ: float
    """Share of lines whose words are not those of Neutral."""
    distance: float
    """Mean share of words that are added or dropped on the way from Neutral: 0 the same words, 1 no word in common."""
    alone: float
    """Share of lines whose words are those of no other tell state either."""


def measure(records: Sequence[ChoiceRecord]) -> list[Distinctness]:
    """The five tell states; case and punctuation do not count. A state without lines is left out."""
    distances: dict[TellState, list[float]] = defaultdict(list)
    alone: dict[TellState, int] = defaultdict(int)
    for variants in by_line(records).values():
        words = {state: _words(one.voiced) for state, one in variants.items() if one.voiced is not None}
        if TellState.Neutral not in words:
            continue
        for state in TELL_CATEGORIES:
            if state in words:
                distances[state].append(Indel.normalized_distance(words[TellState.Neutral], words[state]))
                alone[state] += all(words[state] != other for name, other in words.items() if name is not state)
    return [
        Distinctness(
            state,
            len(found),
            sum(distance > 0 for distance in found) / len(found),
            sum(found) / len(found),
            alone[state] / len(found),
        )
        for state in TELL_CATEGORIES
        if (found := distances[state])
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("’", "'"))
