"""Terms found in a text: what was found, what an innocent use explains, which of several hits counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pipeline.content.models import Term
from pipeline.content.terms import Severity
from pipeline.validation.normalise import Token, fold

_RANK = {Severity.block: 2, Severity.review: 1, Severity.info: 0}


@dataclass(frozen=True, slots=True)
class Entry:
    """A term with the list it comes from: a guard's id or a word list's id."""

    list_id: str
    term: Term


@dataclass(frozen=True, slots=True)
class Hit:
    """A term found in a text."""

    entry: Entry
    severity: Severity
    span: tuple[int, int]
    """Code points of the original text."""
    text: str
    """The original text of the span."""
    disguised: bool = False

    @property
    def term(self) -> Term:
        return self.entry.term


@dataclass(frozen=True, slots=True)
class Scan:
    """What a text holds. `present` names every term that occurs, also where a pattern of `allow` covers it."""

    hits: tuple[Hit, ...] = ()
    present: frozenset[str] = frozenset()
    spared: tuple[Spared, ...] = ()


@dataclass(frozen=True, slots=True)
class Spared:
    """A term that occurs in an innocent use, and the pattern of `allow` that covers it."""

    hit: Hit
    pattern: str


@dataclass(frozen=True, slots=True)
class Spelling:
    """A way to write a term."""

    entry: Entry
    cased: tuple[str, ...]
    """The words as the list writes them; capitals count where the term says so."""
    joined: bool = False


def allowing(hit: Hit, text: str) -> str | None:
    """The pattern of `allow` that covers the whole hit; None where there is none."""
    term = hit.term
    if not term.allow or hit.disguised:
        return None
    folded = fold(text)
    for pattern in term.allow:
        for match in _compiled(pattern, term.match_case).finditer(folded.text):
            if match.end() > match.start():
                start, end = folded.span(*match.span())
                if start <= hit.span[0] and hit.span[1] <= end:
                    return pattern
    return None


@cache
def _compiled(pattern: str, match_case: bool) -> re.Pattern[str]:
    return re.compile(pattern, 0 if match_case else re.IGNORECASE)


def severity_of(spelling: Spelling, found: Sequence[Token]) -> Severity | None:
    """The hit's severity; None where the case is wrong, at most `review` where only a sentence start explains the
    capital."""
    term = spelling.entry.term
    if not term.match_case:
        return term.severity
    if spelling.joined or len(found) != len(spelling.cased):
        return term.severity if found[0].cased[:1].isupper() else None
    certain = False
    for wanted, token in zip(spelling.cased, found, strict=True):
        if wanted == wanted.lower():
            continue
        if wanted.isupper() and len(wanted) > 1:
            if not token.cased.isupper():
                return None
            certain = True
        elif not token.cased[:1].isupper():
            return None
        elif not token.starts_sentence:
            certain = True
    if certain or _RANK[term.severity] < _RANK[Severity.review]:
        return term.severity
    return Severity.review


def outermost(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in order of place, without those inside another of the same list that is at least as severe."""
    ordered = sorted(hits, key=lambda h: (h.span[0], -h.span[1], -_RANK[h.severity], h.disguised, h.term.term))
    kept: list[Hit] = []
    for hit in ordered:
        covered = any(
            k.span[0] <= hit.span[0]
            and hit.span[1] <= k.span[1]
            and k.entry.list_id == hit.entry.list_id
            and _RANK[k.severity] >= _RANK[hit.severity]
            for k in kept
        )
        if not covered:
            kept.append(hit)
    return tuple(kept)
