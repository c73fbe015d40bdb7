"""A verdict is bound to the texts it was given on."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content.terms import Kind, TellState
from pipeline.review import base_hash, bind, voiced_hash

GIVEN = (Kind.dialogue, "van_maanens_star", TellState.Guarded, "The lift is broken.", "Lift's out.")


@pytest.mark.parametrize(
    "changed",
    [
        (Kind.behavior, *GIVEN[1:]),
        (GIVEN[0], "sovari", *GIVEN[2:]),
        (*GIVEN[:2], TellState.Angry, *GIVEN[3:]),
        (*GIVEN[:3], "The lift is broken. ", GIVEN[4]),
        (*GIVEN[:4], "Lift’s out."),
    ],
)
def test_any_change_makes_another_binding_and_reverting_it_brings_the_first_back(changed) -> None:  # type: ignore[no-untyped-def]
    assert bind(*changed) != bind(*GIVEN)
    assert bind(*GIVEN) == bind(*GIVEN)


def test_the_hashes_are_what_the_documentation_says() -> None:
    assert base_hash("Löft") == hashlib.sha256(b"base\0L\xc3\xb6ft").hexdigest()
    assert voiced_hash("Löft") == hashlib.sha256(b"voiced\0L\xc3\xb6ft").hexdigest()


@settings(deadline=None)
@given(st.text(), st.text())
def test_equal_hashes_mean_equal_texts(one: str, other: str) -> None:
    assert (base_hash(one) == base_hash(other)) == (one == other)
    assert base_hash(one) != voiced_hash(other)
