"""Intervals and tests against figures that are known."""

from __future__ import annotations

import pytest

from pipeline.content.terms import TellState
from pipeline.spike.statistics import Share, most_likely_missed, paired, share_interval
from pipeline.spike.told import told, told_by_state


@pytest.mark.parametrize(
    ("changes", "p", "higher", "lower"),
    [
        ([1] * 6 + [0] * 4, 0.0312, 6, 0),  # 2 * 0.5 ** 6
        ([1] * 5 + [-1], 0.2188, 5, 1),  # 2 * (6 + 1) / 64
        ([0] * 8, 1.0, 0, 0),
    ],
)
def test_the_sign_test_is_exact(changes: list[int], p: float, higher: int, lower: int) -> None:
    first = {str(at): 0.0 for at in range(len(changes))}
    found = paired(first, {str(at): float(change) for at, change in enumerate(changes)})
    assert found is not None
    assert (found.higher, found.lower, found.lines) == (higher, lower, len(changes))
    assert found.p == pytest.approx(p, abs=0.0001)


def test_only_lines_that_both_have_are_paired() -> None:
    found = paired({"a": 1.0, "b": 0.0}, {"b": 1.0, "c": 0.0})
    assert found is not None
    assert (found.lines, found.difference, found.interval, found.small) == (1, 1.0, None, True)
    assert paired({"a": 1.0}, {"b": 1.0}) is None


def test_an_interval_holds_the_share_and_is_the_same_each_time() -> None:
    lines = [Share(hits, 6) for hits in (6, 5, 6, 2, 6, 4, 6, 6, 3, 6)]
    interval = share_interval(lines)
    assert interval is not None
    assert interval[0] < 50 / 60 < interval[1]
    assert 0.6 < interval[0] < 0.8
    assert share_interval(lines) == interval
    assert share_interval([Share(6, 6)] * 4) == (1.0, 1.0)
    assert share_interval([Share(1, 2), Share(0, 0)]) is None


def test_none_seen_is_not_none_there() -> None:
    assert most_likely_missed(0, 40) == pytest.approx(0.088, abs=0.001)  # 1 - 0.025 ** (1 / 40)
    assert most_likely_missed(0, 0) is None


def _texts(word: dict[TellState, str]) -> list[tuple[str, str, TellState]]:
    return [(f"base {at}", f"line {at} {word[state]}", state) for at in range(10) for state in TellState]


def test_a_state_that_a_word_gives_away_is_told_and_one_that_nothing_gives_away_is_not() -> None:
    marked = {state: f"word{state.value}" for state in TellState}
    assert told(_texts(marked), punctuation=False) == 1.0
    alike = told(_texts(dict.fromkeys(TellState, "word")), punctuation=False)
    assert alike is not None
    assert alike <= 0.2


def test_punctuation_can_be_left_out_of_it() -> None:
    marks = dict(zip(TellState, (".", "...", "!", ";", "—", "?"), strict=True))
    heard = told(_texts(marks), punctuation=True)
    assert heard is not None
    assert heard > 0.9
    without = told(_texts(marks), punctuation=False)
    assert without is not None
    assert without <= 0.2


def test_too_few_texts_tell_nothing() -> None:
    assert told_by_state(_texts(dict.fromkeys(TellState, "x"))[:12], punctuation=False) is None
    assert told([], punctuation=True) is None
