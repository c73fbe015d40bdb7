"""Go, no-go or undecided; and which of two models is the better one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from pipeline.spike.measure import SOFT_GROUPS, Criterion
from pipeline.spike.result import Content

SOFT_NEEDED = 4


class Verdict(StrEnum):
    """What a spike decides."""

    go = "go"
    no_go = "no-go"
    undecided = "undecided"


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on one model."""

    verdict: Verdict
    hard: Mapping[str, bool | None]
    """By hard criterion: met, failed, or not known."""
    soft: Mapping[str, bool | None]
    """By soft group."""
    reasons: tuple[str, ...]
    """What decided, or what is missing, a sentence each."""

    @property
    def soft_met(self) -> int:
        """How many of the soft groups are met."""
        return sum(met is True for met in self.soft.values())

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return asdict(self) | {"verdict": self.verdict.value, "reasons": list(self.reasons)}


def decide(criteria: Sequence[Criterion], content: Content | None = None) -> Decision:
    """Go: both hard criteria and at least four of the five soft groups are met, on the whole set.

    While any answer is missing the decision is open, whatever has failed already: it says so and is never go.
    """
    hard = {one.id: one.met for one in criteria if one.hard}
    soft = {group: _all(one.met for one in criteria if one.group == group) for group in SOFT_GROUPS}
    missing = [f"{one.title}: {each.what} ({each.note or 'not measured'})." for one in criteria for each in one.pending]
    if content is not None and len(content.lines) < content.set_lines:
        missing.append(f"Only {len(content.lines)} of the set's {content.set_lines} lines were voiced.")
    failed = [f"{one.title}: not met." for one in criteria if one.hard and one.met is False]
    failed += [f"The soft group {group} is not met." for group, met in soft.items() if met is False]
    lost = (
        any(met is False for met in hard.values()) or sum(m is False for m in soft.values()) > len(soft) - SOFT_NEEDED
    )
    if missing:
        ahead = ("It can no longer become a go.",) if lost else ()
        return Decision(Verdict.undecided, hard, soft, (*ahead, *failed, *missing))
    if lost:
        return Decision(Verdict.no_go, hard, soft, tuple(failed))
    return Decision(Verdict.go, hard, soft, tuple(failed) or ("Every criterion is met.",))


def _all(marks: Any) -> bool | None:
    found = list(marks)
    if False in found:
        return False
    return None if None in found or not found else True


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of two models is better."""

    winner: int | None
    """0 or 1; None: neither."""
    groups: Mapping[str, int | None]
    """By soft group: which one wins it; None: neither."""
    reason: str


def choose(first: Sequence[Criterion], second: Sequence[Criterion], decisions: tuple[Decision, Decision]) -> Choice:
    """The one that meets both hard criteria and wins more soft groups.

    A group is won by the one that meets it alone; where both or neither do, by the higher mean of its shares.
    """
    groups = {group: _group_winner(group, first, second, decisions) for group in SOFT_GROUPS}
    if any(one.verdict is Verdict.undecided for one in decisions):
        return Choice(None, groups, "Answers of people are missing, or lines are: nothing is chosen yet.")
    meets = [all(one.hard.values()) for one in decisions]
    if not any(meets):
        return Choice(None, groups, "Neither meets both hard criteria.")
    if not all(meets):
        only = meets.index(True)
        return Choice(only, groups, "Only this one meets both hard criteria.")
    won = [sum(winner == at for winner in groups.values()) for at in (0, 1)]
    if won[0] == won[1]:
        return Choice(None, groups, f"Both meet the hard criteria and win {won[0]} soft groups each.")
    best = won.index(max(won))
    return Choice(
        best, groups, f"Both meet the hard criteria; this one wins {won[best]} soft groups, not {won[1 - best]}."
    )


def _group_winner(
    group: str, first: Sequence[Criterion], second: Sequence[Criterion], decisions: tuple[Decision, Decision]
) -> int | None:
    met = [one.soft[group] for one in decisions]
    if met[0] is not met[1] and True in met:
        return met.index(True)
    means = [_mean(group, each) for each in (first, second)]
    if means[0] == means[1]:
        return None
    return means.index(max(means))


def _mean(group: str, criteria: Sequence[Criterion]) -> float:
    """The mean of a group's shares with a bar; counts that must be 0 take part by whether they are."""
    marks = [
        float(one.value <= (one.bar or 0)) if one.at_most else one.value
        for each in criteria
        if each.group == group
        for one in each.measures
        if one.bar is not None and one.value is not None
    ]
    return round(sum(marks) / len(marks), 6) if marks else 0.0
