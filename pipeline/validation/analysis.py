"""A text taken apart for the rules on meaning: words with weight, clause and polarity, sentences, who does what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pipeline.validation.normalise import SLOT_MARK, WORD, fold, lowered
from pipeline.validation.relations import Meanings, is_base_form, is_verb, meaning, weight
from pipeline.validation.wordsets import word_set

_PIECE = re.compile(rf"{WORD.pattern}|[.!?…]+|--|[,;:—–]")
_SPLIT = {
    "won't": ("will", "not"), "can't": ("can", "not"), "cannot": ("can", "not"), "shan't": ("shall", "not"),
    "ain't": ("is", "not"), "dunno": ("do", "not", "know"), "lemme": ("let", "me"), "gimme": ("give", "me"),
    "wanna": ("want", "to"), "d'you": ("do", "you"), "c'mon": ("come", "on"), "gonna": ("going", "to"),
    "gotta": ("have", "to"),
}  # fmt: skip
_CONJUNCTIONS = word_set("conjunctions")
_AUXILIARIES = word_set("auxiliaries")
_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "get", "gets", "got"})
_MODALS = frozenset(
    [
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "'ll",
        "'d",
        "have",
        "has",
        "had",
        "need",
        "to",
        "going",
    ]
)
_SUBJECTS = {
    "i": "1", "we": "1", "you": "2", "ya": "2", "he": "3", "she": "3", "they": "3", "it": "3", "who": "?", "that": "?",
    "nobody": "n", "someone": "n", "somebody": "n", "everyone": "n", (
        "everybody"
    ): "n", "anyone": "n", "anybody": "n", "one": "n",
}  # fmt: skip
_OBJECTS = {"me": "1", "us": "1", "you": "2", "him": "3", "her": "3", "them": "3", "myself": "1", "yourself": "2"}
_OWNERS = {"my": "1", "our": "1", "mine": "1", "your": "2", "yours": "2", "his": "3", "her": "3", "their": "3"}
_STAY_OFF = re.compile(r"\b(?:stay|keep|steer|hands)s? (?:\w+ )?(?:off|out of|away from|clear of|back from)\b")


class Word(NamedTuple):
    """One word of a text."""

    text: str
    """Folded, lower case, contractions opened."""
    span: tuple[int, int]
    weight: float
    """How much it says: 0 for function and discourse words."""
    denied: bool | None
    """True in the scope of a negation, None where a trailing negation may reach back."""
    clause: int
    opens: bool
    """True for the first word of a sentence that is no discourse word."""


class Role(NamedTuple):
    """Who does a verb, to whom: `1`, `2`, `3` persons, `n` a noun, `imp` an order; empty where unsaid."""

    verb: str
    subject: str
    object: str
    modal: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the rules on meaning share about a text."""

    words: tuple[Word, ...]
    content: tuple[Word, ...]
    """The words that weigh anything."""
    meanings: Meanings
    """Of all words, to be compared at once."""
    asks: bool
    """True if a sentence ends in a question mark."""
    denials: int
    roles: tuple[Role, ...]
    owners: tuple[tuple[str, str], ...]
    """(person, noun): whose thing it is, as in my, your."""


@lru_cache(maxsize=8192)
def analyse(text: str) -> Analysis:
    """`text` taken apart. Slots are words of weight 0: other rules watch them."""
    found, denials, asks = _words(text)
    content = tuple(word for word in found if word.weight > 0)
    meanings = Meanings(meaning(word.text) for word in found)
    return Analysis(tuple(found), content, meanings, asks, denials, tuple(_roles(found)), tuple(_owners(found)))


def _words(text: str) -> tuple[list[Word], int, bool]:
    folded = fold(text)
    lower = lowered(folded)
    discourse = word_set("discourse")
    off = (
        {m.end() for m in _STAY_OFF.finditer(lower)} if "of" in lower or "away" in lower or "clear" in lower else set()
    )
    found: list[Word] = []
    clause = denials = 0
    scope = _Scope()
    opens, asks, fresh = True, False, True
    for match in _PIECE.finditer(lower):
        piece, start, end = match[0], match.start(), match.end()
        if not (piece[0].isalnum() or piece[0] in f"'{SLOT_MARK}"):
            asks = asks or "?" in piece
            if not fresh:
                found = _reach_back(found, clause, scope)
                clause, scope, fresh = clause + 1, _Scope(), True
            opens = opens or piece[0] in ".!?…—–:;-"
            continue
        for part in _parts(piece):
            if part in _CONJUNCTIONS and not fresh:
                found = _reach_back(found, clause, scope)
                clause, scope = clause + 1, _Scope()
            heavy = 0.0 if SLOT_MARK in part or (fresh and part in discourse and _lone(lower, end)) else weight(part)
            denials += scope.meet(part, heavy, lone=_lone(lower, end), off=end in off)
            found.append(Word(part, folded.span(start, end), heavy, scope.polarity, clause, opens))
            fresh = False
            opens = opens and (part in discourse or part == "please")
    return _reach_back(found, clause, scope), denials, asks


class _Scope:
    """How far a negation reaches within its clause: surely over the next content words, perhaps over the rest."""

    def __init__(self) -> None:
        self.polarity: bool | None = False
        self.negated = False
        self._met = False
        self._verb = False

    @property
    def trailing(self) -> bool:
        """True if the clause denies and names nothing after its negation."""
        return self.negated and not self._met

    def meet(self, part: str, heavy: float, *, lone: bool, off: bool) -> bool:
        """Take in the next word; True if it denies."""
        if part == "without":
            self.polarity, self._met = None, True
            return True
        if off or part in _REFUSING:
            self.polarity, self._met = None, True
            return off
        if part in word_set("negators") and not (part == "no" and lone):
            self.polarity, self.negated, self._met = True, True, False
            return True
        if self.negated and self._met and (heavy == 0 or self._verb):
            self.polarity = None
        self._met = self._met or heavy > 0
        self._verb = heavy > 0 and is_base_form(part)
        return False


def _parts(piece: str) -> tuple[str, ...]:
    if piece in _SPLIT:
        return _SPLIT[piece]
    if piece.endswith("n't"):
        return piece[:-3], "not"
    return (piece,)


def _lone(text: str, end: int) -> bool:
    """True if the word that ends here is followed by punctuation or nothing."""
    return (not text[end : end + 1].strip() and not text[end : end + 2].strip()) or text[end : end + 1] in ",.;:!?…—–-"


def _reach_back(found: list[Word], clause: int, scope: _Scope) -> list[Word]:
    """After a clause that denies without naming anything ("No, I'm not."), earlier words may be denied as well."""
    if not scope.trailing:
        return found
    named = any(word.clause == clause and word.weight > 0 for word in found)
    return [
        w._replace(denied=None) if w.weight > 0 and not w.denied and w.clause >= clause * named else w for w in found
    ]


_REFUSING = frozenset(
    [
        "refuse",
        "refuses",
        "refused",
        "fail",
        "fails",
        "failed",
        "decline",
        "declines",
        "avoid",
        "avoids",
        "forget",
        "forgets",
        "forgot",
    ]
)


def _roles(words: list[Word]) -> list[Role]:
    found: list[Role] = []
    for at, word in enumerate(words):
        if word.weight == 0 or word.text in _AUXILIARIES or not is_verb(word.text):
            continue
        subject, modal = _subject(words, at)
        if subject in ("1", "2") and _habit(words, at):
            continue
        after = words[at + 1].text if at + 1 < len(words) else ""
        target = _OBJECTS.get(after, "") if after != "her" or at + 2 >= len(words) or words[at + 2].weight == 0 else ""
        found.append(Role(word.text, subject, target, modal))
    return found


def _habit(words: list[Word], at: int) -> bool:
    """True for "you know", "I guess" and the like, a clause of their own."""
    alone = sum(word.clause == words[at].clause for word in words) <= 2
    return words[at].weight <= 0.3 and (alone or (words[at].text == "know" and words[at - 1].opens))


def _subject(words: list[Word], at: int) -> tuple[str, bool]:
    """The subject's person for the verb at `at`, and whether a modal stands between; empty where it is unsaid or
    unsure."""
    modal = passive = False
    verb = words[at].text
    for back in range(at - 1, -1, -1):
        word = words[back]
        if word.clause != words[at].clause:
            break
        if word.text in _SUBJECTS:
            return ("", modal) if passive else (_SUBJECTS[word.text].replace("?", ""), modal)
        if word.text in word_set("discourse") and word.opens:
            continue
        if word.text not in _AUXILIARIES and word.text != "please":
            made = any(w.text in _CAUSING for w in words[:back] if w.clause == word.clause)
            certain = word.weight > 0 and not (passive or made or is_base_form(verb) or is_verb(word.text))
            return ("n" if certain else ""), modal
        modal = modal or word.text in _MODALS
        passive = passive or (word.text in _BE and verb.endswith(("ed", "en", "t", "d", "n")))
        if word.text == "to" and back and words[back - 1].text not in _BEFORE_TO:
            return "", modal
    lead = [word for word in words[:at] if word.clause == words[at].clause]
    plain = all(word.text in _BEFORE_ORDER or word.text in word_set("discourse") for word in lead)
    opens = (lead or [words[at]])[0].opens
    return ("imp" if opens and plain and words[at].denied is not None and is_base_form(verb) else ""), modal


_BEFORE_ORDER = frozenset({"do", "not", "never", "please", "just", "always", "go"})
_CAUSING = frozenset({"get", "got", "gets", "have", "had", "has", "make", "made", "let", "want", "need", "see", "saw"})
_BEFORE_TO = frozenset({"have", "has", "had", "got", "going", "need", "used"})


def _owners(words: list[Word]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for at, word in enumerate(words):
        if word.text in _OWNERS:
            for near in words[at + 1 : at + 4]:
                if near.clause != word.clause or near.weight == 0:
                    break
                found.append((_OWNERS[word.text], near.text))
    return found
