"""What a text adds: things pointed at, clauses and thoughts of its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pipeline.content.terms import Kind
from pipeline.validation.analysis import Analysis
from pipeline.validation.dictionary import is_person, lemmas
from pipeline.validation.wording import Word
from pipeline.validation.wordsets import word_set

_PEOPLE = word_set("people")


def new_clause(text: Analysis, new: Collection[str], kind: Kind) -> bool:
    """True if a clause with a subject of its own says nothing that the base text says; in a behavior, a clause that
    `and` or `then` opens, with a thing in it."""
    said: dict[int, list[Word]] = {}
    for word in text.content:
        if word.weight > 0.3:
            said.setdefault(word.clause, []).append(word)
    fresh = {clause for clause, words in said.items() if all(word.text in new for word in words)}
    if not fresh:
        return False
    opening: dict[int, str] = {}
    for word in text.words:
        opening.setdefault(word.clause, word.text)
    if kind is Kind.dialogue:
        if any(opening[clause] in _GIVING_REASONS or opening[clause] in _SUBJECTS for clause in fresh):
            return True
        return any(
            role.subject in ("1", "2", "3", "n")
            and role.clause in fresh
            and role.verb in new
            and "go" not in lemmas(role.verb)
            for role in text.roles
        )
    return any(
        opening[clause] in ("and", "then")
        and sum(word.weight for word in said[clause]) >= 1.0
        and any(word.verbal for word in text.words if word.clause == clause)
        for clause in fresh
    )


_GIVING_REASONS = frozenset({"so", "because", "since"})
_SUBJECTS = frozenset({"i", "he", "she", "they", "we"})
_MIND = frozenset(
    {
        "think",
        "wonder",
        "remember",
        "hope",
        "decide",
        "realise",
        "realize",
        "dream",
        "recall",
        "wish",
        "find",
        "notice",
        "discover",
    }
)


def added_thought(base: Analysis, voiced: Analysis) -> tuple[int, int] | None:
    """Where somebody thinks, though nobody does in the base text."""
    for word in () if _MIND.isdisjoint(voiced.lemmas) else voiced.words:
        if not _MIND.isdisjoint(lemmas(word.text)) and base.cover(word.text) < 0.9:
            return word.span
    return None


_POINTING = {
    Kind.dialogue: frozenset({"for", "after", "since", "about", "with", "against", "because", "over", "during"}),
    Kind.behavior: frozenset({"for", "about", "against"}),
}


def is_pointed(at: int, words: Sequence[Word], kind: Kind, new: Collection[str]) -> bool:
    """True for a person, and for what a thing is done for, after or about ("for sabotage", "since the strike")."""
    word, pointing = words[at], _POINTING[kind]
    if word.text in _PEOPLE or is_person(word.text):
        return True
    seen = 0
    for back in range(at - 1, -1, -1):
        before = words[back]
        if before.clause != word.clause:
            break
        if before.span == word.span:  # the first half of a contraction
            continue
        seen += 1
        if before.text in pointing:
            return True
        if (before.weight > 0.3 and before.text not in new) or seen == 3:
            break
    return False
