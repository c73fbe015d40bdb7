"""Which candidate a variant gets: the best one without a block finding, from the earliest round that has one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.content.terms import Severity, TellState
from pipeline.selection.score import CandidateText, Score, VariantFacts, score
from pipeline.validation.finding import Finding

Validate = Callable[[TellState, CandidateText, str | None], Sequence[Finding]]
"""Gives the findings on a candidate of a tell state, beside the chosen Neutral text (None: there is none)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with what the rules say of it and its score."""

    candidate: CandidateText
    findings: tuple[Finding, ...]
    score: Score

    @property
    def passes(self) -> bool:
        """True without a block finding."""
        return not any(finding.severity is Severity.block for finding in self.findings)


@dataclass(frozen=True, slots=True)
class VariantChoice:
    """What became of one variant."""

    tell_state: TellState
    chosen: Judged | None
    """None: no candidate passes; the variant stays empty and the reader falls back."""
    others: tuple[Judged, ...]
    """The other candidates that were judged, passing ones first, each group best first."""


def choose_variant(facts: VariantFacts, candidates: Iterable[CandidateText], validate: Validate) -> VariantChoice:
    """Chooses one variant's text. Later rounds are not looked at once a round has a candidate that passes.

    The choice depends on `facts` and on this variant's own candidates only, and not on their order.
    """
    judged: list[Judged] = []
    ordered = sorted(candidates, key=lambda candidate: candidate.position)
    for _, members in groupby(ordered, key=lambda candidate: candidate.round):
        judged += [judge(facts, candidate, validate) for candidate in members]
        if any(one.passes for one in judged):
            break
    return choose_judged(facts.tell_state, judged)


def judge(facts: VariantFacts, candidate: CandidateText, validate: Validate) -> Judged:
    """What the rules say of one candidate, and its marks."""
    findings = tuple(validate(facts.tell_state, candidate, facts.neutral))
    return Judged(candidate, findings, score(facts, candidate, findings))


def choose_judged(tell_state: TellState, judged: Iterable[Judged]) -> VariantChoice:
    """The choice among candidates that are judged already. None of them may be of a round that is not looked at."""
    ranking = sorted(judged, key=_rank)
    chosen = ranking[0] if ranking and ranking[0].passes else None
    return VariantChoice(tell_state, chosen, tuple(ranking[1:] if chosen else ranking))


def _rank(judged: Judged) -> tuple[bool, float, tuple[int, int]]:
    return not judged.passes, -judged.score.total, judged.candidate.position
