"""Who does what in a text: the subject of each verb, what it is done to, and whose things are whose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.validation.dictionary import is_base_form, word_class
from pipeline.validation.wording import Word
from pipeline.validation.wordsets import word_set

_AUXILIARIES = word_set("auxiliaries")
_DISCOURSE = word_set("discourse")
_MODALS = word_set("modals")
_UNCHANGED = word_set("unchanged_verbs")
_AFTER_ORDER = word_set("after_order")
_BEFORE_ORDER = frozenset({"do", "not", "never", "please", "just", "always", "go"})
_LEADING = _BEFORE_ORDER | _DISCOURSE
_CAUSING = frozenset({"get", "got", "gets", "have", "had", "has", "make", "made", "let", "want", "need", "see", "saw"})
_BEFORE_TO = frozenset({"have", "has", "had", "got", "going", "need", "used"})
_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "get", "gets", "got"})
_SUBJECTS = {
    "i": "1", "we": "1", "you": "2", "ya": "2", "he": "3", "she": "3", "they": "3", "it": "3", "who": "", "that": "",
    "nobody": "n", "someone": "n", "somebody": "n", "everyone": "n", "everybody": "n", "anyone": "n", "anybody": "n",
    "one": "n",
}  # fmt: skip
_OBJECTS = {"me": "1", "us": "1", "you": "2", "him": "3", "her": "3", "them": "3", "myself": "1", "yourself": "2"}
_OWNERS = {"my": "1", "our": "1", "mine": "1", "your": "2", "yours": "2", "his": "3", "her": "3", "their": "3"}


class Role(NamedTuple):
    """Who does a verb, to whom: `1`, `2`, `3` persons, `n` a noun, `imp` an order; empty where unsaid."""

    verb: str
    subject: str
    object: str
    modal: bool
    clause: int


def roles_of(words: Sequence[Word]) -> tuple[Role, ...]:
    """The role of each verb that says something."""
    found: list[Role] = []
    for at, word in enumerate(words):
        if not word.verbal or word.weight == 0:
            continue
        subject, modal = _subject(words, at)
        if subject in ("1", "2") and _habit(words, at):
            continue
        after = words[at + 1].text if at + 1 < len(words) else ""
        target = _OBJECTS.get(after, "") if after != "her" or at + 2 >= len(words) or words[at + 2].weight == 0 else ""
        found.append(Role(word.text, subject, target, modal, word.clause))
    return tuple(found)


def owners_of(words: Sequence[Word]) -> tuple[tuple[str, str], ...]:
    """(person, noun) for each thing that is said to be somebody's."""
    found: list[tuple[str, str]] = []
    for at, word in enumerate(words):
        if word.text in _OWNERS:
            for near in words[at + 1 : at + 4]:
                if near.clause != word.clause or near.weight == 0:
                    break
                found.append((_OWNERS[word.text], near.text))
    return tuple(found)


OWNING = frozenset(_OWNERS)
"""Words that say whose a thing is."""


def _habit(words: Sequence[Word], at: int) -> bool:
    """True for "you know", "I guess" and the like, a clause of their own."""
    if words[at].weight > 0.3:
        return False
    alone = sum(word.clause == words[at].clause for word in words) <= 2
    return alone or (words[at].text == "know" and words[at - 1].opens)


def _subject(words: Sequence[Word], at: int) -> tuple[str, bool]:
    """The subject's person for the verb at `at`, and whether a modal stands between; empty where it is unsaid or
    unsure."""
    modal = passive = False
    verb, clause = words[at].text, words[at].clause
    for back in range(at - 1, -1, -1):
        word = words[back]
        if word.clause != clause:
            break
        text = word.text
        if text in _SUBJECTS:
            if back and words[back - 1].text in _CAUSING and not is_base_form(verb):  # have it fixed: by whom is unsaid
                return "", modal
            return "" if passive else _SUBJECTS[text], modal
        if word.opens and text in _DISCOURSE:
            continue
        if text not in _AUXILIARIES and text != "please":
            certain = word.weight > 0 and not (passive or word.verbal or is_base_form(verb) or word_class(text) == "a")
            if certain and any(w.text in _CAUSING for w in words[:back] if w.clause == clause):
                certain = False
            return ("n" if certain else ""), modal
        modal = modal or text in _MODALS
        passive = passive or (text in _BE and verb.endswith(("ed", "en", "t", "d", "n")))
        if text == "to" and back and words[back - 1].text not in _BEFORE_TO:
            return "", modal
    return ("imp" if _ordered(words, at) else ""), modal


def _ordered(words: Sequence[Word], at: int) -> bool:
    """True if the verb at `at`, which has no subject, gives an order."""
    verb, clause, denied = words[at].text, words[at].clause, words[at].denied
    if denied is None or not is_base_form(verb):
        return False
    lead = [word for word in words[:at] if word.clause == clause]
    if not (lead[0] if lead else words[at]).opens or any(word.text not in _LEADING for word in lead):
        return False
    follows = words[at + 1].text if at + 1 < len(words) else ""
    # No orders: "Set by the authority", "Full now"
    reported = follows == "by" and verb in _UNCHANGED
    return not reported and (word_class(verb) != "a" or follows in _AFTER_ORDER)
