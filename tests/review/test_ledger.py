"""What verdicts mean together: which text is held, what is rejected, who contradicts whom."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pipeline.content.terms import Kind, TellState
from pipeline.review import REQUEST_CAP, Action, Ledger, VariantBase, Verdict, standing_of
from pipeline.selection import UNDECIDED
from tests.review.verdicts import OTHER, TEXT, ledger, variant, verdict

APPROVED = verdict(Action.approve)
LATER = "2026-03-02T10:00:00.000+00:00"


def held(found: Ledger, one: VariantBase | None = None) -> str | None:
    standing = standing_of(found, one or variant())
    return standing.held.text if standing.held else None


def test_without_a_verdict_nothing_is_decided() -> None:
    assert standing_of(Ledger(), variant()) is UNDECIDED
    assert standing_of(ledger(APPROVED), variant(base="Another base.")) is UNDECIDED


@pytest.mark.parametrize(
    "other",
    [
        {"tell_state": TellState.Angry},
        {"culture": "sovari"},
        {"kind": Kind.behavior},
        {"base": "The lift is broken."},
    ],
)
def test_an_approval_lapses_with_anything_that_it_is_bound_to_and_lives_again(other: dict[str, object]) -> None:
    found = ledger(APPROVED)
    assert held(found) == TEXT
    assert standing_of(found, variant(**other)) is UNDECIDED
    assert held(found) == TEXT


def test_approve_and_reject_judge_the_pair_wherever_it_occurs() -> None:
    elsewhere = variant(npc_id="imke_dorr", line_id="hello")
    found = ledger(APPROVED, verdict(Action.reject, OTHER))
    standing = standing_of(found, elsewhere)
    assert set(standing.approved) == {TEXT}
    assert standing.rejected == {OTHER}
    assert standing.held is None
    assert standing.attempts == 0  # a request belongs to the line that it was made for


def test_edits_waivers_and_requests_belong_to_their_own_line() -> None:
    found = ledger(
        verdict(Action.edit, OTHER, old_voiced=TEXT),
        verdict(Action.waive, OTHER, rule="shape", reason="wanted"),
        verdict(Action.regenerate, TEXT),
    )
    own = standing_of(found, variant())
    assert own.held is not None
    assert (own.held.text, own.held.edited) == (OTHER, True)
    assert own.waived == {OTHER: {"shape": "wanted"}}
    assert (own.passed_over, own.attempts) == ({TEXT}, 1)
    assert standing_of(found, variant(line_id="hello")) is UNDECIDED


def test_a_text_of_a_line_that_is_gone_is_held_where_its_base_text_is_now() -> None:
    renamed = variant(npc_id="imke_dorr", line_id="hello")
    gone: Callable[[Verdict], bool] = lambda verdict: verdict.line_id != "greet"  # noqa: E731
    standing = standing_of(ledger(APPROVED), renamed, gone)
    assert standing.held is not None
    assert (standing.held.text, standing.held.own) == (TEXT, False)


def test_a_withdrawal_brings_back_what_was_before() -> None:
    edit = verdict(Action.edit, OTHER, old_voiced=TEXT, supersedes=(APPROVED.id,), time=LATER)
    undone = verdict(Action.withdraw, OTHER, withdraws=edit.id, time=LATER)
    assert held(ledger(APPROVED, edit)) == OTHER
    assert held(ledger(APPROVED, edit, undone)) == TEXT
    assert standing_of(ledger(APPROVED, verdict(Action.withdraw, withdraws=APPROVED.id)), variant()) is UNDECIDED


def test_requests_are_counted_and_capped() -> None:
    twice = [verdict(Action.reject, TEXT, reviewer=name) for name in ("Ada", "Bo")]
    assert standing_of(ledger(*twice), variant()).attempts == 1
    many = [verdict(Action.reject, f"Text {number}.") for number in range(9)]
    assert standing_of(ledger(*many), variant()).attempts == REQUEST_CAP
    asked = [verdict(Action.regenerate, TEXT, time=f"2026-03-0{day}T00:00:00+00:00") for day in (1, 2)]
    assert standing_of(ledger(*asked), variant()).attempts == 2


def test_approval_against_rejection_is_a_conflict_and_neither_counts() -> None:
    found = ledger(APPROVED, verdict(Action.reject, reviewer="Bo", npc_id="imke_dorr"))
    standing = standing_of(found, variant())
    assert set(standing.disputed) == {TEXT}
    assert standing.rejected == frozenset()
    assert standing.approved == {}
    [conflict] = found.conflicts
    assert "Ada" in conflict.message
    assert "Bo" in conflict.message
    solved = ledger(*found.verdicts.values(), verdict(Action.withdraw, withdraws=APPROVED.id, time=LATER))
    assert solved.conflicts == []
    assert standing_of(solved, variant()).rejected == {TEXT}


def test_two_edits_apart_are_a_conflict_and_one_after_the_other_is_not() -> None:
    ada = verdict(Action.edit, "Ada's.", old_voiced=TEXT)
    bo = verdict(Action.edit, "Bo's.", old_voiced=TEXT, reviewer="Bo", time=LATER)
    apart = ledger(ada, bo)
    assert len(apart.conflicts) == 1
    assert set(standing_of(apart, variant()).disputed) == {"Ada's.", "Bo's."}
    assert held(apart) == "Bo's."  # nothing moves until somebody decides
    after = verdict(Action.edit, "Bo's.", old_voiced="Ada's.", reviewer="Bo", time=LATER, supersedes=(ada.id,))
    assert ledger(ada, after).conflicts == []
    chosen = verdict(Action.approve, "Ada's.", time=LATER, supersedes=(ada.id, bo.id))
    solved = ledger(ada, bo, chosen)
    assert solved.conflicts == []
    assert held(solved) == "Ada's."


def test_two_people_may_approve_the_same_text() -> None:
    found = ledger(APPROVED, verdict(Action.approve, reviewer="Bo", time=LATER))
    assert found.conflicts == []
    assert held(found) == TEXT


def test_the_order_and_the_doubling_of_lines_mean_nothing() -> None:
    edit = verdict(Action.edit, OTHER, old_voiced=TEXT, supersedes=(APPROVED.id,), time=LATER)
    verdicts = [
        APPROVED,
        edit,
        verdict(Action.reject, "No."),
        verdict(Action.waive, OTHER, rule="shape", reason="so"),
        verdict(Action.approve, "Apart.", reviewer="Bo", time=LATER),
        verdict(Action.regenerate, TEXT),
        verdict(Action.withdraw, withdraws="unknown"),
    ]
    wanted = standing_of(ledger(*verdicts), variant())
    for seed in range(20):
        shuffled = [*verdicts, *verdicts[:3]]
        random.Random(seed).shuffle(shuffled)
        found = ledger(*shuffled)
        assert standing_of(found, variant()) == wanted
        assert [one.message for one in found.conflicts] == [one.message for one in ledger(*verdicts).conflicts]
