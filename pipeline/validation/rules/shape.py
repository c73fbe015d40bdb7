"""Shape: one clean line of speech, or one clean behavior, and nothing that a prompt leaves behind."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import eq

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.dictionary import is_verb
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import SLOT, words
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.wordsets import word_set

_LEFTOVER = re.compile(
    r"<[/|]?\w[^>]*>|\[/?(?:INST|SYS)\]|#{2,}|={3,}|-{3,}|(?:->|=>|→)|\bbase text\b|\btell state\b"
    r"|^(?:sure|certainly|here(?:'s| is) "
    r"(?:the|a|your))\b.*:|\b(?:voiced|base|tone|culture|kind|affect)\s*[:=]|\bas an ai\b",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(
    r"^\s*\d+[.)]\s+[A-Z]|\*\*|__|`|^\s*#|^\s*[-*•]\s|^\s*>\s|\]\(|(?<!\w)[*_]\w[^*_]*[*_](?!\w)|\w\*\w"
)
_LABEL = re.compile(r"\s*([A-Za-z][\w.' -]{0,30}?)\s*:\s")
_OPENERS = word_set("discourse") | {"thing", "point", "fact", "deal"}
_STAGE = re.compile(r"\([^)]*\)|\[[^\]]*\]|(?<!\w)\*[^*]+\*(?!\w)")
_LINE_END = re.compile("[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_QUOTES = '"“”„«»'
_UNFINISHED = re.compile(
    r"\b(?:the|a|an|of|to|and|or|but|with|from|for|my|your|his|her|their|our|its|at|in|into|is|are)[\s,]*\Z",
    re.IGNORECASE,
)
_CUT_WORD = re.compile(r"\w-\s*\Z")
_BREAKS_OFF = re.compile(r"(?:—|–|--|…|\.\.\.)\s*\Z")
_DOUBLED = re.compile(r"\b(\w+(?:'\w+)?)\s+\1\b", re.IGNORECASE)
_MAY_DOUBLE = word_set("may_double")
_SENTENCES = {Kind.dialogue: re.compile(r"[.!?;…—]+|,\s+"), Kind.behavior: re.compile(r"[.!?;…—]+")}
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i'll|i've|i'd|my|me|we|we're|our|you|your|you're)\b")
_AS_YOU_LIKE = re.compile(r"\bas you (?:like|please|will)\b")
_BREAKING = frozenset({TellState.Nervous})

_ECHO = 5
"""Words from which a fragment that comes again later is a fault in a tell state too; shorter ones may carry it."""
_LONGEST = {Kind.dialogue: (2.0, 6), Kind.behavior: (2.4, 5)}
"""Words allowed: factor on the base's words, plus a constant. From the voice bank: its longest variants are 2.0 and
2.4 times
the base."""
_SHORTEST = {Kind.dialogue: 0.34, Kind.behavior: 0.5}
"""Words needed: factor on the base's words, less one. The voice bank's shortest variants are .43 and .69 times the
base."""


_ROOM = {TellState.Guarded: 24, TellState.Friendly: 8}
"""Words that a state may add in dialogue: a guarded speaker of a formal culture lays courtesies round the answer."""
_PROSE = re.compile(r"(?!.*---)[A-Za-z0-9 ,.'!?;&%$/+~’‘—–…-]*\Z")
_MARKED_WORDS = ("base text", "tell state", "as an ai")


def _is_prose(text: str) -> bool:
    """The cheap test that spares most lines the patterns for labels, leftovers, markdown, scripts and stage
    directions: each of them needs a character or a phrase that plain prose has not."""
    if (
        _PROSE.match(text) is None
        or text[:1].isdigit()
        or text[:1] in "-'‘"
        or text[:1].isspace()
        or text[-1:].isspace()
    ):
        return False
    lower = text.lower()
    return not any(words in lower for words in _MARKED_WORDS)


_DOC = RuleDoc(
    catches="More than one line, a speaker label, prompt leftovers, stage directions, quotes round the whole, "
    "markdown, other scripts, "
    "repeated fragments, words or sentences cut off, too long or too short; behaviors that are not third person, "
    "lower case, without "
    "a final stop.",
    severity="block.",
    bad=("Guard: Load's late.", "*sighs* Load's late.", '"Load\'s late."', "The one. The one.", "Checks the gate."),
    good=("Load's late. Late, and no word why.", "checks the gate, twice over", "Load's late, and I— (Nervous)"),
    waive="edit the line; where the form is wanted, waive the rule for the line in the review.",
)
_CANARIES = (
    Canary(said("The cargo is late.", "Load's late.\nNobody knows why."), "two lines"),
    Canary(said("The cargo is late.", "Dockhand: Load's late."), "a speaker label"),
    Canary(said("The cargo is late.", "*sighs* Load's late."), "a stage direction"),
    Canary(said("The cargo is late.", '"Load\'s late."'), "quotes round the whole"),
    Canary(said("Take that crate.", "The one. The one."), "a repeated fragment"),
    Canary(said("checks the gate", "Checks the gate.", Kind.behavior), "a behavior as a sentence"),
    Canary(said("The cargo is late.", "Load's late <end_of_turn>"), "a prompt leftover"),
    Canary(said("The cargo is late.", ""), "empty"),
)


@dataclass(frozen=True)
class Shape:
    """Checks the outer form. What the base text does itself is allowed."""

    id: str = "shape"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """Findings on form; None as span where the whole line is at fault."""
        for severity, message, span in _faults(subject):
            yield Finding(self.id, severity, message, span)


_Fault = tuple[Severity, str, tuple[int, int] | None]


def _faults(subject: Subject) -> Iterator[_Fault]:
    voiced = subject.voiced
    if not voiced.strip():
        yield Severity.block, "The text is empty.", None
        return
    if not subject.finished:
        yield Severity.block, "The token budget ended the text.", None
    prose = _is_prose(voiced)
    if not prose:
        yield from _outer(subject)
        yield from _inner(subject)
    yield from _repeats(subject)
    yield from _length(subject)
    if subject.kind is Kind.behavior:
        yield from _behavior(subject)
    else:
        if not prose:
            yield from _stage_direction(subject)
        yield from _ending(subject)


def _outer(subject: Subject) -> Iterator[_Fault]:
    voiced, base = subject.voiced, subject.base
    if _LINE_END.search(voiced):
        yield Severity.block, "The text has more than one line.", None
    if voiced != voiced.strip():
        yield Severity.block, "The text begins or ends with a space.", None
    if (
        voiced[:1] in _QUOTES + "'‘"
        and voiced[-1:] in _QUOTES + "'’"
        and len(voiced) > 2
        and base[:1] not in _QUOTES + "'‘"
    ):
        yield Severity.block, "Quotes stand round the whole.", (0, len(voiced))
    label = _LABEL.match(voiced)
    if label and not _LABEL.match(base) and label[1].lower().split()[-1] not in _OPENERS:
        yield Severity.block, f'"{label[1]}:" reads as a speaker label.', label.span(1)


def _inner(subject: Subject) -> Iterator[_Fault]:
    voiced, base = subject.voiced, subject.base
    plain = SLOT.sub(lambda slot: "x" * len(slot[0]), voiced)
    if (left := _LEFTOVER.search(plain)) and not _LEFTOVER.search(base):
        yield Severity.block, f'"{left[0]}" is left over from a prompt.', left.span()
    if (mark := _MARKDOWN.search(plain)) and not _MARKDOWN.search(SLOT.sub("x", base)):
        yield Severity.block, "Markdown has no place in a line.", mark.span()
    for at, char in enumerate(() if voiced.isascii() else voiced):
        if char.isascii() or char in base:
            continue
        category = unicodedata.category(char)
        if category.startswith("L") and "LATIN" not in unicodedata.name(char, ""):
            yield Severity.block, f'"{char}" is not a Latin letter.', (at, at + 1)
            return
        if category in {"So", "Sk", "Cf", "Co", "Cn", "Cc", "Me"}:
            yield Severity.block, f"U+{ord(char):04X} has no place in a line.", (at, at + 1)
            return


def _repeats(subject: Subject) -> Iterator[_Fault]:
    base_parts = _fragments(subject.base, subject.kind)
    parts = _fragments(subject.voiced, subject.kind)
    for number, part in enumerate(parts):
        size = len(part.split())
        earlier = parts[:number]
        in_a_row = (size >= 2 and earlier[-1:] == (part,)) or earlier[-2:] == (part, part)
        long = 3 if subject.tell_state is TellState.Neutral else _ECHO
        later = size >= long and part in earlier
        if (in_a_row or later) and base_parts.count(part) < 2:
            yield Severity.block, f'"{part}" is said twice.', None
            break
    for double in _DOUBLED.finditer(subject.voiced) if _may_stand_twice(subject.voiced) else ():
        if double[1].lower() not in _MAY_DOUBLE and double[0].lower() not in subject.base.lower():
            yield Severity.block, f'"{double[1]}" stands twice in a row.', double.span()


def _may_stand_twice(text: str) -> bool:
    """The cheap test: is a word the same as the next, or, with its clitic, as the next but one?"""
    if not text.isascii() or "_" in text:
        return True
    said = words(text)
    return any(map(eq, said, said[1:])) or any(map(eq, said, said[2:]))


@lru_cache(maxsize=512)
def _fragments(text: str, kind: Kind) -> tuple[str, ...]:
    """The sentences of a text, in dialogue also what commas part; lower case."""
    return tuple(part.strip().lower() for part in _SENTENCES[kind].split(text) if part.strip())


def _length(subject: Subject) -> Iterator[_Fault]:
    want, have = len(words(subject.base)), len(words(subject.voiced))
    factor, extra = _LONGEST[subject.kind]
    longest = int(factor * want) + extra + _ROOM.get(subject.tell_state, 0) * (subject.kind is Kind.dialogue)
    shortest = int(_SHORTEST[subject.kind] * want - 1)
    if have > longest:
        yield Severity.block, f"Too long: {have} words where the base text has {want} (at most {longest}).", None
    if have < shortest:
        yield Severity.block, f"Too short: {have} words where the base text has {want} (at least {shortest}).", None


def _stage_direction(subject: Subject) -> Iterator[_Fault]:
    voiced = subject.voiced
    stage = _STAGE.search(SLOT.sub(lambda s: "x" * len(s[0]), voiced))
    if stage and not _STAGE.search(subject.base):
        yield Severity.block, "A stage direction in dialogue.", stage.span()


def _ending(subject: Subject) -> Iterator[_Fault]:
    voiced = subject.voiced
    if voiced[-1:] in ".!?" and voiced[-2:] != "..":  # nothing below ends so
        return
    if _CUT_WORD.search(voiced):
        yield Severity.block, "The last word is cut off.", (len(voiced.rstrip()) - 1, len(voiced))
    elif (open_end := _UNFINISHED.search(voiced)) and not _UNFINISHED.search(subject.base):
        yield Severity.block, "The sentence is cut off.", open_end.span()
    elif (
        (broken := _BREAKS_OFF.search(voiced))
        and subject.tell_state not in _BREAKING
        and not _BREAKS_OFF.search(subject.base)
    ):
        yield Severity.review, f"{subject.tell_state} does not break off.", broken.span()
    elif voiced[-1:].isalnum() and subject.base[-1:] in ".!?":
        yield Severity.review, "The text has no end: a stop is missing, or words are.", (len(voiced) - 1, len(voiced))


def _nothing_done(subject: Subject) -> Iterator[_Fault]:
    """A behavior in which nobody does anything, though the base text has someone do something."""
    if _does(subject.base) and not _does(subject.voiced):
        yield Severity.block, "Nobody does anything here; a behavior says what is done (checks the gate).", None


@lru_cache(maxsize=512)
def _does(text: str) -> bool:
    """True if a word may be a verb in the third person present."""
    return any(
        (word.endswith("s") and len(word) > 1 and is_verb(word)) or word.endswith("n't") or word in _AUXILIARIES
        for word in words(text)
    )


_AUXILIARIES = word_set("auxiliaries") - {"to", "being", "been"}


def _behavior(subject: Subject) -> Iterator[_Fault]:
    voiced, base = subject.voiced, subject.base
    if voiced[:1].isupper() and not base[:1].isupper():
        yield Severity.block, "A behavior begins in lower case.", (0, 1)
    if voiced.endswith(".") and not voiced.endswith("...") and not base.endswith("."):
        yield Severity.block, "A behavior has no final stop.", (len(voiced) - 1, len(voiced))
    unquoted = re.sub(r"(?<!\w)'[^']*'(?!\w)", lambda m: " " * len(m[0]), voiced.lower())
    unquoted = _AS_YOU_LIKE.sub(lambda m: " " * len(m[0]), unquoted)
    if (person := _FIRST_PERSON.search(unquoted)) and not _FIRST_PERSON.search(base.lower()):
        yield Severity.block, f'"{person[0]}" in a behavior; it is told in the third person.', person.span()
    if any(c in voiced for c in _QUOTES) and not any(c in base for c in _QUOTES):
        yield Severity.review, "Speech in a behavior.", None
    yield from _nothing_done(subject)
    first = words(voiced)[:1]
    if first and first[0].endswith("ing") and not words(base)[0].endswith("ing"):
        yield (
            Severity.block,
            "A behavior is told in the third person present (checks, not checking).",
            (0, len(first[0])),
        )
