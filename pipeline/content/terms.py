"""The spec's closed sets of words. A member's name is its value, so that RON, JSON and Dagster all read the same."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a line is: something said, or something seen."""

    dialogue = "dialogue"
    behavior = "behavior"


class Tier(StrEnum):
    """How much an NPC matters to the plot; the order is the order of work."""

    PlotCritical = "PlotCritical"
    SemiUnique = "SemiUnique"
    Ambient = "Ambient"

    @property
    def rank(self) -> int:
        """0 for the most important tier."""
        return list(Tier).index(self)


class TellState(StrEnum):
    """The state that a variant is voiced in: Neutral, or one of the five tell categories."""

    Neutral = "Neutral"
    Nervous = "Nervous"
    Angry = "Angry"
    Friendly = "Friendly"
    Guarded = "Guarded"
    RoutineDeviation = "RoutineDeviation"


TELL_CATEGORIES = tuple(state for state in TellState if state is not TellState.Neutral)


class Affect(StrEnum):
    """How strongly the speaker feels about the line; exclamations belong to `high` only."""

    low = "low"
    even = "even"
    high = "high"


class ReviewPolicy(StrEnum):
    """Which chosen variants wait for a person: all of them, or those with a finding of severity `review`."""

    All = "All"
    Flagged = "Flagged"


class Severity(StrEnum):
    """What a finding does: `block` bars the candidate, `review` asks a person, `info` is only shown."""

    block = "block"
    review = "review"
    info = "info"
