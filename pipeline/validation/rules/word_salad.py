"""Word salad: loops, lists of words, words that cannot follow each other, pieces of the prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

from pipeline.content.models import Culture
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.dictionary import weight
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold, words
from pipeline.validation.per_culture import PerCulture
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.culture_words import sample_culture
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.wordsets import word_set

_DOC = RuleDoc(
    catches=(
        "Text that runs in a loop, single words in a row instead of a sentence, words that cannot follow each other "
        "(the of, a the), a sentence that ends before its noun, five words of the culture's own prompt text."
    ),
    severity="block.",
    bad=(
        "The motor mount is cracked. -> Motor, mount, hull, motor, mount, hull.",
        "The cargo is late. -> Cargo is the of late.",
        "checks the gate -> checks the gate, the gate, the gate",
    ),
    good=("The storage room. -> The tool room. The tool room.", "Twelve bolts, I count eight. Eight."),
    waive="edit the line; a repetition that is wanted can be waived for the line in the review.",
)
_CANARIES = (
    Canary(said("The motor mount is cracked.", "Motor, mount, hull, motor, mount, hull."), "a loop"),
    Canary(said("It is a good day.", "It is a good day a good day."), "a loop within a sentence"),
    Canary(said("The crew needs water.", "Water. Crew. Needs."), "words in a row"),
    Canary(said("The cargo is late.", "The is late of the cargo."), "words that cannot follow each other"),
    Canary(
        Subject(
            "The cargo is late.",
            "Commission is far away, the yard by words.",
            Kind.dialogue,
            TellState.Neutral,
            culture=sample_culture().model_copy(
                update={"injector": sample_culture().injector.model_copy(update={"context": "Far away, the yard by."})}
            ),
        ),
        "a piece of the prompt",
    ),
)

_BEFORE_NOUN = ("the", "a", "an", "my", "your", "our", "their", "every")
_IMPOSSIBLE = frozenset(product(_BEFORE_NOUN, word_set("never_after_article"))) | frozenset(
    product(("of", "to"), ("of", "is", "are", "was", "were", "but", "than"))
)
"""Two words that stand side by side in no sentence."""
_IMPOSSIBLE_AFTER = frozenset(other for _, other in _IMPOSSIBLE)
_OPENING = ("the", "a", "an", "my", "your", "our", "their", "of", "and", "or", "because", "than")
_ENDS_EARLY = re.compile(rf"(?<![\w'-])(?:{'|'.join(_OPENING)})\s*[.!?](?!\.)")
_DISCOURSE = word_set("discourse")
_BREAKS = ".,!?;:…—–-"
_PARTS = re.compile(r"[.!?;:…,—–]+|--")
_LONG = 5
"""Words in a row that are not said twice at once, even for weight."""
_LATER = 6
"""Words in a row that are not said again later on."""
_LIST = 3
"""Single words in a row that make a list."""


@dataclass(frozen=True)
class WordSalad:
    """Looks at words and their order only; what they mean is the business of other rules."""

    id: str = "word-salad"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """At most one finding of each sort."""
        mine = words(subject.voiced)
        theirs = words(subject.base)
        if loop := _loop(mine, theirs, fold(subject.voiced).lower):
            yield Finding(self.id, Severity.block, f'"{loop}" runs in a loop.', None, "Say it once.")
        elif _is_list(subject.voiced, subject.base):
            yield Finding(self.id, Severity.block, "Single words in a row make no sentence.")
        for span in (*_impossible(subject.voiced, mine, theirs), *_early_ends(subject)):
            yield Finding(self.id, Severity.block, "Words are missing here, or stand in the wrong order.", span)
            break
        if subject.culture and (echo := _echo(mine, theirs, subject.culture)):
            yield Finding(self.id, Severity.block, f'"{echo}" is a piece of the prompt.')


def _loop(mine: tuple[str, ...], base: tuple[str, ...], text: str) -> str:
    """What is said again, though nobody would: a long stretch at once or later on, a short one for the third time or
    without so much as a comma."""
    size = len(mine)
    if len(set(mine)) == size or len(set(pairwise(mine))) == size - 1:  # what is said twice has two words in common
        return ""
    for long in range(2, size // 2 + 1):
        for at in range(size - 2 * long + 1):
            part = mine[at : at + long]
            if part == mine[at + long : at + 2 * long] and not _holds(base, part + part):
                plain = [word for word in part if not word.startswith("'")]
                heavy = sum(weight(word) > 0.3 for word in plain)
                thrice = part == mine[at + 2 * long : at + 3 * long]
                run_on = len(plain) > 1 and _spoken(part + part) in text
                if len(plain) >= _LONG or heavy >= _LIST or run_on or (thrice and len(plain) > 1):
                    return _spoken(part)
    for at in range(size - 2 * _LATER + 1):
        part = mine[at : at + _LATER]
        if _holds(mine[at + _LATER :], part) and sum(not word.startswith("'") for word in part) == _LATER:
            first = _holds(base, part)
            if not (first and _holds(base[first + _LATER - 1 :], part)):
                return _spoken(part)
    return ""


def _spoken(part: tuple[str, ...]) -> str:
    return " ".join(part).replace(" '", "'")


def _holds(text: tuple[str, ...], part: tuple[str, ...]) -> int:
    """Where `part` stands in `text`, counted from 1; 0 for nowhere."""
    for at in range(len(text) - len(part) + 1):
        if text[at : at + len(part)] == part:
            return at + 1
    return 0


@lru_cache(maxsize=512)
def _single_words(text: str) -> tuple[int, bool]:
    """How many parts of a text are one word with a meaning, and whether all its parts are single words. Of fewer
    parts than make a list nothing is said."""
    lower = fold(text).lower
    if sum(map(lower.count, _BREAKS)) < _LIST - 1:
        return 0, False
    parts = [part.split() for part in _PARTS.split(lower) if part.strip()]
    if len(parts) < _LIST:
        return 0, False
    single = [part[0] for part in parts if len(part) == 1]
    heavy = sum(word.isalpha() and weight(word) > 0.3 and word not in _DISCOURSE for word in single)
    return heavy, len(single) == len(parts)


def _is_list(voiced: str, base: str) -> bool:
    """True for a row of single words: nothing but them, or many of them behind a sentence."""
    count, alone = _single_words(voiced)
    return count >= (_LIST if alone else _LIST + 1) and _single_words(base)[0] < _LIST


def _impossible(voiced: str, mine: tuple[str, ...], base: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    if _IMPOSSIBLE_AFTER.isdisjoint(mine) or _IMPOSSIBLE.isdisjoint(pairwise(mine)):
        return
    folded = fold(voiced)
    for one, other in pairwise(mine):
        if (one, other) in _IMPOSSIBLE and not _holds(base, (one, other)):
            gap = "" if other.startswith("'") else " +"
            found = re.search(rf"(?<![\w']){re.escape(one)}{gap}{re.escape(other)}(?![\w'])", folded.lower)
            if found:
                yield folded.span(*found.span())


def _early_ends(subject: Subject) -> Iterator[tuple[int, int]]:
    folded = fold(subject.voiced)
    found = _ENDS_EARLY.search(folded.lower) if _may_end_early(folded.lower) else None
    if found and not _ENDS_EARLY.search(fold(subject.base).lower):
        yield folded.span(*found.span())


def _may_end_early(lower: str) -> bool:
    """The cheap test: is one of the words that open something the last of a sentence?"""
    for sentence in lower.replace("!", ".").replace("?", ".").split(".")[:-1]:
        if sentence.rstrip().endswith(_OPENING):
            return True
    return False


def _echo(mine: tuple[str, ...], base: tuple[str, ...], culture: Culture) -> str:
    prompt = _prompt_runs(culture)
    if prompt.isdisjoint(_in_a_row(mine)):
        return ""
    return next((" ".join(run) for run in _in_a_row(mine) if run in prompt and not _holds(base, run)), "")


@PerCulture
def _prompt_runs(culture: Culture) -> frozenset[tuple[str, ...]]:
    injector = culture.injector
    tones = (row.text for row in culture.tell_tones)
    texts = (injector.register_, injector.context, injector.values, injector.exclusions.text, *tones)
    return frozenset(run for text in texts for run in _in_a_row(words(text)))


def _in_a_row(text: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every five words in a row: so many show where a text comes from."""
    return zip(text, text[1:], text[2:], text[3:], text[4:], strict=False)
