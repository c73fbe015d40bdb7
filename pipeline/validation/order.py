"""What stands where: two things that changed places, or two events that changed their order."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from itertools import chain

from pipeline.validation.analysis import Analysis, analyse
from pipeline.validation.dictionary import lemmas, weight
from pipeline.validation.normalise import fold
from pipeline.validation.relations import closeness, opposite
from pipeline.validation.wording import Word


def changed_places(base: str, voiced: str) -> str:
    """What changed places, as a sentence: two things round the same verb or comparative, from clause to clause, or
    what comes first and what comes then. Empty where nothing did."""
    if (earlier := _sequence(base)) and (later := _sequence(voiced)) and _crossed(earlier, later):
        return "What comes first and what comes then have changed places."
    if changed := _changed_attributes(base, voiced):
        return f'"{changed[0]}" and "{changed[1]}" have changed places.'
    was = _sides(base)
    if sum(map(bool, chain(*was.values()))) < 2:  # one thing alone has no other's place to take
        return ""
    now = _sides_of(analyse(voiced), was)
    moved: set[tuple[str, str]] = set()
    for middle, sides in now.items():
        for one, other in zip(was[middle], sides, strict=True):
            if one and other and one != other and closeness(one, other) < 0.9:
                moved.add((one, other))
    if len(moved) < 2:
        return ""
    for one, other in sorted(moved):
        if any(closeness(one, back) >= 0.9 and closeness(other, away) >= 0.9 for away, back in moved):
            return f'"{_shown(one)}" and "{_shown(other)}" have changed places.'
    return ""


def _shown(word: str) -> str:
    """Persons are kept as marks: @1 and @2."""
    return {"@1": "I", "@2": "you"}.get(word, word)


def _changed_attributes(said: str, again: str) -> tuple[str, str] | None:
    """Two opposites of the base text (old, new) of which each now stands in the clause of the other."""
    pairs = _opposed(said)
    if not pairs:
        return None
    base, voiced = analyse(said), analyse(again)
    for one, other in pairs:
        if one not in voiced.texts or other not in voiced.texts:
            continue
        was = _companions(base, one, other), _companions(base, other, one)
        now = _companions(voiced, one, other), _companions(voiced, other, one)
        if None in was or None in now:
            continue
        straight = sum(_shared(mine, its) for mine, its in zip(was, now, strict=True))
        crossed = _shared(was[0], now[1]) + _shared(was[1], now[0])
        if crossed >= 1.0 and straight == 0:
            return one, other
    return None


@lru_cache(maxsize=512)
def _opposed(said: str) -> tuple[tuple[str, str], ...]:
    """The opposites that a text holds both of."""
    words = sorted(text for text in analyse(said).texts if weight(text) > 0)
    return tuple((one, other) for at, one in enumerate(words) for other in words[at + 1 :] if opposite(one, other))


def _companions(text: Analysis, word: str, other: str) -> frozenset[str] | None:
    """What stands in the clause of a word; None where that is not sure: the word comes twice, or with its opposite."""
    clauses = [each.clause for each in text.words if each.text == word]
    beside = [each.text for each in text.content if each.clause == clauses[0] and each.text != word]
    return None if len(clauses) > 1 or other in beside else frozenset(beside)


def _shared(mine: frozenset[str] | None, its: frozenset[str] | None) -> float:
    """The weight of what two clauses have in common."""
    return sum(weight(word) for word in mine or () if any(closeness(word, each) >= 0.9 for each in its or ()))


def _crossed(was: _Sides, now: _Sides) -> bool:
    return bool(was[0] & now[1] and was[1] & now[0]) and not (was[0] & now[0] or was[1] & now[1])


_Sides = tuple[frozenset[str], frozenset[str]]


@lru_cache(maxsize=16384)
def _thing(word: str) -> bool:
    return word[:1] == "@" or (weight(word) >= 0.5 and not word.endswith(("ing", "ed")))


_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "got", "gets", "'s", "'re", "'m"})
_PREPOSITIONS = frozenset({"from", "in", "on", "at", "with", "to", "into", "near", "under", "behind", "for", "of"})
_TURNING = frozenset({"before", "after", "until", "till", "than"})
_PLACES = frozenset({"on", "in", "under", "behind", "beside", "inside", "above", "below", "beneath", "atop"})
"""Words between a thing and where it stands."""


@lru_cache(maxsize=512)
def _sides(said: str) -> dict[str, tuple[str, str]]:
    """The sides of all middles of a text that have a thing on one."""
    return {middle: sides for middle, sides in _sides_of(analyse(said), None).items() if any(sides)}


def _sides_of(text: Analysis, wanted: Container[str] | None) -> dict[str, tuple[str, str]]:
    """By a verb's or a comparative's dictionary form, or a turning word: the things right before and after it; empty
    where there are none. Only of the wanted ones; None: of all."""
    found: dict[str, tuple[str, str]] = {}
    if "by" in text.texts:  # done by whom: the sides may have changed with the voice
        return found
    clause, last, earlier, governed, be_at = -1, "", "", False, -9
    for at, word in enumerate(text.words):
        said, weighs = word.text, word.weight
        if word.clause != clause:
            earlier, last = last, ""
            clause, governed, be_at = word.clause, False, -9
        turning = said in _TURNING or (said in _PLACES and not weighs)
        if turning or (weighs and (word.verbal or said.endswith("er"))):
            undergone = word.verbal and at - be_at <= 3
            forms: Iterable[str] = (said,) if turning else lemmas(said)
            forms = [f"be {form}" for form in forms] if undergone else forms
            if wanted is not None:
                forms = [form for form in forms if form in wanted]
            if forms:
                # "back from the workshop comes the gearbox": what a preposition governs does nothing
                before = (last or earlier) if turning else "" if governed else last
                after = _after(text.words, at)
                sides = before if _thing(before) else "", after if _thing(after) else ""
                for form in forms:
                    found[form] = sides
        if said in _BE:
            be_at = at
        elif said in _PREPOSITIONS:
            governed = True
        elif weighs > 0.3:
            last = said
        if said in _PERSONS:
            last = _PERSONS[said]
    return found


def _after(words: Sequence[Word], at: int) -> str:
    """What comes right after a word in its clause: a person, or the last of the words that make one name (cargo
    lift); empty where nothing does."""
    found = ""
    for next_at in range(at + 1, len(words)):
        word = words[next_at]
        if word.text == "'s":  # the recycler's filter
            continue
        if word.clause != words[at].clause or (found and not _thing(word.text)):
            break
        if word.text in _PERSONS and not found:
            return _PERSONS[word.text]
        if word.weight > 0.3:
            found = word.text
            if word.weight < 1:
                break
    return found


_PERSONS = {"i": "@1", "me": "@1", "we": "@1", "us": "@1", "you": "@2"}
"""Third persons are left out: a pronoun may stand for either noun."""


@lru_cache(maxsize=512)
def _sequence(said: str) -> _Sides | None:
    """The dictionary forms of what comes first and of what comes then; None where a text does not say."""
    text = analyse(said)
    if text.texts.isdisjoint(_IN_TIME):
        return None
    words = [word for word in text.words if word.weight or word.text in _IN_TIME]
    at = next((at for at, word in enumerate(words) if word.text in _IN_TIME), None)
    if at is None or _POINTS_BACK.search(fold(said).lower) or sum(word.text in _IN_TIME for word in words) > 1:
        return None
    turn, before, after = words[at], words[:at], words[at + 1 :]
    if not before:  # "before you eat, you pay"
        before = [word for word in after if word.clause > turn.clause]
        after = [word for word in after if word.clause == turn.clause]
    left, right = (frozenset().union(*(lemmas(word.text) for word in side)) for side in (before, after))
    return (right, left) if turn.text == "after" else (left, right)


_POINTS_BACK = re.compile(r"\b(?:after|before) (?:that|this)\b|\b(?:after|before)\s*[.!?,;—–]")
_IN_TIME = frozenset({"before", "after", "then"})
