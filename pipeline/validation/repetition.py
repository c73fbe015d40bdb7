"""What is said twice: fragments of a text, and words in a row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from operator import eq

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Fault
from pipeline.validation.normalise import words
from pipeline.validation.rule import Subject
from pipeline.validation.wordsets import word_set

_DOUBLED = re.compile(r"\b(\w+(?:'\w+)?)\s+\1\b", re.IGNORECASE)
_MAY_DOUBLE = word_set("may_double")
_SENTENCES = {Kind.dialogue: re.compile(r"[.!?;…—]+|,\s+"), Kind.behavior: re.compile(r"[.!?;…—]+")}
_ECHO = 5
"""Words from which a fragment that comes again later is a fault in a tell state too; shorter ones may carry it."""


def repetition(subject: Subject) -> Iterator[Fault]:
    """The first fragment that is said twice, and every word that stands twice in a row, but for the base text's own."""
    if found := _fragment_again(subject):
        yield Severity.block, f'"{found}" is said twice.', None
    for double in _DOUBLED.finditer(subject.voiced) if may_stand_twice(subject.voiced) else ():
        if double[1].lower() not in _MAY_DOUBLE and double[0].lower() not in subject.base.lower():
            yield Severity.block, f'"{double[1]}" stands twice in a row.', double.span()


def _fragment_again(subject: Subject) -> str:
    parts = _fragments(subject.voiced, subject.kind)
    if len(set(parts)) == len(parts):
        return ""
    base_parts = _fragments(subject.base, subject.kind)
    long = 3 if subject.tell_state is TellState.Neutral else _ECHO
    for number, part in enumerate(parts):
        size = len(part.split())
        earlier = parts[:number]
        in_a_row = (size >= 2 and earlier[-1:] == (part,)) or earlier[-2:] == (part, part)
        if (in_a_row or (size >= long and part in earlier)) and base_parts.count(part) < 2:
            return part
    return ""


def may_stand_twice(text: str) -> bool:
    """The cheap test: is a word the same as the next, or, with its clitic, as the next but one?"""
    if not text.isascii() or "_" in text:
        return True
    said = words(text)
    if len(set(said)) == len(said):
        return False
    return any(map(eq, said, said[1:])) or any(map(eq, said, said[2:]))


@lru_cache(maxsize=512)
def _fragments(text: str, kind: Kind) -> tuple[str, ...]:
    """The sentences of a text, in dialogue also what commas part; lower case."""
    return tuple(part.strip().lower() for part in _SENTENCES[kind].split(text) if part.strip())
