"""The score: what it rewards, and that nothing but the line itself enters it."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.selection import CandidateText, VariantFacts, score
from pipeline.selection.score import LENGTHS, WEIGHTS
from pipeline.validation.finding import Finding

BASE = "The lift is broken again and nobody came to look at it."
NEUTRAL = "Lift's broken again. Nobody came to look."
GUARDED = "Lift's out again. Nobody came. That's all there is."
REVIEW = Finding("shape", Severity.review, "Look at this.")
INFO = Finding("shape", Severity.info, "For information.")

_PAIRS = Path(__file__).parents[1] / "corpora" / "voice_pairs.jsonl"


def _candidate(voiced: str, *, round: int = 0, index: int = 0, finished: bool = True) -> CandidateText:
    return CandidateText(round, index, voiced, voiced, finished)


def _facts(state: TellState = TellState.Neutral, neutral: str | None = None) -> VariantFacts:
    return VariantFacts(BASE, Kind.dialogue, state, neutral)


def test_a_clean_finished_text_of_usual_length_has_full_marks() -> None:
    assert score(_facts(), _candidate(NEUTRAL), []).total == 1.0
    assert score(_facts(TellState.Guarded, NEUTRAL), _candidate(GUARDED), [INFO]).total == 1.0


@pytest.mark.parametrize(
    ("mark", "facts", "worse", "findings"),
    [
        pytest.param("findings", _facts(), _candidate(NEUTRAL), [REVIEW], id="a review finding"),
        pytest.param("length", _facts(), _candidate("Lift."), [], id="far too short"),
        pytest.param("length", _facts(), _candidate(NEUTRAL * 4), [], id="far too long"),
        pytest.param("distance", _facts(), _candidate(BASE), [], id="the base text again"),
        pytest.param(
            "distance", _facts(), _candidate("Morning, what can you pay for my work today?"), [], id="another line"
        ),
        pytest.param("sibling", _facts(TellState.Guarded, NEUTRAL), _candidate(NEUTRAL), [], id="equals Neutral"),
        pytest.param("finished", _facts(), _candidate(NEUTRAL, finished=False), [], id="cut off"),
    ],
)
def test_each_mark_falls_for_its_own_fault(
    mark: str, facts: VariantFacts, worse: CandidateText, findings: list[Finding]
) -> None:
    good = score(facts, _candidate(GUARDED if facts.neutral else NEUTRAL), [])
    bad = score(facts, worse, findings)
    assert getattr(bad, mark) < getattr(good, mark)
    assert bad.total < good.total


def test_more_review_findings_are_worse() -> None:
    totals = [score(_facts(), _candidate(NEUTRAL), [REVIEW] * count).total for count in range(4)]
    assert totals == sorted(totals, reverse=True)
    assert len(set(totals)) == 4


def test_a_tell_variant_without_a_neutral_text_is_not_marked_down() -> None:
    assert score(_facts(TellState.Guarded), _candidate(GUARDED), []).sibling == 1.0


def test_every_kind_and_state_has_a_length_window_and_weights_add_up() -> None:
    assert set(LENGTHS) == set(product(Kind, TellState))
    assert all(0 < low < high < 3 for low, high in LENGTHS.values())
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_texts_of_writers_score_near_the_top() -> None:
    totals = []
    for row in _PAIRS.read_text(encoding="utf-8").splitlines():
        pair = json.loads(row)
        texts = {
            state: pair["routine_deviation" if state is TellState.RoutineDeviation else state.lower()]
            for state in TellState
        }
        for state, text in texts.items():
            neutral = None if state is TellState.Neutral else texts[TellState.Neutral]
            facts = VariantFacts(pair["base"], Kind(pair["kind"]), state, neutral)
            totals.append(score(facts, _candidate(text), []).total)
    assert len(totals) > 1000
    assert sum(total >= 0.95 for total in totals) / len(totals) > 0.9
    assert min(totals) > 0.75


@settings(deadline=None)
@given(st.text(min_size=1, max_size=80), st.text(max_size=80), st.sampled_from(TellState), st.sampled_from(Kind))
def test_a_score_lies_between_0_and_1_for_any_texts(base: str, voiced: str, state: TellState, kind: Kind) -> None:
    marks = score(VariantFacts(base, kind, state, base[::-1]), _candidate(voiced), [REVIEW])
    assert all(0 <= getattr(marks, mark) <= 1 for mark in WEIGHTS)
    assert 0 <= marks.total <= 1
