"""A form that is handed in: texts as they were seen, all of them or none, and a choice in words that people use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.bake import Workspace, hand_in
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.review import DecisionErrors, StaleItem, log_path, queue_digest, read_log, read_queue
from pipeline.review.form import BULK_TEXTS, Bulk, Choice, Entry, Form, short_hash, unflagged, waiting
from pipeline.review.forms import approve_line, approve_unflagged, decide_flagged, decide_line, one_text, take_back

ZONE = "test_hub"
ADA = "Ada <ada@x>"


@pytest.fixture
def workspace(baked: Project) -> Iterator[Workspace]:
    with Workspace.open(baked) as workspace:
        yield workspace


def rows(workspace: Workspace) -> list[dict[str, Any]]:
    return read_queue(workspace.project, ZONE)


def actions(workspace: Workspace) -> list[str]:
    return [one.action.value for one in read_log(workspace.project, ZONE).verdicts]


def entry(row: dict[str, Any], choice: Choice, text: str | None = None, place: int = 0) -> Entry:
    """A choice on the first (or another) waiting variant of a row, as seen now."""
    variant = waiting(row)[place]
    seen = {TellState(variant["tell_state"]): short_hash(variant)}
    return Entry(choice, row["npc"]["id"], row["line_id"], seen, text)


def test_a_line_is_approved_and_leaves_the_queue(workspace: Workspace) -> None:
    row, *others = rows(workspace)
    done = hand_in(workspace, ZONE, approve_line(row), ADA)
    assert [one.action.value for one in done.verdicts] == ["approve"] * len(waiting(row))
    assert {one.reviewer for one in done.verdicts} == {ADA}
    assert [one["line_id"] for one in rows(workspace)] == [one["line_id"] for one in others]
    assert done.outcome.draft is not None


def test_use_is_an_approval_as_it_stands_or_of_another_candidate_and_else_an_edit(workspace: Workspace) -> None:
    row = next(one for one in rows(workspace) if one["line_id"] == "crates")
    first, second, third = waiting(row)[:3]
    other = next(one["voiced"] for one in second["others"] if one["voiced"] != second["voiced"])
    mine = 'Eleven crates came in at Dock Nine – "last shift".'
    entries = (
        entry(row, Choice.use, first["voiced"]),
        entry(row, Choice.use, other, 1),
        entry(row, Choice.use, mine, 2),
    )
    done = hand_in(workspace, ZONE, Form("", entries), ADA)
    assert {(one.action.value, one.tell_state, one.voiced) for one in done.verdicts} == {
        ("approve", first["tell_state"], first["voiced"]),
        ("approve", second["tell_state"], other),
        ("edit", third["tell_state"], mine),
    }


def test_an_edit_that_was_broken_into_lines_is_one_line(workspace: Workspace) -> None:
    row = next(one for one in rows(workspace) if one["line_id"] == "crates")
    done = hand_in(
        workspace, ZONE, Form("", (entry(row, Choice.edit, "Eleven crates came in\nat Dock Nine last shift.\n"),)), ADA
    )
    assert [one.voiced for one in done.verdicts] == ["Eleven crates came in at Dock Nine last shift."]


def test_skipped_texts_go_on_waiting_and_an_empty_form_only_rebuilds(workspace: Workspace) -> None:
    before = rows(workspace)
    for form in (Form("", (entry(before[0], Choice.skip),)), Form("")):
        assert hand_in(workspace, ZONE, form, ADA).verdicts == ()
    assert rows(workspace) == before
    assert not log_path(workspace.project, ZONE).exists()


def test_forms_of_flagged_texts_and_of_a_line_can_be_handed_in_as_they_are(workspace: Workspace) -> None:
    flagged = decide_flagged(rows(workspace)[:3])
    assert flagged.entries
    done = hand_in(workspace, ZONE, flagged, ADA)
    assert len(done.verdicts) == len(flagged.entries)
    row = next(one for one in rows(workspace) if waiting(one))
    hand_in(workspace, ZONE, decide_line(row), ADA)
    assert set(actions(workspace)) == {"approve"}


@pytest.mark.parametrize("choice", [Choice.reject, Choice.edit])
def test_all_texts_of_a_form_are_taken_as_they_were_seen(workspace: Workspace, choice: Choice) -> None:
    row = next(one for one in rows(workspace) if one["line_id"] == "lift_broken")
    first = entry(row, choice, "The lift is broken again and nobody came, look.")
    rest = tuple(entry(row, Choice.use, one["voiced"], place) for place, one in enumerate(waiting(row)) if place)
    assert TellState.Neutral in first.seen
    done = hand_in(workspace, ZONE, Form("", (first, *rest)), ADA)
    assert sorted(one.action.value for one in done.verdicts) == sorted([choice.value, *["approve"] * len(rest)])


def test_an_approval_is_taken_back_by_its_link(workspace: Workspace) -> None:
    row = rows(workspace)[0]
    done = hand_in(workspace, ZONE, one_text(row, waiting(row)[0], Choice.approve), ADA)
    again = next(one for one in rows(workspace) if one["line_id"] == row["line_id"])
    decided = next(one for one in again["variants"] if one["verdicts"])
    hand_in(workspace, ZONE, take_back(again, decided, decided["verdicts"][0]), ADA)
    assert read_log(workspace.project, ZONE).verdicts[-1].withdraws == done.verdicts[0].id
    assert rows(workspace) == rows(workspace)
    assert rows(workspace)[0]["pending"] == row["pending"]


def test_a_text_that_was_not_seen_is_not_decided_on(workspace: Workspace) -> None:
    row = rows(workspace)[0]
    good = entry(row, Choice.approve)
    stale = Entry(Choice.approve, good.npc_id, good.line_id, {TellState.Guarded: "0" * 12})
    with pytest.raises(StaleItem, match="has changed since you saw it"):
        hand_in(workspace, ZONE, Form("", (good, stale)), ADA)
    short = Entry(Choice.approve, good.npc_id, good.line_id, {state: text[:3] for state, text in good.seen.items()})
    with pytest.raises(StaleItem):
        hand_in(workspace, ZONE, Form("", (short,)), ADA)
    assert not log_path(workspace.project, ZONE).exists(), "all or nothing"


def test_a_line_that_left_the_queue_can_still_be_decided_on(workspace: Workspace) -> None:
    row = next(one for one in rows(workspace) if one["line_id"] == "crates")
    later = entry(row, Choice.edit, "Eleven crates came in at Dock Nine last shift.")
    hand_in(workspace, ZONE, approve_line(row), ADA)
    hand_in(workspace, ZONE, Form("", (later,)), ADA)
    assert actions(workspace)[-1] == "edit"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: Entry(Choice.approve, one.npc_id, one.line_id, {}), "no text is named"),
        (
            lambda one: Entry(Choice.edit, one.npc_id, one.line_id, dict.fromkeys(TellState, "0" * 12), "Text."),
            "one tell state at a time",
        ),
        (lambda one: Entry(Choice.approve, "nobody", one.line_id, one.seen), "nobody"),
        (lambda one: Entry(Choice.edit, one.npc_id, one.line_id, one.seen, ""), "new text is missing"),
        (lambda one: Entry(Choice.waive, one.npc_id, one.line_id, one.seen, rule="shape"), "needs a reason"),
    ],
)
def test_a_mistake_in_a_form_is_said_and_nothing_is_decided(workspace: Workspace, change: Any, message: str) -> None:
    wrong = change(entry(rows(workspace)[0], Choice.approve))
    with pytest.raises(UserError, match=message):
        hand_in(workspace, ZONE, Form("", (wrong,)), ADA)
    assert not log_path(workspace.project, ZONE).exists()


def test_all_mistakes_are_said_at_once(workspace: Workspace) -> None:
    good = entry(rows(workspace)[0], Choice.approve)
    wrong = Entry(Choice.approve, good.npc_id, good.line_id, {})
    with pytest.raises(DecisionErrors, match="2 decisions"):
        hand_in(workspace, ZONE, Form("", (wrong, good, wrong)), ADA)


def test_a_bulk_takes_what_it_counted(workspace: Workspace) -> None:
    queue = rows(workspace)
    count = sum(len(texts) for _, texts in unflagged(queue, 1000))
    bulk = Bulk(count, queue_digest(workspace.project, ZONE))
    done = hand_in(workspace, ZONE, approve_unflagged(bulk), ADA)
    assert 0 < count == len(done.verdicts)
    assert unflagged(rows(workspace), 1000) == []
    assert sum(row["pending"] for row in rows(workspace)) == sum(row["pending"] for row in queue) - count


@pytest.mark.parametrize(
    ("texts", "digest", "error"),
    [
        (None, "0" * 12, "The queue has changed"),
        (1000 - BULK_TEXTS, None, "The queue has changed"),
        (BULK_TEXTS + 1, None, "not possible"),
        (0, None, "not possible"),
    ],
)
def test_a_bulk_is_refused_for_another_queue_or_count(
    workspace: Workspace, texts: int | None, digest: str | None, error: str
) -> None:
    count = sum(len(found) for _, found in unflagged(rows(workspace), 1000))
    bulk = Bulk(count if texts is None else texts, digest or queue_digest(workspace.project, ZONE))
    with pytest.raises(UserError, match=error):
        hand_in(workspace, ZONE, approve_unflagged(bulk), ADA)
    assert not log_path(workspace.project, ZONE).exists()
