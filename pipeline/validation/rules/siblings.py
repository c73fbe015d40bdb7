"""Siblings: a tell variant must differ from Neutral, and must not overplay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold, words
from pipeline.validation.rule import Canary, RuleDoc, Subject

_DOC = RuleDoc(
    catches="A tell variant that says the same as Neutral (the state cannot be heard), or that overplays its state.",
    severity="block where the words are the same as in Neutral, or the base text's own; review where they nearly "
    "are and where it is too much.",
    bad=("Neutral: Lift's down. Nervous: Lift's down...", "Nervous: It's... down, the... lift... down—"),
    good=("Neutral: Lift's down. Nervous: Down. Lift's down, just—",),
    waive="waive the rule for the line in the review, when so short a line can hardly sound otherwise.",
)


def _beside(neutral: str, voiced: str) -> Subject:
    return Subject("The lift is not running today.", voiced, Kind.dialogue, TellState.Nervous, neutral=neutral)


_CANARIES = (
    Canary(_beside("Lift's not running today.", "Lift's not running today—"), "the same words"),
    Canary(
        _beside("Lift's not running today, stairs only.", "Lift's not running today, the stairs only."),
        "nearly the same",
    ),
    Canary(_beside("Lift's not running today.", "Lift's... not... running, it's— today—"), "overplayed"),
    Canary(_beside("Lift's not running.", "The lift is not running today."), "the base text itself"),
)
_SOUND = re.compile(r"[\w']+|\.\.\.|[^\w\s']")
_MARKS = re.compile(r"\.\.\.|…|—|--")


@dataclass(frozen=True)
class Siblings:
    """Compares a tell variant with the chosen Neutral variant. Silent for Neutral itself and where none is chosen."""

    id: str = "siblings"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES
    near: float = 0.93
    """Similarity of words and punctuation (Indel, 0 to 1) from which two variants sound the same; set on the voice
    bank."""
    short: int = 2
    """Words up to which a text can hardly be said otherwise than the base text says it."""
    marks: int = 4
    """Pauses and breaks from which a line is overplayed."""

    def check(self, subject: Subject) -> Iterable[Finding]:
        """At most one finding for sameness and one for too much."""
        if subject.tell_state is TellState.Neutral:
            return
        mine = words(subject.voiced)
        if len(mine) > self.short and mine == words(subject.base) and _inner(subject.voiced) == _inner(subject.base):
            yield Finding(self.id, Severity.block, "This is the base text itself; the state cannot be heard.")
        if subject.neutral is None:
            return
        neutral = words(subject.neutral)
        if mine == neutral:
            yield Finding(self.id, Severity.block, "The words are the same as in Neutral; the state cannot be heard.")
        elif _similar(_sounds(subject.voiced), _sounds(subject.neutral), self.near):
            yield Finding(self.id, Severity.review, "Nearly the same as Neutral; the state can hardly be heard.")
        marks = _marks(subject.voiced)
        if marks >= self.marks and marks >= self.marks + _marks(subject.neutral):
            yield Finding(self.id, Severity.review, "So many pauses overplay the state.", None, "Keep one.")


@lru_cache(maxsize=512)
def _sounds(text: str) -> tuple[str, ...]:
    """Words and punctuation: a pause may carry a state as well as a word."""
    return tuple(_SOUND.findall(fold(text).lower))


def _marks(text: str) -> int:
    """How many pauses and breaks a text has."""
    return len(_MARKS.findall(text)) if "—" in text or "…" in text or "..." in text or "--" in text else 0


def _inner(text: str) -> list[str]:
    """The sounds of a text but for the marks at its ends."""
    sounds = list(_sounds(text))
    while sounds and not sounds[-1][0].isalnum():
        sounds.pop()
    while sounds and not sounds[0][0].isalnum():
        sounds.pop(0)
    return sounds


_ROUNDING = 1e-9


def _similar(mine: Sequence[str], other: Sequence[str], near: float) -> bool:
    """True if the two are as similar as that."""
    common = sum(map(other.__contains__, mine))
    most = 2 * min(common, len(other)) / max(1, len(mine) + len(other))  # if all that is common is in order
    if most < near - _ROUNDING:
        return False
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(mine, other) >= near
