"""Durations, and when a time budget says stop."""

from __future__ import annotations

import pytest

from pipeline.bake.budget import TimeBudget, parse_duration
from pipeline.errors import UserError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("10m", 600), ("1h", 3600), ("1h30m", 5400), ("1.5m", 90), (" 2H5S ", 7205), ("0.5s", 0.5)],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "m", "10 m", "-5s", "0s", "5s1m", "1d", "soon"])
def test_what_is_no_duration_says_how_to_write_one(text: str) -> None:
    with pytest.raises(UserError, match=r"is no duration\.\n  Write it like 90s"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("budget", "asked_at", "answers"),
    [
        (100, [0, 10, 20, 30], [False, False, False, False]),
        (35, [0, 10, 20, 30], [False, False, False, True]),
        (29, [0, 10, 20, 30], [False, False, True, True]),
        (25, [0, 20, 22, 24], [False, True, False, True]),  # the first line loaded the model
        (30, [0, 1, 11, 12], [False, False, False, False]),  # the longest line counts, not the last
        (20, [0, 1, 11, 12], [False, False, True, True]),
        (5, [0], [False]),  # a bake with a budget always goes forward
        (5, [6], [True]),
    ],
)
def test_it_stops_when_another_line_would_end_too_late(
    budget: float, asked_at: list[float], answers: list[bool]
) -> None:
    now = 0.0
    limit = TimeBudget(budget, clock=lambda: now)
    for moment, answer in zip(asked_at, answers, strict=True):
        now = moment
        assert limit() is answer
        assert limit.spent is answer
