"""The form of behaviors: told in the third person present, lower case, no final stop, and somebody does something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pipeline.content.terms import Severity
from pipeline.validation.dictionary import is_verb
from pipeline.validation.finding import Fault
from pipeline.validation.leftovers import QUOTES
from pipeline.validation.normalise import words
from pipeline.validation.rule import Subject
from pipeline.validation.wordsets import word_set

_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i'll|i've|i'd|my|me|we|we're|our|you|your|you're)\b")
_SPEAKERS = frozenset({"i", "my", "me", "we", "our", "you", "your"})
"""The cheap test: one of them is in every word of the first or second person."""
_AS_YOU_LIKE = re.compile(r"\bas you (?:like|please|will)\b")
_AUXILIARIES = word_set("auxiliaries") - {"to", "being", "been"}


def behavior_form(subject: Subject) -> Iterator[Fault]:
    """What the form lacks, where the base text has it."""
    voiced, base = subject.voiced, subject.base
    if voiced[:1].isupper() and not base[:1].isupper():
        yield Severity.block, "A behavior begins in lower case.", (0, 1)
    if voiced.endswith(".") and not voiced.endswith("...") and not base.endswith("."):
        yield Severity.block, "A behavior has no final stop.", (len(voiced) - 1, len(voiced))
    yield from _not_third_person(voiced, base)
    if any(c in voiced for c in QUOTES) and not any(c in base for c in QUOTES):
        yield Severity.review, "Speech in a behavior.", None
    if _does(base) and not _does(voiced):
        yield Severity.block, "Nobody does anything here; a behavior says what is done (checks the gate).", None
    first, was = words(voiced)[:1], words(base)[:1]
    if first and first[0].endswith("ing") and not (was and was[0].endswith("ing")):
        message = "A behavior is told in the third person present (checks, not checking)."
        yield Severity.block, message, (0, len(first[0]))


def _not_third_person(voiced: str, base: str) -> Iterator[Fault]:
    if _SPEAKERS.isdisjoint(words(voiced)):
        return
    told = re.sub(r"(?<!\w)'[^']*'(?!\w)", _blank, voiced.lower())
    if (person := _FIRST_PERSON.search(_AS_YOU_LIKE.sub(_blank, told))) and not _FIRST_PERSON.search(base.lower()):
        yield Severity.block, f'"{person[0]}" in a behavior; it is told in the third person.', person.span()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


@lru_cache(maxsize=512)
def _does(text: str) -> bool:
    """True if a word may be a verb in the third person present."""
    return any(
        (word.endswith("s") and len(word) > 1 and is_verb(word)) or word.endswith("n't") or word in _AUXILIARIES
        for word in words(text)
    )
