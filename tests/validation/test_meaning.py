"""Recall and false alarms of the rules on meaning, on corpora; the figures stand in docs/validation.md."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks.findings import Rate, by_fault, false_alarms, judged_lines, judged_pairs
from pipeline.content.models import Content
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.rule import Subject
from pipeline.validation.ruleset import RuleSet
from tests.validation.conftest import CORPORA

STATES = {
    "neutral": TellState.Neutral,
    "nervous": TellState.Nervous,
    "angry": TellState.Angry,
    "friendly": TellState.Friendly,
    "guarded": TellState.Guarded,
    "routine_deviation": TellState.RoutineDeviation,
}


@pytest.mark.parametrize(
    ("name", "found", "alarms"),
    [
        ("fidelity_pairs", 40, 2),
        ("fidelity_held_out", 70, 3),
        ("fidelity_held_out_2", 77, 4),
        ("fidelity_fresh", 79, 12),
    ],
)
def test_fidelity_pairs(name: str, found: int, alarms: int, rules: RuleSet) -> None:
    rates = by_fault(judged_pairs(rules, name))
    assert rates["bad"].found >= found
    assert rates["good"].found <= alarms


def test_fresh_bad_lines_are_caught(rules: RuleSet, content: Content) -> None:
    rates = by_fault(judged_lines(rules, content, "bad_fresh"))
    assert rates["bad"].of == 120
    assert rates["bad"].found >= 117


def test_fresh_good_lines_are_left_alone(rules: RuleSet, content: Content) -> None:
    rates = false_alarms(judged_lines(rules, content, "good_fresh"))
    assert {culture: rate["block"].found for culture, rate in rates.items()} == {
        "all": 0,
        "sovari": 0,
        "van_maanens_star": 0,
    }
    assert rates["sovari"]["review"].share <= 0.05
    assert rates["van_maanens_star"]["review"].share <= 0.01


@pytest.mark.parametrize(
    ("rate", "low", "high"), [(Rate(0, 10), 0.0, 0.28), (Rate(9, 10), 0.60, 0.98), (Rate(0, 0), 0, 1)]
)
def test_wilson_intervals(rate: Rate, low: float, high: float) -> None:
    assert rate.interval == pytest.approx((low, high), abs=0.01)


def test_good_lines_are_left_alone(rules: RuleSet, content: Content) -> None:
    culture = content.cultures["van_maanens_star"]
    worst: Counter[str] = Counter()
    lines = 0
    for line in (CORPORA / "voice_pairs.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for name, state in STATES.items():
            lines += 1
            neutral = None if state is TellState.Neutral else row["neutral"]
            subject = Subject(row["base"], row[name], Kind(row["kind"]), state, culture=culture, neutral=neutral)
            severities = {finding.severity for finding in rules.validate(subject)}
            worst["block"] += Severity.block in severities
            worst["review"] += Severity.review in severities and Severity.block not in severities
    assert lines >= 400
    assert worst["block"] <= 0.005 * lines
    assert worst["review"] <= 0.05 * lines
