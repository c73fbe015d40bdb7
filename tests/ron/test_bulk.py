"""The faster loop and the parser read the same nodes at the same places, and refuse with the same words."""

from __future__ import annotations

import gc
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.ron import RonError, Source, parse
from pipeline.ron.bulk import read_bulk
from pipeline.ron.parser import DEPTH_LIMIT, Parser
from tests.ron.test_properties import PIECES, TEXTS, patiently
from tests.ron.texts import VALUES, Pair


def outcome(text: str, *, bulk: bool) -> str:
    """Nodes with their places, or the whole message."""
    try:
        return repr(Parser(Source("t", text)).document(bulk=bulk))
    except RonError as error:
        return f"{error} {error.span} {error.notes}"


@pytest.mark.parametrize("text", TEXTS)
def test_corpus(text: str) -> None:
    assert outcome(text, bulk=True) == outcome(text, bulk=False)


@patiently
@given(VALUES)
def test_printed_values(pair: Pair) -> None:
    assert outcome(pair[0], bulk=True) == outcome(pair[0], bulk=False)


@patiently
@given(st.sampled_from(TEXTS), st.integers(0, 2**32), st.integers(1, 4))
def test_mutated_texts(text: str, seed: int, changes: int) -> None:
    chance = random.Random(seed)
    for _ in range(changes):
        at = chance.randint(0, len(text))
        piece = chance.choice(["", chance.choice(PIECES), chance.choice(TEXTS)[:20]])
        text = text[:at] + piece + text[min(len(text), at + chance.randint(0, 3)) :]
    assert outcome(text, bulk=True) == outcome(text, bulk=False)


@pytest.mark.parametrize(
    "text",
    [
        "a/**/(1)",
        "a /* c */ (b: 1)",
        "[a /**/ (1)]",
        "Some /**/ (1)",
        "(a/**/: 1)",
        "[Some]",
        "[Some,]",
        "{Some: 1}",
        "{true: 1, true: 2}",
        "{inf: 1, inff32: 2}",
        "{1: 1, 0x1: 2}",
        "{a: 1, r#a: 2}",
        "{r#a: 1, a: 2}",
        "{\"a\": 1, a: 2, 'a': 3}",
        '{"a": 1, r"a": 2}',
        "{1: 1, 1.0: 2, '1': 3, \"1\": 4, (1): 5}",
        "{(a: 1): 1, (a: 1): 2}",
        "(a: 1, a: 2)",
        "(r#a: 1, a: 2)",
        "(é: 1, é: 2)",
        "(a:: 1)",
        "{a::b}",
        "[1, 2,,]",
        "[,]",
        "1,",
        "r(1)",
        "b'a'",
        '(b: b\'a\', r: r"x", br: br"y")',
        "Some(a: 1)",
        "#![enable(unwrap_variant_newtypes)] Some(a: 1)",
        "[1 2]",
        "[1_0, 0x1F, 1u8, 1., .5, 1e3, 1..2]",
    ],
)
def test_odd_texts(text: str) -> None:
    assert outcome(text, bulk=True) == outcome(text, bulk=False)


def test_plain_texts_are_read_whole_by_the_loop() -> None:
    text = '[Npc(id: "a", at: (x: 1.5, y: -2), tags: [Bold, Rgb(1)], map: {"k": Some(1)}, on: true, note: "\\n"),]'
    assert read_bulk(text, 0, DEPTH_LIMIT, Parser(Source("t", text))) is not None


def test_the_collector_runs_again_after_large_texts() -> None:
    large = "[" + "1," * 100_000 + "]"
    with ThreadPoolExecutor(4) as pool:
        assert [len(str(each.value)) > 0 for each in pool.map(parse, [large] * 4)] == [True] * 4
    assert gc.isenabled()
    with pytest.raises(RonError):
        parse(large[:-1])
    assert gc.isenabled()
    gc.disable()
    try:
        parse(large)
        assert not gc.isenabled()
    finally:
        gc.enable()
