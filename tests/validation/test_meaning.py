"""Recall and false alarms of the rules on meaning, on corpora; the figures stand in docs/validation.md."""

from __future__ import annotations

import json
from collections import Counter

import pytest

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


def _rates(rules: RuleSet, name: str) -> tuple[float, float]:
    """Share of bad pairs found, share of good pairs reported."""
    total: Counter[bool] = Counter()
    found: Counter[bool] = Counter()
    for line in (CORPORA / name).read_text("utf-8").splitlines():
        row = json.loads(line)
        kind = Kind(row["kind"]) if "kind" in row else Kind.behavior if row["base"][0].islower() else Kind.dialogue
        findings = rules.validate(Subject(row["base"], row["voiced"], kind, TellState(row.get("tell", "Neutral"))))
        good = row["label"] == "ok"
        total[good] += 1
        found[good] += any(finding.severity is not Severity.info for finding in findings)
    return found[False] / total[False], found[True] / total[True]


@pytest.mark.parametrize("name", ["fidelity_pairs.jsonl", "fidelity_held_out.jsonl", "fidelity_held_out_2.jsonl"])
def test_fidelity_pairs(name: str, rules: RuleSet) -> None:
    recall, alarms = _rates(rules, name)
    assert recall >= 0.85
    assert alarms <= 0.10


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
