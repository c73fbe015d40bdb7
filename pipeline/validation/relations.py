"""How two words are related in meaning: how near, or opposites; from WordNet and the house lists."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from pipeline.validation.dictionary import lemmas, senses
from pipeline.validation.wordsets import lines


@cache
def _links() -> dict[str, str]:
    return {line[: line.index(" ")]: line for line in lines("wordnet_links")}


@lru_cache(maxsize=8192)
def _sense_set(lemma: str) -> frozenset[str]:
    entry = senses().get(lemma)
    return frozenset(entry.split()[3:]) if entry else frozenset()


@lru_cache(maxsize=8192)
def _beside(lemma: str) -> frozenset[str]:
    """The senses one step away from a lemma's own."""
    links = _links()
    return frozenset(near for sense in _sense_set(lemma) if sense in links for near in links[sense].split()[1:])


@cache
def _synonyms() -> dict[str, tuple[int, ...]]:
    """The numbers of the synonym lines that a word stands on."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines("synonyms")):
        for word in line.split():
            found.setdefault(word, []).append(number)
    return {word: tuple(numbers) for word, numbers in found.items()}


@cache
def _house_opposites() -> dict[str, frozenset[str]]:
    """The pairs of `opposites.txt`, both ways."""
    found: dict[str, set[str]] = {}
    for line in lines("opposites"):
        left, right = (side.split() for side in line.split("|"))
        for one in left:
            found.setdefault(one, set()).update(right)
        for one in right:
            found.setdefault(one, set()).update(left)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found = {word: set(others) for word, others in _house_opposites().items()}
    for line in lines("wordnet_antonyms"):
        one, other = line.split()
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


class Meaning(NamedTuple):
    """What a word may stand for, as keys to compare: dictionary forms, synonyms, and what lies next to them."""

    lemmas: frozenset[str]
    close: frozenset[str]
    """House synonyms and WordNet senses."""
    beside: frozenset[str]
    """Senses one step away."""
    stem: str
    """The first five letters of a long word; empty for a short one."""


@lru_cache(maxsize=32768)
def meaning(word: str) -> Meaning:
    """The keys of a word."""
    forms = lemmas(word)
    synonyms = _synonyms()
    close = {f"={group}" for form in forms for group in synonyms.get(form, ())}
    close.update(sense for form in forms for sense in _sense_set(form))
    beside = frozenset(sense for form in forms for sense in _beside(form))
    return Meaning(forms, frozenset(close), beside, word[:5] if len(word) > 5 else "")


class Nearness(dict[str, float]):
    """How far other words stand for one word: 1 the same lemma, .9 synonyms, .7 next to each other in WordNet, 0
    unrelated. The same both ways. What was asked for is kept, up to a number of words."""

    __slots__ = ("word",)
    _KEPT = 512

    def __init__(self, word: str) -> None:
        super().__init__({word: 1.0})
        self.word = word

    def __missing__(self, other: str) -> float:
        near = _closeness(meaning(self.word), meaning(other))
        if len(self) >= self._KEPT:
            self.clear()
        self[other] = near
        return near


nearness = lru_cache(maxsize=2048)(Nearness)


def closeness(one: str, other: str) -> float:
    """How far one word stands for another, on the scale of `Nearness`."""
    return nearness(one)[other]


def _closeness(mine: Meaning, its: Meaning) -> float:
    if not mine.lemmas.isdisjoint(its.lemmas):
        return 1.0
    if not mine.close.isdisjoint(its.close):
        return 0.9
    beside = not mine.beside.isdisjoint(its.close) or not mine.close.isdisjoint(its.beside)
    return 0.7 if beside or (mine.stem and mine.stem == its.stem) else 0.0


@lru_cache(maxsize=32768)
def opposites(word: str) -> frozenset[str]:
    """The lemmas that are opposites of a word (late and early, lock and unlock)."""
    known = _opposites()
    found: set[str] = set()
    for form in lemmas(word):
        found |= known.get(form, frozenset())
        found |= {"un" + form, "dis" + form, form.removeprefix("un"), form.removeprefix("dis")} - {form}
    return frozenset(found)


def opposite(one: str, other: str) -> bool:
    """True if the two words are opposites."""
    return not opposites(one).isdisjoint(lemmas(other))


@lru_cache(maxsize=32768)
def plainly_opposite(one: str, other: str) -> bool:
    """True for opposites beyond doubt: a pair of the house list, or a word with and without its un- or dis-."""
    house, mine, its = _house_opposites(), lemmas(one), lemmas(other)
    if any(not house.get(form, frozenset()).isdisjoint(its) for form in mine):
        return True
    prefixed = {no + form for no in ("un", "dis") for form in mine}, {no + form for no in ("un", "dis") for form in its}
    return not (prefixed[0].isdisjoint(its) and prefixed[1].isdisjoint(mine))
