"""Exclamations: only the culture's own, and only where affect is high."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from pipeline.content.terms import Affect, Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.culture_words import sample_culture

_DOC = RuleDoc(
    catches=(
        "An oath where the speaker is calm, an oath of another culture, an exclamation mark that the base text lacks."
    ),
    severity="block for another culture's oath, review else. Silent where culture or affect is unknown.",
    bad=(
        "The seal is weak. (affect even) -> Void take it, seal's weak.",
        "The seal is weak. (affect even) -> Seal's weak!",
    ),
    good=("The seal is gone! (affect high) -> Void take it, seal's gone!",),
    waive="set the line's `affect: high` if the speaker does feel strongly.",
)


def _calm(voiced: str, affect: Affect = Affect.even) -> Subject:
    return Subject(
        "The seal is weak.", voiced, Kind.dialogue, TellState.Neutral, culture=sample_culture(), affect=affect
    )


_CANARIES = (
    Canary(_calm("Void take it, seal's weak."), "an oath in a calm line"),
    Canary(_calm("Stars. Seal's weak.", Affect.low), "an oath in a calm line"),
    Canary(_calm("Seal's weak!"), "an exclamation mark in a calm line"),
)


@dataclass(frozen=True)
class Exclamations:
    """Looks for oaths as fragments of their own. `foreign` maps a culture id to the oaths of all other cultures."""

    foreign: Mapping[str, frozenset[str]] = field(default_factory=dict)
    id: str = "exclamations"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    @cached_property
    def _foreign(self) -> dict[str, tuple[str, ...]]:
        return {culture: tuple(sorted(oaths)) for culture, oaths in self.foreign.items()}

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per oath, and one for an exclamation mark."""
        if subject.culture is None:
            return
        base, voiced = fold(subject.base).lower, fold(subject.voiced).lower
        for oath in self._foreign.get(subject.culture.id, ()):
            if (found := _fragment(oath, voiced)) and not _fragment(oath, base):
                yield Finding(self.id, Severity.block, f'"{oath}" is an oath of another culture.', found.span(1))
        if subject.affect in (None, Affect.high):
            return
        for oath in subject.culture.injector.vocabulary.exclamations:
            if (found := _fragment(oath.lower(), voiced)) and not _fragment(oath.lower(), base):
                message = f'"{oath}" needs high affect; the line\'s is {subject.affect}.'
                yield Finding(self.id, Severity.review, message, found.span(1), "Leave the oath out.")
        if "!" in voiced and "!" not in base:
            at = voiced.index("!")
            yield Finding(
                self.id, Severity.review, "An exclamation mark in a calm line.", (at, at + 1), "End with a full stop."
            )


def _fragment(oath: str, text: str) -> re.Match[str] | None:
    """The oath as words of its own, closed by punctuation or the end; "the stars are out" is no oath."""
    return _pattern(oath).search(text) if oath in text else None


@lru_cache(maxsize=1024)
def _pattern(oath: str) -> re.Pattern[str]:
    lead = "" if " " in oath else r"(?:^|[.!?…,;—–'\"]\s*)"
    return re.compile(rf"{lead}\b({re.escape(oath)})\b(?=\s*(?:[.!?…,;—–'\"]|\Z))")
