"""Shape: one clean line of speech, or one clean behavior, and nothing that a prompt leaves behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.behavior_form import behavior_form
from pipeline.validation.finding import Fault, Finding
from pipeline.validation.leftovers import leftovers
from pipeline.validation.normalise import words
from pipeline.validation.repetition import repetition
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said

_UNFINISHED = re.compile(
    r"\b(?:the|a|an|of|to|and|or|but|with|from|for|my|your|his|her|their|our|its|at|in|into|is|are)[\s,]*\Z",
    re.IGNORECASE,
)
_CUT_WORD = re.compile(r"\w-\s*\Z")
_BREAKS_OFF = re.compile(r"(?:—|–|--|…|\.\.\.)\s*\Z")
_BREAKING = frozenset({TellState.Nervous})

_LONGEST = {Kind.dialogue: (2.0, 6), Kind.behavior: (2.4, 5)}
"""Words allowed: factor on the base's words, plus a constant. From the voice bank: its longest variants are 2.0 and
2.4 times
the base."""
_SHORTEST = {Kind.dialogue: 0.34, Kind.behavior: 0.5}
"""Words needed: factor on the base's words, less one. The voice bank's shortest variants are .43 and .69 times the
base."""


_ROOM = {TellState.Guarded: 24, TellState.Friendly: 8}
"""Words that a state may add in dialogue: a guarded speaker of a formal culture lays courtesies round the answer."""
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


def _faults(subject: Subject) -> Iterator[Fault]:
    if not subject.voiced.strip():
        yield Severity.block, "The text is empty.", None
        return
    if not subject.finished:
        yield Severity.block, "The token budget ended the text.", None
    yield from leftovers(subject)
    yield from repetition(subject)
    yield from _length(subject)
    yield from behavior_form(subject) if subject.kind is Kind.behavior else _ending(subject)


def _length(subject: Subject) -> Iterator[Fault]:
    want, have = len(words(subject.base)), len(words(subject.voiced))
    factor, extra = _LONGEST[subject.kind]
    longest = int(factor * want) + extra + _ROOM.get(subject.tell_state, 0) * (subject.kind is Kind.dialogue)
    shortest = int(_SHORTEST[subject.kind] * want - 1)
    if have > longest:
        yield Severity.block, f"Too long: {have} words where the base text has {want} (at most {longest}).", None
    if have < shortest:
        yield Severity.block, f"Too short: {have} words where the base text has {want} (at least {shortest}).", None


def _ending(subject: Subject) -> Iterator[Fault]:
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
