"""How near two words are in meaning: synonyms, opposites and weights, from WordNet and the house lists."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from pipeline.validation.wordsets import lines, word_set

_NO_LEMMA = frozenset({"s", "d", "m", "re", "ve", "ll", "t"})


@cache
def _senses() -> dict[str, str]:
    return {line[: line.index(" ")]: line for line in lines("wordnet_senses")}


@cache
def _links() -> dict[str, str]:
    return {line[: line.index(" ")]: line for line in lines("wordnet_links")}


@lru_cache(maxsize=8192)
def _sense_set(lemma: str) -> frozenset[str]:
    entry = _senses().get(lemma)
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


@lru_cache(maxsize=16384)
def lemmas(word: str) -> frozenset[str]:
    """The word and its dictionary forms, over all parts of speech."""
    if len(word) < 3 or word in _NO_LEMMA:
        return frozenset((word,))
    import lemminflect

    return frozenset(lemma for group in lemminflect.getAllLemmas(word).values() for lemma in group) | {word}


@lru_cache(maxsize=16384)
def is_verb(word: str) -> bool:
    """True if the dictionary knows the word as a verb form."""
    import lemminflect

    return "VERB" in lemminflect.getAllLemmas(word)


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


@lru_cache(maxsize=1 << 17)
def closeness(one: str, other: str) -> float:
    """How far one word stands for another: 1 the same lemma, .9 synonyms, .7 next to each other in WordNet, 0
    unrelated. The same both ways."""
    if one == other:
        return 1.0
    mine, its = meaning(one), meaning(other)
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


_CLASS_WEIGHT = {"n": 1.0, "p": 1.0, "v": 0.5, "a": 0.6, "r": 0.3}


@lru_cache(maxsize=16384)
def weight(word: str) -> float:
    """How much a word says: 0 for function words, .3 for light ones, by part of speech and rarity for the rest, at
    most 1."""
    if word in word_set("function_words") or word in word_set("negators") or not word[:1].isalpha():
        return 0.0
    if word in word_set("light_words"):
        return 0.3
    known = _senses()
    entries = [known[lemma].split(" ", 3) for lemma in lemmas(word) if lemma in known]
    if not entries:
        return 1.0
    _, count, kind, _ = max(entries, key=lambda entry: int(entry[1]))
    if word.endswith(("ed", "ing")) and is_verb(word):
        kind = "v"
    if kind == "v" and not lemmas(word).isdisjoint(word_set("light_words")):
        return 0.3
    return min(_CLASS_WEIGHT[kind], 0.6) if int(count) > 400 else _CLASS_WEIGHT[kind]


@lru_cache(maxsize=16384)
def word_class(word: str) -> str:
    """The part of speech under which WordNet counts the word itself most: n, p (a person), v, a, r; empty where it is
    unknown."""
    entry = _senses().get(word)
    return entry.split(" ", 3)[2] if entry else ""


@lru_cache(maxsize=16384)
def is_noun(word: str) -> bool:
    """True if WordNet lists the word itself as a noun first (hearing, meeting)."""
    return word_class(word) in ("n", "p")


@lru_cache(maxsize=16384)
def is_person(word: str) -> bool:
    """True if the word mostly names a person (foreman, courier)."""
    if word.endswith("s") and is_verb(word):  # yanks, cooks
        return False
    known = _senses()
    return any(lemma in known and known[lemma].split(" ", 3)[2] == "p" for lemma in lemmas(word))


@lru_cache(maxsize=16384)
def is_base_form(word: str) -> bool:
    """True if the word is a verb in its bare form (check, not checks)."""
    import lemminflect

    return word in lemminflect.getAllLemmas(word).get("VERB", ())
