"""Figures: none that the base text lacks, none of its own lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity
from pipeline.validation.figures import figures
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said

_DOC = RuleDoc(
    catches=(
        "A figure that the base text lacks, or one of its figures lost, in digits, words, ordinals, dozens, "
        "pairs, halves or codes."
    ),
    severity="block; review where only a `one` is at stake.",
    bad=(
        "There are three tugs. -> Four tugs.",
        "Take the lift to level six. -> Take the lift.",
        "I fixed it. -> Fixed a dozen of them.",
    ),
    good=(
        "All in one piece. -> Still whole.",
        "There are twelve bolts. -> A dozen bolts.",
        "Berth 7. -> Berth Seven.",
    ),
    waive=(
        "waive the rule for the line in the review; a phrase with a number word that states no figure belongs into "
        "pipeline/prompting/data/number_idioms.txt, which the masker reads too."
    ),
)
_CANARIES = (
    Canary(said("There are three tugs waiting.", "Four tugs waiting."), "a figure changed"),
    Canary(said("Take the lift to level six.", "Take the lift."), "a figure lost"),
    Canary(said("I can fix the pump.", "I can fix the pump. Fixed a dozen of them."), "a figure invented"),
    Canary(said("It costs eleven chits.", "It costs 13 chits."), "a figure changed to digits"),
)


@dataclass(frozen=True)
class Figures:
    """Compares the figures of base and voiced text as multisets; saying one of the base's figures again is no fault."""

    id: str = "figures"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per figure that is new, and one per figure that is missing."""
        mine, theirs = figures(subject.voiced), figures(subject.base)
        if not mine and not theirs:
            return
        wanted = Counter(figure.value for figure in theirs)
        seen: Counter[str] = Counter()
        for figure in mine:
            seen[figure.value] += 1
            if figure.value not in wanted and figure.value not in _LOOSE[subject.kind]:
                shown = subject.voiced[slice(*figure.span)]
                if shown.lower() in ("double", "triple") and shown[:5].lower() in subject.base.lower():
                    continue  # doubled the interest, double the interest
                yield Finding(
                    self.id,
                    Severity.block,
                    f'The base text has no figure "{shown}".',
                    figure.span,
                    "Leave the figure out.",
                )
        for value, times in wanted.items():
            if seen[value] >= times or (value == "1" and _SINGLE.search(subject.voiced)):
                continue
            if value == "2" and _BOTH.search(subject.voiced):
                continue
            if value == "2" and _told_again(subject):
                continue
            severity = Severity.review if value == "1" else Severity.block
            yield Finding(
                self.id, severity, f"The figure {value} of the base text is missing.", None, f"Keep the figure {value}."
            )


def _told_again(subject: Subject) -> bool:
    """Counts it twice: counts it, counts it again."""
    again = _AGAIN.search(subject.voiced) and not _AGAIN.search(subject.base)
    return bool(again and _TWICE.search(subject.base))


_BOTH = re.compile(r"\b(?:both|neither|either|the two of|couple|pair)\b", re.IGNORECASE)
"""What may stand for `two`."""
_TWICE = re.compile(r"\btwice\b", re.IGNORECASE)
_AGAIN = re.compile(r"\b(?:again|once more|and then once|over again)\b", re.IGNORECASE)
"""What may stand for `twice`: counts it, counts it again."""
_LOOSE = {Kind.dialogue: frozenset({"1"}), Kind.behavior: frozenset({"1", "0.5"})}
"""Figures that may be added: `one` often states no number, and a behavior may show half a smile."""

_SINGLE = re.compile(r"\b(?:an?|the|that|this|it|single|only|lone)\b", re.IGNORECASE)
"""What may stand for `one`."""
