"""The word lists as one matcher: which terms does a text hold, where, and in what disguise?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import add

import ahocorasick_rs

from pipeline.validation.disguise import readings, suspicious
from pipeline.validation.hits import Entry, Hit, Scan, Spared, Spelling, allowing, outermost, severity_of
from pipeline.validation.inflect import Inflector
from pipeline.validation.normalise import Token, fold, tokens, words
from pipeline.validation.wordsets import word_set

_SHORT_WORDS = word_set("short_words")


class Lexicon:
    """Finds the terms of all lists in one pass of an Aho-Corasick automaton over space-padded words.

    Raises `ValueError` for a term without a word in it. Patterns of `allow` are compiled when a term is first met.
    """

    def __init__(self, entries: Iterable[Entry], inflector: Inflector) -> None:
        self.entries = tuple(entries)
        self._patterns: list[list[Spelling]] = []
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
            self._put(" ".join(word.lower() for word in cased), Spelling(entry, cased))
            plain = [word for word in cased if not word.startswith("'")]
            if len(plain) > 1 and sum(map(len, plain)) >= 6:
                self._put("".join(plain).lower(), Spelling(entry, ("".join(plain),), joined=True))

    def _put(self, key: str, pattern: Spelling) -> None:
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
            pattern = allowing(hit, text)
            if pattern is None:
                hits.append(hit)
            else:
                spared.setdefault((hit.term.term, hit.span), Spared(hit, pattern))
        return Scan(outermost(hits), frozenset(hit.term.term for hit in found), tuple(spared.values()))

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
            severity = severity_of(pattern, found)
            if severity is not None:
                span = found[0].start, found[-1].end
                yield Hit(pattern.entry, severity, span, text[slice(*span)])

    def _disguised(self, number: int, text: str, span: tuple[int, int]) -> Iterator[Hit]:
        shown = text[slice(*span)]
        for pattern in self._patterns[number]:
            if not pattern.entry.term.match_case or shown[:1].isupper():
                yield Hit(pattern.entry, pattern.entry.term.severity, span, shown, disguised=True)


def _may_join(first: str, second: str, text: str, at: int) -> bool:
    """True if two neighbouring words may be one word written apart."""
    pair = tokens(text)[at : at + 2]
    between = text[pair[0].end : pair[1].start]
    if between.strip(" -\u2010\u2011*_~\u200b"):
        return False
    if " " not in between:
        return True
    return first not in _SHORT_WORDS and second not in _SHORT_WORDS and not second.startswith("'")
