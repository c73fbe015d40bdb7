"""Folding keeps every word's place in the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.validation.normalise import fold, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He'll be down.", ("he", "'ll", "be", "down")),
        ("The captain’s late", ("the", "captain", "'s", "late")),
        ("don't, ma'am", ("don't", "ma'am")),
        ("says 'void take it'", ("says", "void", "take", "it")),
        ("warp\u2010drive", ("warp", "drive")),
        ("Соmmаnder", ("commander",)),
        ("Com\u00admander", ("commander",)),
        ("Ｃｏｍｍａｎｄｅｒ", ("commander",)),
        ("café — là", ("cafe", "la")),
    ],
)
def test_words(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


def test_a_slot_never_spells_a_word() -> None:
    assert "captain" not in words("Ask {captain} first.")
    assert words("Ask {n} first.")[0] == "ask"


def test_spans_point_into_the_original() -> None:
    text = "x\u200bx ﬁne Com\u00admander!"
    token = tokens(text)[-1]
    assert text[token.start : token.end] == "Com\u00admander"


@given(st.text(alphabet=st.sampled_from("aA'’ -{}n.ﬁé\u200bо!1…—"), max_size=30))
def test_words_and_tokens_agree(text: str) -> None:
    assert words(text) == tuple(token.word for token in tokens(text))


@given(st.text(max_size=40))
def test_every_token_lies_inside_the_text(text: str) -> None:
    folded = fold(text)
    assert folded.length == len(text)
    for token in tokens(text):
        assert 0 <= token.start < token.end <= len(text)
