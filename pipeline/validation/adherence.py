"""Vocabulary adherence: of the culture's words in a voiced text, how many are used rightly?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.content.models import Culture
from pipeline.content.terms import Severity
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold

VOCABULARY_RULES = frozenset(
    {
        "authority-words",
        "earth-idiom",
        "exclamations",
        "exclusions",
        "fillers",
        "franchise-bleed",
        "greetings",
        "guard-vocabulary",
        "politics",
    }
)
"""The rules that judge single words: what one of them remarks on is used wrongly."""


@dataclass(frozen=True, slots=True)
class Adherence:
    """What a voiced text does with the words of its culture."""

    used: tuple[str, ...]
    """Words used rightly, in the order of the text, lower case."""
    wrong: tuple[str, ...]
    """A sentence for each word used wrongly, to be avoided, or lost."""

    @property
    def score(self) -> float:
        """The share of words used rightly, 0 to 1; 1 for a text in which there is nothing to judge."""
        judged = len(self.used) + len(self.wrong)
        return len(self.used) / judged if judged else 1.0


def adherence(
    base: str, voiced: str, culture: Culture, fillers: Sequence[str], findings: Sequence[Finding]
) -> Adherence:
    """Judges a voiced text of a speaker of `culture`, whose pause words are `fillers`.

    Used rightly: greetings, farewells, oaths and pause words that stand between punctuation, and authority words that
    take up one of the base text, unless one of `VOCABULARY_RULES` remarks on them in `findings` (those of severity
    `info` do not count). Wrong: each such remark, an authority word that the base text gives no cause for, and one of
    the base text that is gone.
    """
    remarks = [one for one in findings if one.rule in VOCABULARY_RULES and one.severity is not Severity.info]
    barred = [one.span for one in remarks if one.span]
    authorities = tuple(word.word for word in culture.institutions.use)
    before = {word for word, _ in _authority(base, authorities)}
    said = list(_authority(voiced, authorities))
    caused = bool(before) or any(_authority(base, culture.institutions.never))
    free = [(word, span) for word, span in said if not _overlaps(span, barred)]
    used = [(span, word) for word, span in free if caused]
    used += [(span, word) for word, span in _spoken(voiced, culture, fillers) if not _overlaps(span, barred)]
    wrong = [one.message for one in remarks]
    wrong += [f'"{word}" has no cause in the base text.' for word, _ in free if not caused]
    # Any other authority word may stand in for a lost one; whether it may is for the rules on facts to say.
    wrong += [f'"{word}" of the base text is gone.' for word in sorted(before) if not said]
    return Adherence(tuple(word for _, word in sorted(used)), tuple(wrong))


def _spoken(voiced: str, culture: Culture, fillers: Sequence[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The greetings, farewells, oaths and pause words of a text, with their places."""
    vocabulary = culture.injector.vocabulary
    words = (*vocabulary.greetings, *vocabulary.farewells, *vocabulary.exclamations, *fillers)
    folded = fold(voiced)
    for match in _apart(words).finditer(folded.lower):
        yield match[1], folded.span(*match.span(1))


def _authority(text: str, words: Sequence[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The authority words of a text, in their single form, with their places."""
    folded = fold(text)
    for match in _anywhere(tuple(words)).finditer(folded.lower):
        yield match[1], folded.span(*match.span(1))


@lru_cache(maxsize=256)
def _apart(words: tuple[str, ...]) -> re.Pattern[str]:
    """Any of `words` between punctuation or at an end of the text: "morning, all", not "every morning"."""
    return re.compile(rf"(?:^|[.!?…,;—–]\s*)({_any_of(words)})(?=\s*(?:[.!?…,;—–]|\Z))")


@lru_cache(maxsize=64)
def _anywhere(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b({_any_of(words)})s?\b")


def _any_of(words: Iterable[str]) -> str:
    """The longest first, so that "commission officer" is not read as "commission"."""
    folded = {fold(word).lower for word in words}
    return "|".join(re.escape(word) for word in sorted(folded, key=lambda word: (-len(word), word))) or r"(?!)"


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
