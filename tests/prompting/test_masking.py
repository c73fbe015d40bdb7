"""Facts leave a text and come back to it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.prompting import OPAQUE_SLOT, mask, mask_pair, unmask
from pipeline.prompting.figures import DIGIT
from pipeline.prompting.lexicon import number_words

CORPORA = Path(__file__).parents[1] / "corpora"
WORDS = st.sampled_from(
    [
        *sorted(number_words()),
        *(
            "Three",
            "ONE",
            "A",
            "a",
            "and",
            "of",
            "past",
            "to",
            "per cent",
            "gate",
            "the",
            "no",
            "span gate",
            "Span gate",
        ),
        *(
            "Mirel",
            "Mirel's",
            "Dock Nine",
            "Dock",
            "Commission",
            "{price}",
            "{N1}",
            "{P2}",
            "{",
            "}",
            "B-7",
            "7C",
            "1,200",
        ),
        *("B", "-", "...", ".", "?", ",", '"', "27k", "3.5", "14:30", "IV", "in one piece", "I owe you one", "½"),
    ]
)
SPOKEN = st.lists(st.tuples(WORDS, st.sampled_from([" ", " ", " ", "-", ". ", ""]))).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)
TEXTS = st.one_of(st.text(), SPOKEN)
NAMES = st.lists(
    st.one_of(st.sampled_from(["Mirel", "Dock Nine", "span gate", "Nine", "7C", "{N1}", "a.b"]), st.text(max_size=6))
)


def rows(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CORPORA / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows("masking.jsonl"), ids=lambda row: row["text"])
def test_masks(row: dict[str, str]) -> None:
    masked = mask(row["text"], row.get("names", ()), keep=row.get("keep", ()))
    assert (masked.text, dict(masked.slots)) == (row["masked"], row["slots"])
    assert unmask(masked.text, masked.slots) == row["text"]


@pytest.mark.parametrize("row", rows("masking_letter_case.jsonl"), ids=lambda row: row["voiced"])
def test_mends_letter_case_where_a_fact_comes_back(row: dict[str, str]) -> None:
    masked = mask(row["base"], row.get("names", ()))
    assert unmask(row["generated"], masked.slots) == row["voiced"]


def test_numbers_slots_in_order_of_appearance() -> None:
    masked = mask("Nine of nine for Mirel and Sova by nine.", ["Sova", "Mirel"])
    assert list(masked.slots) == ["N1", "N2", "P1", "P2", "N3"]


@given(TEXTS, NAMES, NAMES)
def test_unmasking_gives_the_text_back(text: str, names: list[str], keep: list[str]) -> None:
    masked = mask(text, names, keep=keep)
    assert unmask(masked.text, masked.slots) == text


@given(TEXTS, NAMES)
def test_every_slot_stands_once(text: str, names: list[str]) -> None:
    masked = mask(text, names)
    found = [match[1] for match in OPAQUE_SLOT.finditer(masked.text) if match[1] in masked.slots]
    assert found == list(masked.slots)


@given(TEXTS, NAMES)
def test_no_digit_is_left(text: str, names: list[str]) -> None:
    rest = re.sub(r"\{(?:[NP][1-9][0-9]*|[a-z_][A-Za-z0-9_]*)\}", " ", mask(text, names).text)
    assert not re.search(DIGIT, rest)


@given(st.sampled_from(sorted(set(number_words()) - {"one", "first", "couple", "pair", "pairs", "grand", "quarters"})))
def test_every_number_word_is_masked(word: str) -> None:
    assert mask(f"There were {word} crates.").slots == {"N1": word}


@given(TEXTS, NAMES)
def test_the_order_of_names_does_not_matter(text: str, names: list[str]) -> None:
    assert mask(text, names) == mask(text, names[::-1])


@given(TEXTS)
def test_a_second_masking_of_plain_names_finds_none(text: str) -> None:
    names = ["Mirel", "Dock Nine"]
    again = mask(mask(text, names).text, names)
    assert not set(again.slots.values()) & set(names)


@pytest.mark.parametrize(
    ("base", "voiced", "masked_base", "masked_voiced"),
    [
        ("Three at gate two.", "Gate two, three.", "{N1} at gate {N2}.", "Gate {N2}, {N1}."),
        ("A dozen for Mirel.", "Mirel's, the dozen.", "{N1} for {P1}.", "{P1}'s, the {N1}."),
        ("twenty-one bolts", "bolts, twenty one", "{N1} bolts", "bolts, {N1}"),
        ("All of {price}.", "{price}, all of it.", "All of {price}.", "{price}, all of it."),
        ("Two or two.", "Two.", "{N1}.", None),
    ],
)
def test_a_pair_shares_its_slots(base: str, voiced: str, masked_base: str, masked_voiced: str | None) -> None:
    if masked_voiced is None:
        with pytest.raises(ValueError, match="Two"):
            mask_pair(base, voiced, ["Mirel"])
    else:
        left, right = mask_pair(base, voiced, ["Mirel"])
        assert (left.text, right.text) == (masked_base, masked_voiced)


@given(SPOKEN)
def test_a_text_paired_with_itself_is_masked_alike(text: str) -> None:
    left, right = mask_pair(text, text, ["Mirel"])
    assert set(left.slots) == set(right.slots)
    assert unmask(right.text, right.slots) == text
