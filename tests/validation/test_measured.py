"""The way back and the tense: rules on what a candidate lost or moved in time."""

from __future__ import annotations

import pytest

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.rule import Subject
from pipeline.validation.rules.tense import Tense
from pipeline.validation.rules.way_back import WayBack


@pytest.mark.parametrize(
    ("way_back", "severity"),
    [
        (None, None),
        (-0.2, None),
        (-1.19, None),
        (-1.2, Severity.review),
        (-1.5, Severity.block),
        (-4.0, Severity.block),
    ],
)
def test_the_way_back_is_judged_by_two_limits(way_back: float | None, severity: Severity | None) -> None:
    subject = Subject("The lift is down.", "Lift's down.", Kind.dialogue, TellState.Neutral, way_back=way_back)
    assert [finding.severity for finding in WayBack().check(subject)] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("base", "voiced", "found"),
    [
        ("Sit down and show me your neck.", "You sat down and showed me your neck.", True),
        ("Nothing leaves here today.", "Nothing left here today.", True),
        ("I will not open the gate.", "The gate. I opened it.", True),
        ("Did Bram send you?", "Bram, he sent you?", False),
        ("He was carrying a case.", "He carried a case.", False),
        ("Thank you for fixing the heater.", "You fixed the heater. Thank you.", False),
        ("Who was the last person to use the cutter?", "They used the cutter. Who was last?", False),
        ("They painted over the valve.", "The valve, they painted over it.", False),
        ("The pump is shut by hand.", "It's shut by hand, the pump.", False),
        ("I put the seal on myself.", "I put it on myself, the seal.", False),
    ],
)
def test_verbs_do_not_slip_into_the_past(base: str, voiced: str, found: bool) -> None:
    subject = Subject(base, voiced, Kind.dialogue, TellState.Guarded)
    assert bool(list(Tense().check(subject))) is found


def test_behaviors_may_hang_participles_on() -> None:
    subject = Subject("bends the head", "they bent the head", Kind.behavior, TellState.Guarded)
    assert not list(Tense().check(subject))
