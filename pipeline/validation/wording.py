"""The words of a text: how much each says, in which clause it stands, and whether it is denied there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pipeline.validation.dictionary import is_base_form, is_noun, is_verb, weight
from pipeline.validation.normalise import SLOT_MARK, WORD, fold
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


class _Part(NamedTuple):
    """What is known of a word wherever it stands."""

    text: str
    weight: float
    verbal: bool
    """A verb that is no auxiliary."""
    bare: bool
    """A verb in its bare form."""
    plain: bool
    """A word that changes nothing for the words behind it: none of what follows is true of it."""
    named: float
    """The weight behind an article, where it must be a noun: the hearing."""
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
    return tuple(map(_part, texts))


def _part(text: str) -> _Part:
    heavy = 0.0 if SLOT_MARK in text else weight(text)
    named = 1.0 if text.endswith("ing") and text not in _LIGHT and is_noun(text) else 0.0
    conjunction, discourse = text in _CONJUNCTIONS, text in _DISCOURSE
    negator, refusing = text in _NEGATORS, text in _REFUSING
    polite = discourse or text == "please"
    turning = conjunction or polite or negator or refusing or text in ("without", "of")
    return _Part(
        text,
        heavy,
        text not in _AUXILIARIES and is_verb(text),
        is_base_form(text),
        not turning and named <= heavy,
        named,
        conjunction,
        discourse,
        negator,
        refusing,
        polite,
    )


def words_of(said: str) -> tuple[list[Word], int, bool]:
    """The words, how many of them deny, and whether a sentence asks. Slots are words of weight 0.

    How far a negation reaches within its clause: surely over the next content words (`denied` True), perhaps over the
    rest (None). This is the innermost loop of all rules on meaning, so it is written flat; most words are plain and
    stand in the scope of no negation, and take the short way.
    """
    folded = fold(said)
    lower, offsets = folded.lower, folded.offsets
    off = _off(lower)
    found: list[Word] = []
    append = found.append
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
        span = match.span() if offsets is None else folded.span(*match.span())
        for part in parts:
            text, heavy, verbal, bare, plain, named, conjunction, discourse, negator, refusing, polite = part
            if plain and not (negated or off):
                verb = bare and heavy > 0
                append(_made(Word, (text, span, heavy, polarity, clause, opens, verbal)))
                fresh = opens = False
                continue
            if conjunction and not fresh:
                if negated and not met:
                    _reach_back(found, clause)
                clause, polarity = clause + 1, False
                negated = met = verb = False
            end = match.end()
            if fresh and discourse and _lone(lower, end):
                heavy = 0.0
            if named > heavy and found and found[-1].text in _ARTICLES and not fresh:
                heavy = named
            if text == "without":
                polarity, met = None, True
                denials += 1
            elif text == "of" and found and found[-1].text == "out":  # out of bread: there is none
                polarity, met = None, True
                denials += len(found) > 1 and found[-2].text in _BEFORE_OUT_OF
            elif refusing or (off and end in off):
                polarity, met = None, True
                if end in off:  # "hands off" says neither that there are hands nor that there are none
                    denials += 1
                    found[-off[end] :] = [word._replace(denied=None) for word in found[-off[end] :]]
            elif negator and not (text == "no" and (_lone(lower, end) or lower.startswith(_NO_ANSWER, end))):
                polarity, negated, met = True, True, False
                denials += 1
            else:
                if negated and met and (heavy == 0 or verb):
                    polarity = None
                met = met or heavy > 0
                verb = heavy > 0 and bare
            append(_made(Word, (text, span, heavy, polarity, clause, opens, verbal)))
            fresh = False
            opens = opens and polite
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
