"""Greetings and farewells: the culture's own where the line is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.content.models import Culture
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold, words
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.culture_words import sample_culture

_STOCK = re.compile(
    r"(?:^|[.!?…,;—–]\s*)(hello|hi|hiya|greetings|good day|good evening|good afternoon|good "
    r"morning|salutations|welcome aboard|"
    r"farewell|goodbye|good-bye|bye|so long|take care|safe travels|see you later|see you around|until next "
    r"time|good night|godspeed)"
    r"(?=\s*(?:[.!?…,;—–]|\Z))"
)
"""Greetings and farewells of anywhere, as phrases of their own."""
_FIRST_WORDS = frozenset({"hello", "hi", "hiya", "greetings", "good", "salutations", "welcome", "farewell", "goodbye"})
_FIRST_WORDS |= {"bye", "so", "take", "safe", "see", "until", "godspeed"}
"""The cheap test: one of them opens every stock phrase."""
_DOC = RuleDoc(
    catches="A stock greeting or farewell that is not on the culture's list.",
    severity="review where the base text neither greets nor parts, info where it does. Silent without a culture.",
    bad=("The lift is down. -> Hello. Lift's down.",),
    good=("Good morning. -> Morning.", "The lift is down. -> Hey, lift's down."),
    waive="add the word to the culture's greetings or farewells, or waive the rule for the line in the review.",
)


def _said(base: str, voiced: str) -> Subject:
    return Subject(base, voiced, Kind.dialogue, TellState.Neutral, culture=sample_culture())


_CANARIES = (
    Canary(_said("The lift is down.", "Hello. Lift's down."), "a greeting added"),
    Canary(_said("The lift is down.", "Lift's down. Take care."), "a farewell added"),
    Canary(_said("Good evening.", "Greetings."), "a stock greeting for the culture's own"),
)


@dataclass(frozen=True)
class Greetings:
    """Looks for stock greetings and farewells that stand apart."""

    id: str = "greetings"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per stock phrase that the culture does not list."""
        if subject.culture is None or subject.kind is Kind.behavior or _FIRST_WORDS.isdisjoint(words(subject.voiced)):
            return
        vocabulary = subject.culture.injector.vocabulary
        for found in _STOCK.finditer(fold(subject.voiced).lower):
            own = {text.lower() for text in (*vocabulary.greetings, *vocabulary.farewells)}
            if found[1] not in own:
                greets = found[1] in fold(subject.base).lower
                severity = Severity.info if greets else Severity.review
                suggestion = f"People here say {', '.join(sorted(own))}."
                yield Finding(
                    self.id, severity, f'"{found[1]}" is no greeting of this culture.', found.span(1), suggestion
                )


def greeted(subject: Subject, culture: Culture) -> frozenset[str]:
    """The words of the base text's greeting or farewell where the voiced text has one of the culture's own."""
    greeting = _greeting(subject.base)
    if not greeting:
        return greeting
    vocabulary, voiced = culture.injector.vocabulary, fold(subject.voiced).lower
    own = any(text.lower() in voiced for text in (*vocabulary.greetings, *vocabulary.farewells))
    return greeting if own else frozenset()


@lru_cache(maxsize=512)
def _greeting(text: str) -> frozenset[str]:
    """The words of a stock greeting or farewell in a text."""
    found = None if _FIRST_WORDS.isdisjoint(words(text)) else _STOCK.search(fold(text).lower)
    return frozenset(words(found[1])) if found else frozenset()
