"""What holds for any text: printed values read back equal, and broken texts give `RonError` and nothing else."""

from __future__ import annotations

import json
import random

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pipeline.ron import RonError, parse, project
from tests.ron.test_corpus import ROWS
from tests.ron.texts import VALUES, Pair

TEXTS = [str(row["ron"]) for row in ROWS]
PIECES = [
    *"()[]{},:;=#!'\"\\/*.-+_ rb0x1e\n\u00a0\ufeff“é",
    "/*",
    "*/",
    "//",
    "..",
    "..=",
    'r#"',
    '"#',
    "Some(",
    "b'",
    "\\u{",
    "#![",
]


# Generation is slow on a busy machine; that says nothing about the parser.
patiently = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@patiently
@given(VALUES)
def test_printed_values_read_back_equal(pair: Pair) -> None:
    text, value = pair
    assert json.dumps(project(parse(text).value)) == json.dumps(value)


@patiently
@given(VALUES)
def test_spans_cover_the_text_of_each_value(pair: Pair) -> None:
    text, value = pair
    node = parse(f"  {text} // end").value
    assert json.dumps(project(parse(text[node.start - 2 : node.end - 2]).value)) == json.dumps(value)


def read_or_refused(text: str) -> None:
    """Reads `text`, or checks that its error points into it."""
    refusal: RonError | None = None
    try:
        json.dumps(project(parse(text).value))
    except RonError as error:
        refusal = error
    if refusal is not None:
        start, end = refusal.span
        assert 0 <= start <= end <= len(text)
        assert refusal.problem
        assert refusal.message.startswith(f"<text>:{refusal.line}:{refusal.col}: ")


@patiently
@given(st.sampled_from(TEXTS), st.integers(0, 2**32), st.integers(1, 4))
def test_mutated_texts_are_read_or_refused(text: str, seed: int, changes: int) -> None:
    chance = random.Random(seed)
    for _ in range(changes):
        at = chance.randint(0, len(text))
        text = (
            text[:at] + chance.choice(["", chance.choice(PIECES)]) + text[min(len(text), at + chance.randint(0, 3)) :]
        )
    read_or_refused(text)


@patiently
@given(st.text(max_size=30))
@example("\ud800")
@example("(a: '\\")
@example("r#")
@example("/*/")
@example("// /*")
@example("..")
@example("-")
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refused(text)


@patiently
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_pieces_are_read_or_refused(text: str) -> None:
    read_or_refused(text)
