"""Choosing: the best passing candidate of the earliest round that has one; nothing where none passes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.selection import CandidateText, VariantFacts, choose_variant
from pipeline.validation.finding import Finding

BASE = "The lift is broken again and nobody came to look at it."
FACTS = VariantFacts(BASE, Kind.dialogue, TellState.Neutral)
GOOD = "Lift's broken again. Nobody came to look."
ALSO_GOOD = "Lift's broken again. Nobody's come to look."
CUT = "Lift's broken again. Nobody came to"
BLOCKED = "Affirmative, the lift is broken again."


def validate(state: TellState, candidate: CandidateText, neutral: str | None) -> Sequence[Finding]:
    """Blocks "Affirmative", and a tell variant that equals its Neutral."""
    if "Affirmative" in candidate.voiced:
        return [Finding("franchise", Severity.block, "Not a word of this place.")]
    if candidate.voiced == neutral:
        return [Finding("sibling", Severity.block, "The same as Neutral.")]
    return []


def at(round: int, index: int, voiced: str) -> CandidateText:
    return CandidateText(round, index, voiced, voiced, not voiced.endswith(" to"))


@pytest.mark.parametrize(
    ("candidates", "position"),
    [
        pytest.param([at(0, 0, CUT), at(0, 1, GOOD)], (0, 1), id="the better one"),
        pytest.param([at(0, 0, GOOD), at(0, 1, ALSO_GOOD)], (0, 0), id="among equals the greedy one"),
        pytest.param([at(0, 0, BLOCKED), at(0, 1, CUT)], (0, 1), id="a weak one before a blocked one"),
        pytest.param(
            [at(0, 0, CUT), at(1, 0, GOOD)], (0, 0), id="the first round with a passing one, whatever follows"
        ),
        pytest.param(
            [at(0, 0, BLOCKED), at(1, 0, BLOCKED), at(2, 0, GOOD)], (2, 0), id="a later round where all failed"
        ),
        pytest.param([at(0, 0, BLOCKED), at(1, 1, BLOCKED)], None, id="none passes"),
        pytest.param([], None, id="no candidates"),
    ],
)
def test_which_candidate_is_chosen(candidates: list[CandidateText], position: tuple[int, int] | None) -> None:
    choice = choose_variant(FACTS, candidates, validate)
    assert (choice.chosen.candidate.position if choice.chosen else None) == position
    judged = [*([choice.chosen] if choice.chosen else []), *choice.others]
    assert sorted(one.candidate.position for one in judged) == sorted(
        one.position for one in candidates if position is None or one.round <= position[0]
    )


def test_rounds_after_the_first_good_one_are_not_judged() -> None:
    seen = []

    def watching(state: TellState, candidate: CandidateText, neutral: str | None) -> Sequence[Finding]:
        seen.append(candidate.position)
        return validate(state, candidate, neutral)

    choose_variant(FACTS, [at(1, 0, GOOD), at(0, 1, GOOD), at(0, 0, BLOCKED)], watching)
    assert seen == [(0, 0), (0, 1)]


def test_blocked_candidates_stand_behind_the_passing_ones() -> None:
    choice = choose_variant(FACTS, [at(0, 0, BLOCKED), at(0, 1, CUT), at(0, 2, GOOD)], validate)
    assert [one.candidate.index for one in choice.others] == [1, 0]


def test_a_tell_variant_is_judged_beside_the_neutral_text() -> None:
    facts = VariantFacts(BASE, Kind.dialogue, TellState.Guarded, GOOD)
    choice = choose_variant(facts, [at(0, 0, GOOD), at(0, 1, ALSO_GOOD)], validate)
    assert choice.tell_state is TellState.Guarded
    assert choice.chosen is not None
    assert choice.chosen.candidate.voiced == ALSO_GOOD
    assert [finding.rule for finding in choice.others[0].findings] == ["sibling"]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([GOOD, ALSO_GOOD, CUT, BLOCKED, BASE]), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_candidates_does_not_matter(texts: list[str], shuffler: random.Random) -> None:
    candidates = [at(place // 3, place % 3, text) for place, text in enumerate(texts)]
    shuffled = candidates.copy()
    shuffler.shuffle(shuffled)
    assert choose_variant(FACTS, shuffled, validate) == choose_variant(FACTS, candidates, validate)
