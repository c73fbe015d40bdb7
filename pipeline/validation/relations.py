"""How near two words are in meaning: synonyms, opposites and weights, from WordNet and the house lists."""

from __future__ import annotations

from functools import cache, lru_cache

from pipeline.validation.wordsets import lines, word_set

_NO_LEMMA = frozenset(["s", "d", "m", "re", "ve", "ll", "t"])


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
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines("synonyms"):
        words = line.split()
        for word in words:
            found.setdefault(word, set()).update(words)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines("opposites"):
        left, right = (side.split() for side in line.split("|"))
        for one in left:
            found.setdefault(one, set()).update(right)
        for one in right:
            found.setdefault(one, set()).update(left)
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


@lru_cache(maxsize=65536)
def closeness(one: str, other: str) -> float:
    """How far one word stands for another: 1 the same lemma, .9 synonyms, .7 next to each other in WordNet, 0 unrelated."""
    mine, theirs = lemmas(one), lemmas(other)
    if not mine.isdisjoint(theirs):
        return 1.0
    best = 0.0
    synonyms = _synonyms()
    for a in mine:
        if a in synonyms and not synonyms[a].isdisjoint(theirs):
            return 0.9
        senses, beside = _sense_set(a), _beside(a)
        for b in theirs:
            other_senses = _sense_set(b)
            if not senses.isdisjoint(other_senses):
                return 0.9
            if not beside.isdisjoint(other_senses) or not senses.isdisjoint(_beside(b)):
                best = 0.7
    if best == 0.0 and len(one) > 5 and len(other) > 5 and one[:5] == other[:5]:
        return 0.7
    return best


@lru_cache(maxsize=65536)
def opposite(one: str, other: str) -> bool:
    """True if the two words are opposites (late and early, lock and unlock)."""
    known = _opposites()
    mine, theirs = lemmas(one), lemmas(other)
    if any(a in known and not known[a].isdisjoint(theirs) for a in mine):
        return True
    return any(a == "un" + b or b == "un" + a or a == "dis" + b or b == "dis" + a for a in mine for b in theirs)


_CLASS_WEIGHT = {"n": 1.0, "p": 1.0, "v": 0.5, "a": 0.6, "r": 0.3}


@lru_cache(maxsize=16384)
def weight(word: str) -> float:
    """How much a word says: 0 for function words, .3 for light ones, by part of speech and rarity for the rest, at most 1."""
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
def is_person(word: str) -> bool:
    """True if the word mostly names a person (foreman, courier)."""
    known = _senses()
    return any(lemma in known and known[lemma].split(" ", 3)[2] == "p" for lemma in lemmas(word))


@lru_cache(maxsize=16384)
def is_base_form(word: str) -> bool:
    """True if the word is a verb in its bare form (check, not checks)."""
    import lemminflect

    return word in lemminflect.getAllLemmas(word).get("VERB", ())
