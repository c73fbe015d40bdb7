"""The score of a candidate: what it is worth beside the other candidates of its own variant, and nothing else.

Six marks from 0 to 1 are weighted and added, so a total lies between 0 and 1 as well:

| mark | weight | 1 means |
|---|---|---|
| `findings` | 0.40 | no `review` finding; n of them give 1/(1+n) |
| `meaning` | 0.30 | the culture's adapter finds the base text in it (`WAY_BACK`); free where nothing measured it |
| `length` | 0.10 | as long, beside the base text, as this state and kind usually are (`LENGTHS`) |
| `distance` | 0.05 | neither the base text again nor another line (`FROM_BASE`) |
| `sibling` | 0.10 | differs from Neutral, not wholly (`FROM_NEUTRAL`), and is no other state's text; free for Neutral |
| `finished` | 0.05 | the model ended the text itself |

The windows are the 5th to 95th percentiles of 207 base lines that writers voiced in six states (50 behaviors, 157
lines of dialogue), rounded outwards; the upper bounds of Guarded are widened, because there are cultures that hide
things behind more words, and those of behaviors start and end lower: a longer behavior is mostly one with an invented
gesture. Outside its window a mark falls in a straight line to 0. Totals are rounded to two decimals:
candidates that are nearly as good count as equal, and among equals the earlier one wins (round 0, index 0 is the greedy
one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding

WEIGHTS = {"findings": 0.40, "meaning": 0.30, "length": 0.10, "distance": 0.05, "sibling": 0.10, "finished": 0.05}

LENGTHS: dict[tuple[Kind, TellState], tuple[float, float]] = {
    (Kind.dialogue, TellState.Neutral): (0.7, 1.15),
    (Kind.dialogue, TellState.Nervous): (0.6, 1.25),
    (Kind.dialogue, TellState.Angry): (0.8, 1.3),
    (Kind.dialogue, TellState.Friendly): (1.0, 1.55),
    (Kind.dialogue, TellState.Guarded): (0.8, 1.8),
    (Kind.dialogue, TellState.RoutineDeviation): (1.0, 1.5),
    (Kind.behavior, TellState.Neutral): (0.8, 1.35),
    (Kind.behavior, TellState.Nervous): (0.8, 1.6),
    (Kind.behavior, TellState.Angry): (0.8, 1.8),
    (Kind.behavior, TellState.Friendly): (0.8, 1.8),
    (Kind.behavior, TellState.Guarded): (0.8, 1.8),
    (Kind.behavior, TellState.RoutineDeviation): (0.8, 1.9),
}
"""Characters of the voiced text per character of the base text, lowest and highest usual value."""

_LENGTH_SLACK = 12
"""Characters added to both lengths, so that a word more or less does not decide over a very short line."""

FROM_BASE = {True: (0.04, 0.41), False: (0.09, 0.52)}
"""Usual Indel distance from the base text (0 = equal, 1 = nothing in common), for Neutral and for tell variants."""

WAY_BACK = (-2.5, -0.3)
"""Mean nats per token of the base text, found in a text: nothing of it is left, and all that can be asked for."""

FROM_NEUTRAL = (0.08, 0.52)
"""Usual Indel distance of a tell variant from the Neutral variant."""


@dataclass(frozen=True, slots=True)
class VariantFacts:
    """What a variant's candidates are scored against."""

    base: str
    kind: Kind
    tell_state: TellState
    neutral: str | None = None
    """The chosen Neutral of the same line; None for Neutral itself, and where the line has none."""
    taken: tuple[str, ...] = ()
    """What the line's earlier tell states chose: a text that comes up twice tells no state apart."""


@dataclass(frozen=True, slots=True)
class CandidateText:
    """One candidate of a variant, and where it came in."""

    round: int
    index: int
    masked: str | None
    """As the model wrote it; None for texts that people wrote or approved."""
    voiced: str
    """With its facts put back."""
    finished: bool
    way_back: float | None = None
    """How surely the model finds the base text in it, mean nats per token; None: not measured."""
    attempt: int = 0
    """How often other candidates had been asked for when it was made; what was asked for last is looked at first."""

    @property
    def position(self) -> tuple[int, int]:
        """Round and index: the tie-break."""
        return self.round, self.index


@dataclass(frozen=True, slots=True)
class Score:
    """The marks of one candidate, each from 0 to 1, and their weighted total."""

    findings: float
    meaning: float
    length: float
    distance: float
    sibling: float
    finished: float

    @property
    def total(self) -> float:
        """From 0 to 1, rounded to two decimals."""
        total: float = sum(weight * getattr(self, mark) for mark, weight in WEIGHTS.items())
        return round(total, 2)


def score(facts: VariantFacts, candidate: CandidateText, findings: Sequence[Finding]) -> Score:
    """The marks of `candidate`. Block findings play no part: a blocked candidate is never compared."""
    base, voiced = facts.base.casefold(), candidate.voiced.casefold()
    ratio = (len(voiced) + _LENGTH_SLACK) / (len(base) + _LENGTH_SLACK)
    is_neutral = facts.tell_state is TellState.Neutral
    return Score(
        findings=1 / (1 + sum(finding.severity is Severity.review for finding in findings)),
        meaning=1.0 if candidate.way_back is None else _rising(candidate.way_back, *WAY_BACK),
        length=_inside(ratio, *LENGTHS[facts.kind, facts.tell_state], floor=0.0, ceiling=3.0),
        distance=_inside(_distance(base, voiced), *FROM_BASE[is_neutral], floor=0.0, ceiling=1.0),
        sibling=_sibling(facts, voiced),
        finished=float(candidate.finished),
    )


def _sibling(facts: VariantFacts, voiced: str) -> float:
    if facts.tell_state is TellState.Neutral:
        return 1.0
    if voiced in (text.casefold() for text in facts.taken):
        return 0.0
    if facts.neutral is None:
        return 1.0
    return _inside(_distance(facts.neutral.casefold(), voiced), *FROM_NEUTRAL, floor=0.0, ceiling=1.0)


def _distance(one: str, other: str) -> float:
    return float(Indel.normalized_distance(one, other))


def _rising(value: float, low: float, high: float) -> float:
    """0 up to `low`, 1 from `high` on, a straight line between."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _inside(value: float, low: float, high: float, *, floor: float, ceiling: float) -> float:
    """1 from `low` to `high`, falling in a straight line to 0 at `floor` and `ceiling`."""
    if value < low:
        return max(0.0, (value - floor) / (low - floor))
    if value > high:
        return max(0.0, (ceiling - value) / (ceiling - high))
    return 1.0
