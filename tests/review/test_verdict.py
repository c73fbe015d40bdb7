"""A verdict as a line of JSON: complete, stable, and told apart from what is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.review import Action, VerdictError, from_json, to_json
from tests.review.verdicts import BASE, OTHER, TEXT, verdict

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def test_an_entry_holds_all_that_a_clone_without_a_build_needs() -> None:
    edit = verdict(Action.edit, OTHER, old_voiced=TEXT, reason="plainer", supersedes=("a1",), findings=("shape",))
    row = json.loads(to_json(edit))
    assert row == {
        "id": edit.id,
        "action": "edit",
        "npc_id": "tam_orley",
        "line_id": "greet",
        "kind": "dialogue",
        "culture": "van_maanens_star",
        "tell_state": "Guarded",
        "base": BASE,
        "voiced": OTHER,
        "base_hash": edit.base_hash,
        "voiced_hash": edit.voiced_hash,
        "reviewer": "Ada <ada@example.org>",
        "time": "2026-03-01T10:00:00.000+00:00",
        "reason": "plainer",
        "old_voiced": TEXT,
        "supersedes": ["a1"],
        "findings": ["shape"],
    }
    assert next(iter(row)) == "id"


@given(TEXTS, TEXTS, TEXTS, st.sampled_from([Action.approve, Action.edit, Action.reject]))
def test_any_text_survives_the_way_through_json(voiced: str, base: str, reason: str, action: Action) -> None:
    one = verdict(action, voiced, base=base, reason=reason)
    line = to_json(one)
    assert "\n" not in line
    assert from_json(line) == one


def test_the_id_is_of_everything_and_equal_for_equal_entries() -> None:
    one = verdict(Action.approve)
    assert one.id == verdict(Action.approve).id
    others = [
        verdict(Action.reject),
        verdict(Action.approve, OTHER),
        verdict(Action.approve, time="2026-03-01T10:00:00.001+00:00"),
        verdict(Action.approve, reviewer="Bo"),
        verdict(Action.approve, line_id="part"),
    ]
    assert len({one.id, *(other.id for other in others)}) == 1 + len(others)


def test_a_line_written_by_hand_may_lack_its_id() -> None:
    row = json.loads(to_json(verdict(Action.approve)))
    del row["id"]
    assert from_json(json.dumps(row)) == verdict(Action.approve)


def test_an_empty_variant_can_be_asked_for_again() -> None:
    asked = verdict(Action.regenerate, None)
    assert json.loads(to_json(asked))["voiced"] is None
    assert from_json(to_json(asked)) == asked


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"voiced": "Another text."}, "changed after it was written"),
        ({"reviewer": "Someone else"}, "changed after it was written"),
        ({"id": None, "voiced": "Another text."}, "voiced_hash is not the hash"),
        ({"id": None, "base": "Another base."}, "base_hash is not the hash"),
        ({"id": None, "action": "bless"}, "action"),
        ({"id": None, "action": "waive"}, "waive needs rule"),
        ({"id": None, "action": "withdraw"}, "withdraw needs withdraws"),
        ({"id": None, "voiced": None, "voiced_hash": None}, "approve needs voiced"),
        ({"id": None, "tell_state": "Sad"}, "tell_state"),
        ({"id": None, "mood": "even"}, "mood"),
        ({"time": None}, "time"),
    ],
)
def test_what_is_no_verdict_is_told(change: dict[str, object], why: str) -> None:
    row = json.loads(to_json(verdict(Action.approve))) | change
    row = {key: value for key, value in row.items() if value is not None or key in ("voiced", "voiced_hash")}
    with pytest.raises(VerdictError, match=why):
        from_json(json.dumps(row))


@given(st.binary())
def test_any_bytes_are_a_verdict_or_an_error(raw: bytes) -> None:
    with pytest.raises(VerdictError):
        from_json(raw)
