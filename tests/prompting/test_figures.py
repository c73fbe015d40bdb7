"""Which pieces of a text are figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from numerizer import numerize

from pipeline.prompting import Span, find_figures, lexicon
from pipeline.prompting.figures import is_number_words
from pipeline.prompting.lexicon import idioms, number_words

DATA = Path(lexicon.__file__).parent / "data"
CORPORA = Path(__file__).parents[1] / "corpora"


def rows(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CORPORA / name).read_text(encoding="utf-8").splitlines()]


def entries(name: str) -> list[str]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


IDIOMS = entries("number_idioms.txt")


@pytest.mark.parametrize("row", rows("masking_figures.jsonl"), ids=lambda row: str(row["text"])[:40])
def test_finds_exactly_the_figures(row: dict[str, object]) -> None:
    text = str(row["text"])
    assert [text[start:end] for start, end in find_figures(text)] == row["figures"]


def test_looks_at_nothing_that_is_left_out() -> None:
    text = "Dock Nine holds nine of 99."
    assert [text[start:end] for start, end in find_figures(text, [Span(0, 9), Span(24, 26)])] == ["nine"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Three", True),
        ("a couple of", True),
        ("twenty-one", True),
        ("7", False),
        ("IV", False),
        ("B-7", False),
        ("Mirel", False),
        ("", False),
    ],
)
def test_knows_figures_in_words(text: str, expected: bool) -> None:
    assert is_number_words(text) is expected


def test_numerizer_as_a_second_voice_finds_nothing_more() -> None:
    """Where numerizer hears a number in a base line of the voice bank, so do we, or the phrase is a listed idiom."""
    # It takes every article for a number.
    bases = [re.sub(r"\b[Aa]n?\b", "the", str(row["base"])) for row in rows("voice_pairs.jsonl")]
    heard = [base for base in bases if re.search(r"\d", numerize(base))]
    missed = [base for base in heard if not find_figures(base) and not list(idioms(base))]
    assert len(heard) > 20
    assert missed == [
        "Has the water pressure dropped in your quarters as well?",
        "Thank you for fixing the heater in our quarters.",
        "No, I am not signing anything without reading it first.",
    ]


@pytest.mark.parametrize("phrase", IDIOMS)
def test_every_listed_idiom_holds_a_number_word_and_is_left_alone(phrase: str) -> None:
    text = phrase.removesuffix(" $").replace("*", "her")
    assert set(text.split()) & set(number_words())
    assert find_figures(text) == find_figures(f"{text.capitalize()}. So.") == []
    assert find_figures(text.replace(" ", "-")) == []


def test_idioms_are_listed_once_in_lower_case() -> None:
    assert len(IDIOMS) == len(set(IDIOMS))
    assert all(phrase == phrase.lower() for phrase in IDIOMS)


def test_the_lexicon_holds_each_word_once_and_in_lower_case() -> None:
    listed = [word for line in entries("number_words.txt") if line[0] != "[" for word in line.split()]
    assert len(listed) == len(set(listed)) > 90
    assert set(number_words()) == {word.lower() for word in listed}
