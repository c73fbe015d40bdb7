"""A text taken apart for the rules on meaning: words with weight, clause and polarity, sentences, who does what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pipeline.validation.normalise import SLOT_MARK, WORD, fold
from pipeline.validation.relations import closeness, is_base_form, is_noun, is_verb, lemmas, weight, word_class
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
_DISCOURSE = word_set("discourse")
_REFUSING = word_set("refusing_words")
_NEGATORS = word_set("negators")
_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "get", "gets", "got"})
_MODALS = word_set("modals")
_SUBJECTS = {
    "i": "1", "we": "1", "you": "2", "ya": "2", "he": "3", "she": "3", "they": "3", "it": "3", "who": "?", "that": "?",
    "nobody": "n", "someone": "n", "somebody": "n", "everyone": "n", (
        "everybody"
    ): "n", "anyone": "n", "anybody": "n", "one": "n",
}  # fmt: skip
_OBJECTS = {"me": "1", "us": "1", "you": "2", "him": "3", "her": "3", "them": "3", "myself": "1", "yourself": "2"}
_OWNERS = {"my": "1", "our": "1", "mine": "1", "your": "2", "yours": "2", "his": "3", "her": "3", "their": "3"}
_BEFORE_OUT_OF = frozenset(
    {"are", "is", "'re", "'s", "'m", "am", "was", "were", "run", "ran", "running", "all", "clean"}
)
_NO_ANSWER = (" is ", " for ", " from ", " means ")
"""What follows a `no` that is an answer: "I've got to give you no for an answer"."""
_LIGHT = word_set("light_words")
_ARTICLES = frozenset({"the", "a", "an", "my", "your", "our", "their", "this", "that"})
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
    verbal: bool
    """True for what may be a verb; auxiliaries are none."""


_made = tuple.__new__
"""Makes a `Word` from its fields in order, in half the time that its own constructor takes."""


class Role(NamedTuple):
    """Who does a verb, to whom: `1`, `2`, `3` persons, `n` a noun, `imp` an order; empty where unsaid."""

    verb: str
    subject: str
    object: str
    modal: bool
    clause: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the rules on meaning share about a text."""

    words: tuple[Word, ...]
    content: tuple[Word, ...]
    """The words that weigh anything."""
    asks: bool
    """True if a sentence ends in a question mark."""
    denials: int
    roles: tuple[Role, ...]
    owners: tuple[tuple[str, str], ...]
    """(person, noun): whose thing it is, as in my, your."""

    texts: frozenset[str]
    """The words as such."""
    lemmas: frozenset[str]
    """The dictionary forms of all words."""

    def cover(self, word: str) -> float:
        """How well the nearest word of this text stands for `word`; the scale of `closeness`."""
        texts = self.texts
        if word in texts:
            return 1.0
        nearest = 0.0
        for text in texts:
            near = closeness(word, text)
            if near > nearest:
                nearest = near
                if near == 1.0:
                    break
        return nearest


@lru_cache(maxsize=512)
def analyse(text: str) -> Analysis:
    """`text` taken apart. Slots are words of weight 0: other rules watch them."""
    found, denials, asks = _words(text)
    content = tuple(word for word in found if word.weight > 0)
    texts = frozenset(word.text for word in found)
    forms = frozenset().union(*map(lemmas, texts))
    roles, owners = tuple(_roles(found)), tuple(_owners(found))
    return Analysis(tuple(found), content, asks, denials, roles, owners, texts, forms)


class _Part(NamedTuple):
    """What is known of a word wherever it stands."""

    text: str
    weight: float
    named: float
    """The weight behind an article, where it must be a noun: the hearing."""
    verbal: bool
    """A verb that is no auxiliary."""
    bare: bool
    """A verb in its bare form."""
    conjunction: bool
    discourse: bool
    negator: bool
    refusing: bool
    polite: bool
    """A word before which the sentence has not yet begun."""


@lru_cache(maxsize=65536)
def _parts(piece: str) -> tuple[_Part, ...]:
    """The words of a piece, contractions opened; none for punctuation."""
    if not (piece[0].isalnum() or piece[0] in f"'{SLOT_MARK}"):
        return ()
    texts = _SPLIT.get(piece) or ((piece[:-3], "not") if piece.endswith("n't") else (piece,))
    return tuple(
        _Part(
            text,
            0.0 if SLOT_MARK in text else weight(text),
            1.0 if text.endswith("ing") and text not in _LIGHT and is_noun(text) else 0.0,
            text not in _AUXILIARIES and is_verb(text),
            is_base_form(text),
            text in _CONJUNCTIONS,
            text in _DISCOURSE,
            text in _NEGATORS,
            text in _REFUSING,
            text in _DISCOURSE or text == "please",
        )
        for text in texts
    )


def _words(text: str) -> tuple[list[Word], int, bool]:
    """The words, how many of them deny, and whether a sentence asks.

    How far a negation reaches within its clause: surely over the next content words (`denied` True), perhaps over the
    rest (None). This is the innermost loop of all rules on meaning, so it is written flat.
    """
    folded = fold(text)
    lower = folded.lower
    off = _off(lower)
    found: list[Word] = []
    clause = denials = 0
    polarity: bool | None = False
    negated = met = verb = asks = False
    opens = fresh = True
    for match in _PIECE.finditer(lower):
        piece = match[0]
        parts = _parts(piece)
        if not parts:
            asks = asks or "?" in piece
            if not fresh:
                if negated and not met:
                    _reach_back(found, clause)
                clause, polarity, fresh = clause + 1, False, True
                negated = met = verb = False
            opens = opens or piece[0] in ".!?…—–:;-"
            continue
        start, end = match.span()
        span = (start, end) if folded.offsets is None else folded.span(start, end)
        for part in parts:
            if part.conjunction and not fresh:
                if negated and not met:
                    _reach_back(found, clause)
                clause, polarity = clause + 1, False
                negated = met = verb = False
            heavy = 0.0 if fresh and part.discourse and _lone(lower, end) else part.weight
            if part.named > heavy and found and found[-1].text in _ARTICLES and not fresh:
                heavy = part.named
            if part.text == "without":
                polarity, met = None, True
                denials += 1
            elif part.text == "of" and found and found[-1].text == "out":  # out of bread: there is none
                polarity, met = None, True
                denials += len(found) > 1 and found[-2].text in _BEFORE_OUT_OF
            elif part.refusing or (off and end in off):
                polarity, met = None, True
                if end in off:  # "hands off" says neither that there are hands nor that there are none
                    denials += 1
                    found[-off[end] :] = [word._replace(denied=None) for word in found[-off[end] :]]
            elif part.negator and not (part.text == "no" and (_lone(lower, end) or lower.startswith(_NO_ANSWER, end))):
                polarity, negated, met = True, True, False
                denials += 1
            else:
                if negated and met and (heavy == 0 or verb):
                    polarity = None
                met = met or heavy > 0
                verb = heavy > 0 and part.bare
            found.append(_made(Word, (part.text, span, heavy, polarity, clause, opens, part.verbal)))
            fresh = False
            opens = opens and part.polite
    if negated and not met:
        _reach_back(found, clause)
    return found, denials, asks


def _off(lower: str) -> dict[int, int]:
    """Where the words end that tell to stay away, and how many words stand before the last."""
    if "of" in lower or "away" in lower or "clear" in lower or "back" in lower:
        return {match.end(): match[0].count(" ") for match in _STAY_OFF.finditer(lower)}
    return {}


def _lone(text: str, end: int) -> bool:
    """True if the word that ends here is followed by punctuation or nothing."""
    after = text[end : end + 1]
    return after in ",.;:!?…—–-" if after.strip() else not text[end : end + 2].strip()


def _reach_back(found: list[Word], clause: int) -> None:
    """After a clause that denies without naming anything ("No, I'm not."), earlier words may be denied as well."""
    named = any(word.clause == clause and word.weight > 0 for word in found)
    found[:] = [
        w._replace(denied=None) if w.weight > 0 and not w.denied and w.clause >= clause * named else w for w in found
    ]


def _roles(words: list[Word]) -> list[Role]:
    found: list[Role] = []
    for at, word in enumerate(words):
        if word.weight == 0 or not word.verbal:
            continue
        subject, modal = _subject(words, at)
        if subject in ("1", "2") and _habit(words, at):
            continue
        after = words[at + 1].text if at + 1 < len(words) else ""
        target = _OBJECTS.get(after, "") if after != "her" or at + 2 >= len(words) or words[at + 2].weight == 0 else ""
        found.append(Role(word.text, subject, target, modal, word.clause))
    return found


def _habit(words: list[Word], at: int) -> bool:
    """True for "you know", "I guess" and the like, a clause of their own."""
    if words[at].weight > 0.3:
        return False
    alone = sum(word.clause == words[at].clause for word in words) <= 2
    return alone or (words[at].text == "know" and words[at - 1].opens)


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
            if back and words[back - 1].text in _CAUSING and not is_base_form(verb):  # have it fixed: by whom is unsaid
                return "", modal
            return ("", modal) if passive else (_SUBJECTS[word.text].replace("?", ""), modal)
        if word.text in _DISCOURSE and word.opens:
            continue
        if word.text not in _AUXILIARIES and word.text != "please":
            certain = word.weight > 0 and not (
                passive or is_base_form(verb) or word.verbal or word_class(word.text) == "a"
            )
            if certain and any(w.text in _CAUSING for w in words[:back] if w.clause == word.clause):
                certain = False
            return ("n" if certain else ""), modal
        modal = modal or word.text in _MODALS
        passive = passive or (word.text in _BE and verb.endswith(("ed", "en", "t", "d", "n")))
        if word.text == "to" and back and words[back - 1].text not in _BEFORE_TO:
            return "", modal
    lead = [word for word in words[:at] if word.clause == words[at].clause]
    plain = all(word.text in _BEFORE_ORDER or word.text in _DISCOURSE for word in lead)
    opens = (lead or [words[at]])[0].opens
    follows = words[at + 1].text if at + 1 < len(words) else ""
    if (follows == "by" and verb in _UNCHANGED) or (
        word_class(verb) == "a" and follows not in _AFTER_ORDER
    ):  # "Set by the authority", "Full now"
        return "", modal
    return ("imp" if opens and plain and words[at].denied is not None and is_base_form(verb) else ""), modal


_UNCHANGED = word_set("unchanged_verbs")
_AFTER_ORDER = word_set("after_order")
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
