"""What the dictionaries say of a word by itself: its dictionary forms, its parts of speech, how much it says."""

from __future__ import annotations

from functools import cache, lru_cache

from pipeline.validation.wordsets import lines, word_set

_NO_LEMMA = frozenset({"s", "d", "m", "re", "ve", "ll", "t"})


@cache
def senses() -> dict[str, str]:
    """The lines of the WordNet cut by lemma: lemma, count, class, senses."""
    return {line[: line.index(" ")]: line for line in lines("wordnet_senses")}


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


_CLASS_WEIGHT = {"n": 1.0, "p": 1.0, "v": 0.5, "a": 0.6, "r": 0.3}


@lru_cache(maxsize=16384)
def weight(word: str) -> float:
    """How much a word says: 0 for function words, .3 for light ones, by part of speech and rarity for the rest, at
    most 1."""
    if word in word_set("function_words") or word in word_set("negators") or not word[:1].isalpha():
        return 0.0
    if word in word_set("light_words"):
        return 0.3
    known = senses()
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
    entry = senses().get(word)
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
    known = senses()
    return any(lemma in known and known[lemma].split(" ", 3)[2] == "p" for lemma in lemmas(word))


@lru_cache(maxsize=16384)
def is_base_form(word: str) -> bool:
    """True if the word is a verb in its bare form (check, not checks)."""
    import lemminflect

    return word in lemminflect.getAllLemmas(word).get("VERB", ())
