"""What people are asked to judge: each measure with its bar, and what their answers amount to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.content.terms import TellState
from pipeline.spike.measure import PEOPLE, Measure
from pipeline.spike.outcomes import Case

SENSED = (TellState.Guarded, TellState.Nervous, TellState.RoutineDeviation)
"""The states whose undertone people must sense."""
INFORMATION_BAR, UNDERTONE_BAR, EXCLAMATION_BAR, RECOGNITION_BAR = 0.9, 0.8, 0.6, 0.8


@dataclass(frozen=True, slots=True)
class People:
    """What people answered about one result."""

    measures: Mapping[str, Measure] = field(default_factory=dict)
    """By measure id; absent: not answered."""
    cleared: Mapping[str, frozenset[Case]] = field(default_factory=dict)
    """By question: variants of which most reviewers say that the suspicion is wrong."""

    def measure(self, name: str) -> Measure:
        """The measure of that id, without a value where nobody was asked."""
        what, bar, at_most = PEOPLE_MEASURES[name]
        return self.measures.get(name) or Measure(name, PEOPLE, what, bar, at_most, None, 0, note="nobody was asked")


PEOPLE_MEASURES: Mapping[str, tuple[str, float | None, bool]] = {
    "people-named": ("texts of which most reviewers say that they tell what the person is careful about", 0, True),
    "people-added": ("texts that add something, most reviewers say", 0, True),
    "people-kept-behavior": ("behaviors that hold all that the base text says", INFORMATION_BAR, False),
    "people-kept-dialogue": ("lines of dialogue that hold all that the base text says", INFORMATION_BAR, False),
    **{
        f"people-sensed-{state.value}": (f"{state.value} texts in which people sense care", UNDERTONE_BAR, False)
        for state in SENSED
    },
    "people-sensed-Neutral": ("Neutral texts in which people sense care: false alarms", None, True),
    "people-explained": ("texts whose phrasing could be explained without knowing more", None, False),
    "people-recognised": ("lines rightly told apart from lines of no culture", RECOGNITION_BAR, False),
    "people-register": ("voiced lines that sound of fantasy, an army, Earth or a comedy", 0, True),
    "people-convinced": ("reviewers who name a line that convinced them", 1, False),
}
"""What people are asked for: what it measures, the bar, and whether the bar is an upper one."""
