"""Fillers: only this NPC's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold, words
from pipeline.validation.rule import Canary, NpcFacts, RuleDoc, Subject

_MARKED = (
    "look",
    "right",
    "listen",
    "see",
    "you know",
    "i mean",
    "like",
    "sure",
    "honestly",
    "mind you",
    "i tell you",
    "you see",
)
_PLAIN = ("yeah", "well", "so", "now", "hm", "oh", "huh", "anyway")
_DOC = RuleDoc(
    catches="A pause word that belongs to other speakers: each NPC has fillers of its own.",
    severity=(
        "block in a behavior, where nobody speaks; review for marked fillers (look, right, listen, you know ...), info "
        "for plain ones (yeah, well, so). Silent without an NPC."
    ),
    bad=(
        "The lift is down. (fillers: yeah) -> Look, lift's down.",
        "closes the book (fillers: as it were) -> closes the book, as it were",
    ),
    good=("The lift is down. (fillers: look) -> Look, lift's down.", "Look at the seal. -> Look at that seal."),
    waive="add the word to the NPC's `cultural_markers.filler_words`, or waive the rule for the line in the review.",
)


def _by(voiced: str, *fillers: str) -> Subject:
    npc = NpcFacts("canary", "Canary", fillers)
    return Subject("The lift is down.", voiced, Kind.dialogue, TellState.Neutral, npc=npc)


_CANARIES = (
    Canary(_by("Look, lift's down.", "yeah"), "another's filler first"),
    Canary(_by("Lift's down, right.", "look"), "another's filler last"),
    Canary(_by("Lift's, you know, down."), "a filler of someone who has none"),
    Canary(
        Subject(
            "closes the book",
            "closes the book, as it were",
            Kind.behavior,
            TellState.Guarded,
            npc=NpcFacts("canary", "Canary", ("as it were",)),
        ),
        "a pause word where nobody speaks",
    ),
)


@dataclass(frozen=True)
class Fillers:
    """Looks for pause words that stand apart, between punctuation."""

    id: str = "fillers"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per filler that is neither this NPC's nor the base text's."""
        if subject.npc is None:
            return
        if subject.kind is Kind.dialogue and _FIRST_WORDS.isdisjoint(words(subject.voiced)):
            return
        own = {word.lower() for word in subject.npc.filler_words}
        voiced, base = fold(subject.voiced).lower, fold(subject.base).lower
        if subject.kind is Kind.behavior:
            for filler in sorted(filler for filler in own if filler in voiced):
                found = _apart(filler).search(voiced)
                if found and not _apart(filler).search(base):
                    yield Finding(
                        self.id, Severity.block, f'"{filler}" is a pause word; nobody speaks here.', found.span(1)
                    )
            return
        for severity, fillers in ((Severity.review, _MARKED), (Severity.info, _PLAIN)):
            for filler in fillers:
                found = _APART[filler].search(voiced) if filler in voiced else None
                if found and filler not in own and not _APART[filler].search(base):
                    suggestion = f"This NPC says {', '.join(sorted(own))}." if own else "This NPC has no fillers."
                    yield Finding(
                        self.id, severity, f'"{filler}" is not a filler of this NPC.', found.span(1), suggestion
                    )


@cache
def _apart(filler: str) -> re.Pattern[str]:
    """The filler between punctuation, or at an end of the text."""
    return re.compile(rf"(?:^|[.!?…,;—–-]\s*)({re.escape(filler)})(?=\s*(?:[.!?…,;—–]|\Z))")


_APART = {filler: _apart(filler) for filler in (*_MARKED, *_PLAIN)}
_FIRST_WORDS = frozenset(filler.split(" ")[0] for filler in _APART)
"""The cheap test: one of them opens every filler."""
