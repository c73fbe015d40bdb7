"""Lint for word lists: what a copy editor should mend."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.models import Content, Culture
from pipeline.content.terms import Severity
from pipeline.validation.inflect import PLACEHOLDERS
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.normalise import words

_RISKY = re.compile(r"\)[*+]|\)\{\d*,\}")
"""A group repeated without bound: with repetition inside it a pattern may take exponential time."""
_LONGEST_PATTERN = 600


@dataclass(frozen=True, slots=True)
class WordProblem:
    """One remark on a word list."""

    list_id: str
    term: str
    message: str


def lint_words(content: Content, lexicon: Lexicon) -> tuple[WordProblem, ...]:
    """Duplicates, terms that hit a culture's own words or the base lines, terms that can never fire, risky `allow`
    patterns."""
    return (*_duplicates(lexicon), *_own_words(content, lexicon), *_base_lines(content, lexicon), *_patterns(lexicon))


def _duplicates(lexicon: Lexicon) -> Iterator[WordProblem]:
    seen: dict[tuple[str, ...], str] = {}
    for entry in lexicon.entries:
        key = words(entry.term.term)
        if key in seen:
            yield WordProblem(entry.list_id, entry.term.term, f"is listed twice; also in {seen[key]}.")
        seen[key] = entry.list_id


def _own_words(content: Content, lexicon: Lexicon) -> Iterator[WordProblem]:
    for culture in content.cultures.values():
        for text in _sayings(culture):
            for hit in lexicon.scan(text).hits:
                yield WordProblem(
                    hit.entry.list_id, hit.term.term, f'hits "{text}", which people of {culture.name} say.'
                )


def _sayings(culture: Culture) -> Iterator[str]:
    vocabulary = culture.injector.vocabulary
    yield from (*vocabulary.exclamations, *vocabulary.greetings, *vocabulary.farewells)
    yield from (entry.word for entry in culture.institutions.use)
    yield from (example.voiced for example in culture.injector.examples)


def _base_lines(content: Content, lexicon: Lexicon) -> Iterator[WordProblem]:
    for zone in content.zones.values():
        for ref in zone.lines:
            for hit in lexicon.scan(ref.line.base_text).hits:
                where = f"{ref.npc.id}/{ref.line_id} of {zone.zone.id}"
                yield WordProblem(
                    hit.entry.list_id, hit.term.term, f'hits the base line {where}: "{ref.line.base_text}"'
                )


def _patterns(lexicon: Lexicon) -> Iterator[WordProblem]:
    for entry in lexicon.entries:
        for pattern in entry.term.allow:
            if _RISKY.search(pattern) or len(pattern) > _LONGEST_PATTERN:
                yield WordProblem(
                    entry.list_id, entry.term.term, f"has an `allow` pattern that may run long: {pattern[:60]}"
                )
        if not _reachable(entry.list_id, entry.term.term, lexicon):
            yield WordProblem(
                entry.list_id, entry.term.term, "never fires: its own `allow`, or a wider term, covers it."
            )


def _reachable(list_id: str, term: str, lexicon: Lexicon) -> bool:
    """True if a sentence that holds nothing but the term gives a finding of its list."""
    plain = re.sub(r"<([a-z]+)>", lambda name: PLACEHOLDERS[name[1]][2], term)
    return any(
        hit.entry.list_id == list_id and hit.severity is not Severity.info
        for hit in lexicon.scan(f"then {plain}.").hits
    )
