"""Ambient lines: none twice in a row, all before any again, and the same order from the same state."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.cache import AmbientLines, VoiceCache

IDS = st.sets(st.text(min_size=1, max_size=6), min_size=1, max_size=8)


@settings(deadline=None, max_examples=100)
@given(IDS, st.integers())
def test_no_line_comes_twice_in_a_row_and_all_come_before_any_again(ids: set[str], seed: int) -> None:
    lines = AmbientLines(ids, seed=seed)
    said = [lines.next() for _ in range(5 * len(ids))]
    for start in range(0, len(said), len(ids)):
        assert set(said[start : start + len(ids)]) == ids
    if len(ids) > 1:
        assert all(one != other for one, other in pairwise(said))


@settings(deadline=None, max_examples=50)
@given(IDS, st.integers(), st.integers(min_value=0, max_value=30))
def test_a_saved_game_goes_on_where_it_was(ids: set[str], seed: int, heard: int) -> None:
    before = AmbientLines(ids, seed=seed)
    for _ in range(heard):
        before.next()
    after = AmbientLines(sorted(ids, reverse=True), seed=before.seed, dealt=before.dealt)
    assert [after.next() for _ in range(10)] == [before.next() for _ in range(10)]


def test_the_order_is_fixed_for_good() -> None:
    lines = AmbientLines(["a", "b", "c", "d"], seed=7)
    assert [lines.next() for _ in range(12)] == list("adcbcbadabcd")


def test_another_seed_gives_another_order() -> None:
    orders = {tuple(_deal(AmbientLines("abcdef", seed=seed), 6)) for seed in range(20)}
    assert len(orders) > 15


def test_lines_of_a_cache_can_be_dealt(shared_draft: Path) -> None:
    with VoiceCache(shared_draft) as cache:
        ids = [line.line_id for line in cache.lines("imke_dorr") if line.kind == "dialogue"]
        for line_id in _deal(AmbientLines(ids, seed=1), 8):
            assert cache.template("imke_dorr", line_id, "Guarded").text


@pytest.mark.parametrize(
    ("ids", "dealt", "wanted"), [([], 0, "no line to choose from"), (["a"], -1, "it counts lines, from 0")]
)
def test_what_cannot_be_dealt_is_refused(ids: list[str], dealt: int, wanted: str) -> None:
    with pytest.raises(ValueError, match=wanted):
        AmbientLines(ids, seed=0, dealt=dealt)


def _deal(lines: AmbientLines, count: int) -> list[str]:
    return [lines.next() for _ in range(count)]
