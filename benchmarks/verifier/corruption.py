"""Texts that say something else than they did: what a verifier learns to tell from faithful ones.

Each corruption is a small change that a weak re-voicer really makes: a clause lost or added, two parts that change
places, a word replaced by its opposite or by another line's word, a negation more or less, a question for a statement,
an order told as a report, first and second person exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from pipeline.validation.dictionary import is_verb, lemmas, senses
from pipeline.validation.relations import opposites

_TOKEN = re.compile(r"\{\w+\}|[\w][\w'’-]*|[^\w\s]|\s+")
_WORD = re.compile(r"\{\w+\}|\w")

_DETERMINERS = frozenset(
    (
        "the", "a", "an", "this", "that", "these", "those", "my", "your", "our", "his", "her", "their", "its", "no",
        "every", "any", "some", "one",
    )
)  # fmt: skip
_PREPOSITIONS = frozenset(
    (
        "in", "on", "at", "by", "for", "from", "with", "without", "to", "into", "onto", "under", "over", "behind",
        "before", "after", "through", "across", "past", "near", "beside", "inside", "outside", "between", "against",
        "around", "along", "down", "up", "off", "until", "till", "of", "about",
    )
)  # fmt: skip
_JOINTS = frozenset(
    (
        "and", "or", "but", "when", "if", "because", "unless", "while", "so", "then", "where", "who", "which",
        "that", "as", "than",
    )
)  # fmt: skip
_OTHERS = frozenset(
    (
        "i", "you", "he", "she", "it", "we", "they", "me", "him", "us", "them", "is", "are", "was", "were", "be",
        "been", "being", "am", "do", "does", "did", "done", "have", "has", "had", "will", "would", "shall", "should",
        "can", "could", "may", "might", "must", "not", "never", "don't", "doesn't", "didn't", "won't", "can't",
        "isn't", "aren't", "wasn't", "there", "here", "what", "how", "why", "whose", "it's", "i'm", "i'll", "i've",
        "you're", "you'll", "that's", "there's", "let's", "yes", "well", "just", "too", "very", "still", "only",
    )
)  # fmt: skip
_CLOSED = _DETERMINERS | _PREPOSITIONS | _JOINTS | _OTHERS
_CUTS = (
    (_PREPOSITIONS - {"of", "up", "down", "off"}) | _JOINTS | {"today", "tonight", "tomorrow", "now", "again", "first"}
)

_PERSONS = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "i'm": "you're", "i'll": "you'll", "i've": "you've",
    "we": "you", "our": "your", "us": "them", "you": "I", "your": "my", "yours": "mine", "you're": "I'm",
    "you'll": "I'll", "you've": "I've", "he": "I", "she": "I", "his": "my", "her": "my", "they": "we", "their": "our",
}  # fmt: skip
_NEGATED = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "do": "don't", "does": "doesn't",
    "did": "didn't", "will": "won't", "can": "can't", "could": "couldn't", "should": "shouldn't", "would": "wouldn't",
    "has": "hasn't", "have": "haven't", "always": "never", "anyone": "no one", "some": "no",
    "it's": "it isn't", "that's": "that isn't", "there's": "there's no", "i'll": "I won't", "you'll": "you won't",
}  # fmt: skip
_AFFIRMED = {other: word for word, other in _NEGATED.items() if " " not in other} | {
    "cannot": "can",
    "not": "",
    "no": "a",
    "nobody": "somebody",
    "nothing": "something",
    "without": "with",
}
_VALUES = {
    "before": "after", "after": "before", "until": "after", "must": "may", "can": "must", "will": "did", "to": "from",
    "from": "to", "all": "some", "every": "one", "only": "also", "if": "unless", "unless": "if", "or": "and",
}  # fmt: skip


_ASKED = re.compile(r"\b([Ww]ho) ([a-z]{3,}) (you|me|him|her|them|us)\b")


def tokens(text: str) -> list[str]:
    """The words, marks, slots and gaps of a text; joined they are the text."""
    return _TOKEN.findall(text)


@dataclass(frozen=True, slots=True)
class Corruptor:
    """Makes unfaithful texts. `donors`: texts of other lines, for what is added or put in another's place."""

    donors: Sequence[str]

    def corrupt(self, text: str, chance: Random) -> tuple[str, str] | None:
        """A kind of corruption and the corrupted text; None when nothing applies. `chance` decides alone."""
        kinds: list[tuple[str, Callable[[list[str], Random], list[str] | None]]] = [
            ("lost", _lose),
            ("added", self._add),
            ("swapped", _swap),
            ("swapped", _swap),
            ("opposite", _oppose),
            ("negated", _negate),
            ("act", _act),
            ("person", _person),
            ("replaced", self._replace),
        ]
        chance.shuffle(kinds)
        for name, change in kinds:
            changed = change(tokens(text), chance)
            if changed is not None and (made := tidy(changed)) and made.casefold() != text.casefold():
                return name, made
        return None

    def replacement(self, text: str, chance: Random) -> tuple[str, str] | None:
        """A word of the text and one of another line to put in its place wherever it stands."""
        words = [word for word in tokens(text) if _content(word)]
        others = self._others(text, chance)
        return (chance.choice(words), chance.choice(others)) if words and others else None

    def _others(self, text: str, chance: Random) -> list[str]:
        present = text.casefold()
        found = [word for word in tokens(chance.choice(self.donors)) if _content(word) and word.islower()]
        return [word for word in found if word not in present]

    def _add(self, parts: list[str], chance: Random) -> list[str] | None:
        donor = tokens(chance.choice(self.donors))
        spans = [span for span in _segments(donor) if 2 <= _words(donor[slice(*span)]) <= 6]
        if not spans:
            return None
        start, end = chance.choice(spans)
        added = [part for part in donor[start:end] if part not in ".?!,;:"]
        added = [part.lower() if part[:1].isalpha() and not part.startswith("I") else part for part in added]
        stop = len(parts)
        while stop and not _WORD.match(parts[stop - 1]):
            stop -= 1
        comma = [","] if added and added[0].casefold() not in _PREPOSITIONS and chance.random() < 0.7 else []
        return [*parts[:stop], *comma, " ", *added, *parts[stop:]]

    def _replace(self, parts: list[str], chance: Random) -> list[str] | None:
        places = [i for i, part in enumerate(parts) if _content(part)]
        others = self._others("".join(parts), chance)
        if not places or not others:
            return None
        place = chance.choice(places)
        # A verb for a verb and a noun for a noun: what no longer is a sentence would be too easy to tell.
        alike = [other for other in others if is_verb(other) is is_verb(parts[place].casefold())]
        return [*parts[:place], _like(chance.choice(alike or others), parts[place]), *parts[place + 1 :]]


def tidy(parts: Sequence[str]) -> str:
    """The parts as one text, with single gaps and none before a mark."""
    text = re.sub(r"\s+", " ", "".join(parts)).strip()
    text = re.sub(r"\s+([.,?!;:])", r"\1", text)
    text = re.sub(r"([,;:])(?=[.?!])", "", re.sub(r"([.,?!;:])\1+", r"\1", text))
    return text.lstrip(".,;:?! ")


def _lose(parts: list[str], chance: Random) -> list[str] | None:
    spans = [span for span in _segments(parts) if _words(parts[slice(*span)]) >= 1]
    spans = [span for span in spans if _words(parts) - _words(parts[slice(*span)]) >= 2]
    if not spans:
        return None
    start, end = chance.choice(spans)
    return parts[:start] + parts[end:]


def _swap(parts: list[str], chance: Random) -> list[str] | None:
    runs = _runs(parts)
    pairs = [
        (one, other)
        for i, one in enumerate(runs)
        for other in runs[i + 1 :]
        if "".join(parts[slice(*one)]).casefold() != "".join(parts[slice(*other)]).casefold()
    ]
    if not pairs:
        return None
    (a, b), (c, d) = chance.choice(pairs)
    first, second = parts[a:b], parts[c:d]
    return [*parts[:a], *_cased(second, first), *parts[b:c], *_cased(first, second), *parts[d:]]


def _oppose(parts: list[str], chance: Random) -> list[str] | None:
    places = []
    for i, part in enumerate(parts):
        word = part.casefold()
        if word in _VALUES:
            places.append((i, _VALUES[word]))
        elif _content(part) and (others := sorted(other for other in opposites(word) if other in senses())):
            places.append((i, chance.choice(others)))
    return _put(parts, places, chance)


def _negate(parts: list[str], chance: Random) -> list[str] | None:
    places = [
        (i, table[part.casefold()])
        for i, part in enumerate(parts)
        for table in (_NEGATED, _AFFIRMED)
        if part.casefold() in table
    ]
    return _put(parts, places, chance)


def _person(parts: list[str], chance: Random) -> list[str] | None:
    text = "".join(parts)
    if asked := _ASKED.search(text):  # Who told you -> Who did you tell
        base = sorted(lemma for lemma in lemmas(asked[2].casefold()) if lemma != asked[2].casefold())
        if base:
            pronoun = {"me": "I", "him": "he", "her": "she", "them": "they", "us": "we"}.get(asked[3], asked[3])
            return tokens(f"{text[: asked.start()]}{asked[1]} did {pronoun} {base[0]}{text[asked.end() :]}")
    places = [(i, _PERSONS[part.casefold()]) for i, part in enumerate(parts) if part.casefold() in _PERSONS]
    if len(places) > 1 and chance.random() < 0.4:  # all of them: who does what to whom changes sides
        changed = list(parts)
        for i, word in places:
            changed[i] = _like(word, parts[i])
        return changed
    return _put(parts, places, chance)


def _act(parts: list[str], chance: Random) -> list[str] | None:
    marks = [i for i, part in enumerate(parts) if part in ".?"]
    starts = [0, *(i + 2 for i in marks if i + 2 < len(parts))]
    orders = [
        i for i in starts if parts[i].isalpha() and parts[i].casefold() not in _CLOSED and is_verb(parts[i].lower())
    ]
    if orders and chance.random() < 0.5:
        place = chance.choice(orders)
        return [*parts[:place], chance.choice(("I", "You", "They")), " ", *_past(parts[place]), *parts[place + 1 :]]
    if not marks:
        return None
    place = chance.choice(marks)
    return [*parts[:place], "?" if parts[place] == "." else ".", *parts[place + 1 :]]


def _past(verb: str) -> list[str]:
    import lemminflect

    forms = lemminflect.getInflection(verb.lower(), tag="VBD")
    return [forms[0] if forms else verb.lower()]


def _put(parts: list[str], places: Sequence[tuple[int, str]], chance: Random) -> list[str] | None:
    if not places:
        return None
    place, word = chance.choice(places)
    return [*parts[:place], _like(word, parts[place]), *parts[place + 1 :]]


def _segments(parts: Sequence[str]) -> list[tuple[int, int]]:
    """Stretches that can go or come: from a preposition, joint or mark up to the next, and whole sentences."""
    cuts = [0]
    for i, part in enumerate(parts):
        if part in ".,?!;" or (part.casefold() in _CUTS and i > cuts[-1] + 1):
            cuts.append(i)
    cuts.append(len(parts))
    return [(start, end) for start, end in pairwise(cuts) if start < end]


def _runs(parts: Sequence[str]) -> list[tuple[int, int]]:
    """Runs of content words and slots after a determiner, a preposition or a mark, or with a name: mostly nouns."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for i, part in enumerate((*parts, ".")):
        inside = _content(part) or part.startswith("{") or (part.isspace() and start is not None)
        if inside and start is None:
            start = i
        elif not inside and start is not None:
            end = i
            while parts[end - 1].isspace():
                end -= 1
            if _noun_like(parts, start, end):
                runs.append((start, end))
            start = None
    return runs


def _noun_like(parts: Sequence[str], start: int, end: int) -> bool:
    before = parts[start - 2].casefold() if start >= 2 and parts[start - 1].isspace() else "."
    named = any(part.startswith("{") or (part[0].isupper() and start > 0) for part in parts[start:end])
    return named or before in _DETERMINERS or before in _PREPOSITIONS or before in ".?!,"


def _content(part: str) -> bool:
    return len(part) > 2 and part[0].isalpha() and part.casefold() not in _CLOSED


def _words(parts: Sequence[str]) -> int:
    return sum(bool(_WORD.match(part)) for part in parts)


def _like(word: str, model: str) -> str:
    """The word with a capital where `model` has one."""
    return word[:1].upper() + word[1:] if model[:1].isupper() and model != "I" else word


def _cased(moved: Sequence[str], place: Sequence[str]) -> list[str]:
    """Words for another place: capital if that place had one, unless they are a name's."""
    first = moved[0]
    if place[0][:1].isupper():
        first = first[:1].upper() + first[1:]
    elif first[:1].isupper():
        first = first[:1].lower() + first[1:]
    return [first, *moved[1:]]
