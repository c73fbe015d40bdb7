"""A verdict is bound to the texts it was given on."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content.terms import Kind, TellState
from pipeline.review import Action, base_hash, voiced_hash
from tests.review.verdicts import variant, verdict


@pytest.mark.parametrize(
    "change",
    [
        {"kind": Kind.behavior},
        {"culture": "sovari"},
        {"tell_state": TellState.Angry},
        {"base": "The lift is broken – “again”. "},
    ],
)
def test_any_change_makes_another_root_and_reverting_it_brings_the_first_back(change: dict[str, object]) -> None:
    assert variant(**change).root != variant().root
    assert variant(**change).place != variant().place
    assert variant().root == variant().root


@pytest.mark.parametrize("change", [{"npc_id": "imke_dorr"}, {"line_id": "part"}])
def test_lines_of_one_base_text_share_the_root_and_not_the_place(change: dict[str, object]) -> None:
    assert variant(**change).root == variant().root
    assert variant(**change).place != variant().place


def test_a_verdict_stands_where_its_variant_does() -> None:
    assert verdict(Action.approve).place == variant().place


def test_the_hashes_are_what_the_documentation_says() -> None:
    assert base_hash("Löft") == hashlib.sha256(b"base\0L\xc3\xb6ft").hexdigest()
    assert voiced_hash("Löft") == hashlib.sha256(b"voiced\0L\xc3\xb6ft").hexdigest()


@settings(deadline=None)
@given(st.text(), st.text())
def test_equal_hashes_mean_equal_texts(one: str, other: str) -> None:
    assert (base_hash(one) == base_hash(other)) == (one == other)
    assert base_hash(one) != voiced_hash(other)
