"""The word lists as one matcher: which terms does a text hold, where, and in what disguise?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import add

import ahocorasick_rs

from pipeline.content.models import Term
from pipeline.content.terms import Severity
from pipeline.validation.disguise import readings, suspicious
from pipeline.validation.inflect import Inflector
from pipeline.validation.normalise import Token, fold, tokens, words
from pipeline.validation.wordsets import word_set

_RANK = {Severity.block: 2, Severity.review: 1, Severity.info: 0}
_SHORT_WORDS = word_set("short_words")


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
class _Pattern:
    entry: Entry
    cased: tuple[str, ...]
    """The words as the list writes them; capitals count where the term says so."""
    joined: bool = False


class Lexicon:
    """Finds the terms of all lists in one pass of an Aho-Corasick automaton over space-padded words.

    Raises `ValueError` for a term without a word in it. Patterns of `allow` are compiled when a term is first met.
    """

    def __init__(self, entries: Iterable[Entry], inflector: Inflector) -> None:
        self.entries = tuple(entries)
        self._patterns: list[list[_Pattern]] = []
        self._index: dict[str, int] = {}
        for entry in self.entries:
            self._add(entry, inflector)
        keys = [f" {key} " for key in self._index]
        self._automaton = ahocorasick_rs.AhoCorasick(keys) if keys else None
        self._openers = frozenset(key.split(" ", 1)[0] for key in self._index)
        self._single = {key: number for key, number in self._index.items() if " " not in key}
        self._by_length: dict[int, list[str]] = {}
        for key in self._single:
            self._by_length.setdefault(len(key), []).append(key)
        self.scan = lru_cache(maxsize=512)(self._scan)

    def _add(self, entry: Entry, inflector: Inflector) -> None:
        term = entry.term
        for spelling in inflector.spellings(term):
            cased = tuple(token.cased for token in tokens(spelling))
            if not cased:
                raise ValueError(f"{entry.list_id}: the term {spelling!r} holds no word.")
            self._put(" ".join(word.lower() for word in cased), _Pattern(entry, cased))
            plain = [word for word in cased if not word.startswith("'")]
            if len(plain) > 1 and sum(map(len, plain)) >= 6:
                self._put("".join(plain).lower(), _Pattern(entry, ("".join(plain),), joined=True))

    def _put(self, key: str, pattern: _Pattern) -> None:
        number = self._index.setdefault(key, len(self._patterns))
        if number == len(self._patterns):
            self._patterns.append([])
        if not any(known.entry.term is pattern.entry.term for known in self._patterns[number]):
            self._patterns[number].append(pattern)

    def matches(self, text: str) -> bool:
        """True if the first pass finds anything: the cheap test."""
        hay = f" {' '.join(words(text))} "
        return self._automaton is not None and bool(self._automaton.find_matches_as_indexes(hay, overlapping=True))

    def _scan(self, text: str) -> Scan:
        found = list(self._first_pass(text)) + list(self._second_pass(text))
        if not found:
            return Scan()
        hits: list[Hit] = []
        spared: dict[tuple[str, tuple[int, int]], Spared] = {}
        for hit in found:
            pattern = _allowing(hit, text)
            if pattern is None:
                hits.append(hit)
            else:
                spared.setdefault((hit.term.term, hit.span), Spared(hit, pattern))
        return Scan(_outermost(hits), frozenset(hit.term.term for hit in found), tuple(spared.values()))

    def _first_pass(self, text: str) -> Iterator[Hit]:
        said = words(text)
        if not self._openers.isdisjoint(said):
            hay = f" {' '.join(said)} "
            raw = self._automaton.find_matches_as_indexes(hay, overlapping=True) if self._automaton else []
            for number, start, end in raw:
                first = hay.count(" ", 0, start)
                last = first + hay.count(" ", start + 1, end - 1)
                yield from self._hits(number, text, tokens(text)[first : last + 1])
        # Two neighbours may be one word written apart.
        after = said[1:]
        if not self._single.keys().isdisjoint(map(add, said, after)):
            for at, pair in enumerate(map(add, said, after)):
                if pair in self._single and _may_join(said[at], said[at + 1], text, at):
                    yield from self._hits(self._single[pair], text, tokens(text)[at : at + 2])

    def _second_pass(self, text: str) -> Iterator[Hit]:
        folded = fold(text)
        if not suspicious(folded.text):
            return
        found = list(readings(folded.text))
        for reading in found:
            if reading.pattern is None:
                continue
            for key in self._by_length.get(reading.end - reading.start, ()):
                if reading.pattern.fullmatch(key):
                    yield from self._disguised(self._single[key], text, folded.span(reading.start, reading.end))
                    break
        rounds = max((len(reading.spellings) for reading in found), default=0)
        for turn in range(rounds):
            yield from self._respelled(
                text, [(r.start, r.end, r.spellings[min(turn, len(r.spellings) - 1)]) for r in found if r.spellings]
            )

    def _respelled(self, text: str, changes: Sequence[tuple[int, int, str]]) -> Iterator[Hit]:
        """Hits that touch a changed chunk, in the text with every chunk spelled its other way."""
        folded = fold(text)
        pieces: list[str] = []
        places: list[int] = []
        changed: set[int] = set()
        at = 0
        for start, end, spelling in sorted(changes):
            if start < at:
                continue
            pieces.append(folded.text[at:start] + spelling)
            places.extend(range(at, start))
            changed.update(range(len(places), len(places) + len(spelling)))
            places.extend([start] * (len(spelling) - 1) + [end - 1] if spelling else [])
            at = end
        pieces.append(folded.text[at:])
        places.extend(range(at, len(folded.text)))
        respelled = "".join(pieces)
        said = tokens(respelled)
        hay = f" {' '.join(token.word for token in said)} "
        raw = self._automaton.find_matches_as_indexes(hay, overlapping=True) if self._automaton else []
        for number, start, end in raw:
            first = hay.count(" ", 0, start)
            last = first + hay.count(" ", start + 1, end - 1)
            low, high = said[first].start, said[last].end
            if not changed.isdisjoint(range(low, high)):
                yield from self._disguised(number, text, folded.span(places[low], places[high - 1] + 1))

    def _hits(self, number: int, text: str, found: Sequence[Token]) -> Iterator[Hit]:
        for pattern in self._patterns[number]:
            severity = _severity(pattern, found)
            if severity is not None:
                span = found[0].start, found[-1].end
                yield Hit(pattern.entry, severity, span, text[slice(*span)])

    def _disguised(self, number: int, text: str, span: tuple[int, int]) -> Iterator[Hit]:
        shown = text[slice(*span)]
        for pattern in self._patterns[number]:
            if not pattern.entry.term.match_case or shown[:1].isupper():
                yield Hit(pattern.entry, pattern.entry.term.severity, span, shown, disguised=True)


def _allowing(hit: Hit, text: str) -> str | None:
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


def _may_join(first: str, second: str, text: str, at: int) -> bool:
    """True if two neighbouring words may be one word written apart."""
    pair = tokens(text)[at : at + 2]
    between = text[pair[0].end : pair[1].start]
    if between.strip(" -\u2010\u2011*_~\u200b"):
        return False
    if " " not in between:
        return True
    return first not in _SHORT_WORDS and second not in _SHORT_WORDS and not second.startswith("'")


def _severity(pattern: _Pattern, found: Sequence[Token]) -> Severity | None:
    """The hit's severity; None where the case is wrong, at most `review` where only a sentence start explains the
    capital."""
    term = pattern.entry.term
    if not term.match_case:
        return term.severity
    if pattern.joined or len(found) != len(pattern.cased):
        return term.severity if found[0].cased[:1].isupper() else None
    certain = False
    for wanted, token in zip(pattern.cased, found, strict=True):
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


def _outermost(hits: Sequence[Hit]) -> tuple[Hit, ...]:
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
