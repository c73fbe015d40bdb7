"""The way from base text to voiced text, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.review import word_diff


@pytest.mark.parametrize(
    ("base", "voiced", "wanted"),
    [
        ("The lift is down.", "The lift is down.", [("=", "The lift is down.")]),
        ("The lift is down.", "Lift is down.", [("-", "The lift"), ("+", "Lift"), ("=", "is down.")]),
        ("is down", "", [("-", "is down")]),
        ("", "is down", [("+", "is down")]),
        ("a  b", "a b", [("=", "a b")]),
    ],
)
def test_word_diff(base: str, voiced: str, wanted: list[tuple[str, str]]) -> None:
    assert list(word_diff(base, voiced)) == wanted


@given(st.text(), st.text())
def test_both_texts_can_be_read_from_it(base: str, voiced: str) -> None:
    parts = word_diff(base, voiced)
    assert " ".join(text for mark, text in parts if mark in "=-").split() == base.split()
    assert " ".join(text for mark, text in parts if mark in "=+").split() == voiced.split()
