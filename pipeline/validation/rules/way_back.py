"""Way back: the culture's own adapter must find the base text in what it voiced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Canary, RuleDoc, Subject

_DOC = RuleDoc(
    catches="A candidate in which the model itself does not find the base text again: something of it is lost or "
    "twisted. The adapter of a culture is trained both ways; measured is how surely it writes the base text after the "
    "voiced one (mean nats per token, 0 at best). Texts that nothing measured, human ones too, are left alone.",
    severity="block at -1.5 and below, review at -1.2 and below.",
    bad=("No. A working insert stays in, whatever the buyer has promised you. -> No. Buyer's insert stays in, no.",),
    good=(
        "The shift lead told me to wait. She did not say how long. -> Shift lead told me to wait. Didn't say how long.",
    ),
    waive="approve or edit the text in the review: a text that a person took over is not measured.",
)


def _measured(base: str, voiced: str, way_back: float) -> Subject:
    return Subject(base, voiced, Kind.dialogue, TellState.Neutral, way_back=way_back)


_CANARIES = (
    Canary(_measured("Who slept here, and who paid for it?", "Who paid for it?", -1.6), "half of it is lost"),
    Canary(
        _measured("My supervisor wants it done by tomorrow.", "My supervisor wants it done.", -1.3), "a time is lost"
    ),
    Canary(_measured("No. A working insert stays in.", "No. Buyer's insert stays in, no.", -3.9), "twisted"),
)


@dataclass(frozen=True)
class WayBack:
    """Compares the measured way back with two limits, set on held-out lines of the voice banks."""

    id: str = "way-back"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES
    lost: float = -1.5
    doubtful: float = -1.2

    def check(self, subject: Subject) -> Iterable[Finding]:
        """At most one finding."""
        if subject.way_back is None or subject.way_back > self.doubtful:
            return
        lost = subject.way_back <= self.lost
        message = (
            "The model does not find the base text in this." if lost else "Something of the base text may be lost."
        )
        yield Finding(self.id, Severity.block if lost else Severity.review, f"{message} ({subject.way_back:.2f})")
