"""Which text a variant gets: the one that a person decided on, else the best candidate without a block finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.content.terms import Severity, TellState
from pipeline.selection.score import CandidateText, Score, VariantFacts, score
from pipeline.selection.standing import UNDECIDED, Held, Standing
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
    """None: nothing passes; the variant stays empty and the reader falls back."""
    others: tuple[Judged, ...]
    """The other candidates that were judged, passing ones first, each group best first."""
    decided: Held | None = None
    """The decision that the chosen text rests on; None: nobody has decided on it."""
    lapsed: Judged | None = None
    """A text that a person decided on and that today's rules block."""


def choose_variant(
    facts: VariantFacts, candidates: Iterable[CandidateText], validate: Validate, standing: Standing = UNDECIDED
) -> VariantChoice:
    """Chooses one variant's text. Later rounds are not looked at once a round has a candidate that passes.

    The choice depends on `facts`, `standing` and this variant's own candidates only, and not on their order.
    """
    judged: list[Judged] = []
    ordered = sorted(candidates_left(candidates, standing), key=lambda one: (-one.attempt, one.position))
    for _, members in groupby(ordered, key=lambda one: (one.attempt, one.round)):
        judged += [judge(facts, candidate, validate, standing) for candidate in members]
        if settles(judged, standing):
            break
    return choose_judged(facts.tell_state, judged, standing, judge_held(facts, validate, standing))


def candidates_left(candidates: Iterable[CandidateText], standing: Standing) -> list[CandidateText]:
    """Those that may still be chosen: no rejected ones, and not the held text a second time."""
    left_out = standing.rejected | ({standing.held.text} if standing.held else frozenset())
    return [one for one in candidates if one.voiced not in left_out]


def settles(judged: Iterable[Judged], standing: Standing = UNDECIDED) -> bool:
    """True when no further round is looked at: a candidate passes for which no other one was asked."""
    return any(one.passes and one.candidate.voiced not in standing.passed_over for one in judged)


def judge(facts: VariantFacts, candidate: CandidateText, validate: Validate, standing: Standing = UNDECIDED) -> Judged:
    """What the rules say of one candidate, but for waivers, and its marks."""
    findings = standing.waive(candidate.voiced, validate(facts.tell_state, candidate, facts.neutral))
    return Judged(candidate, findings, score(facts, candidate, findings))


def judge_held(facts: VariantFacts, validate: Validate, standing: Standing) -> Judged | None:
    """The held text under today's rules; None where none is held."""
    if standing.held is None:
        return None
    by_a_person = CandidateText(round=0, index=0, masked=None, voiced=standing.held.text, finished=True)
    return judge(facts, by_a_person, validate, standing)


def choose_judged(
    tell_state: TellState, judged: Iterable[Judged], standing: Standing = UNDECIDED, held: Judged | None = None
) -> VariantChoice:
    """The choice among candidates that are judged already. None of them may be of a round that is not looked at.

    A held text comes first while the rules pass it. Of the candidates, those that were approved for the same base text
    elsewhere come before others, those for which others were asked come last.
    """
    ranking = sorted(judged, key=lambda one: _rank(one, standing))
    if held is not None and held.passes:
        return VariantChoice(tell_state, held, tuple(ranking), _decided(held, standing))
    if ranking and ranking[0].passes:
        return VariantChoice(tell_state, ranking[0], tuple(ranking[1:]), _decided(ranking[0], standing), held)
    return VariantChoice(tell_state, None, tuple(ranking), lapsed=held)


def _decided(judged: Judged, standing: Standing) -> Held | None:
    """The decision on a text, where one counts."""
    text = judged.candidate.voiced
    if text in standing.disputed:
        return None
    held = standing.held if standing.held and standing.held.text == text else standing.approved.get(text)
    return held if held is not None and held.covers(judged.findings) else None


def _rank(judged: Judged, standing: Standing) -> tuple[bool, bool, bool, float, int, tuple[int, int]]:
    text = judged.candidate.voiced
    return (
        not judged.passes,
        text in standing.passed_over,
        _decided(judged, standing) is None,
        -judged.score.total,
        -judged.candidate.attempt,
        judged.candidate.position,
    )
