"""Deep, long and hostile input ends at once, and texts are read by several threads at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.ron import RonError, parse, project
from pipeline.ron.parser import DEPTH_LIMIT


@pytest.mark.parametrize(
    ("opener", "closer"), [("[", "]"), ("(", ")"), ("Some(", ")"), ("A(", ")"), ("(a:", ")"), ("{1:", "}")]
)
def test_depth_limit(opener: str, closer: str) -> None:
    inner = "1"
    parse(opener * DEPTH_LIMIT + inner + closer * DEPTH_LIMIT)
    with pytest.raises(RonError, match=f"more than {DEPTH_LIMIT} levels") as caught:
        parse(opener * (DEPTH_LIMIT + 1) + inner + closer * (DEPTH_LIMIT + 1))
    assert caught.value.line == 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "/*" * 20_000,
        '"' + "\\" * 20_001,
        "(" + "a:(" * 10_000,
        "9" * 50_000,
        "1" + "_" * 50_000 + "x",
        "1e" + "_" * 50_000,
        "-" * 50_000,
        "r" + "#" * 50_000,
        "a" * 50_000 + "é(",
        "é" * 10_000 + ":",
        "// " * 20_000 + "\n",
        "\n" * 50_000 + "[",
        "[" + "1," * 20_000 + ";",
        "'" * 30_000,
    ],
    ids=lambda text: f"{text[:6]!r}",
)
def test_hostile_texts_are_refused(text: str) -> None:
    with pytest.raises(RonError) as caught:
        parse(text)
    assert len(str(caught.value)) < 2000


def test_large_numbers_stay_exact_or_are_refused() -> None:
    assert project(parse(str(2**128 - 1)).value) == 2**128 - 1
    with pytest.raises(RonError, match="does not fit a 128-bit integer"):
        parse(str(2**128))


def test_threads_read_side_by_side() -> None:
    texts = [
        f'Zone(id: "zone_{number}", levels: [{", ".join(str(each) for each in range(number))}])' for number in range(40)
    ]
    broken = [f"{text[:-1]} x)" for text in texts]

    def outcome(text: str) -> object:
        try:
            return project(parse(text).value)
        except RonError as error:
            return str(error)

    alone = [outcome(text) for text in texts + broken]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(outcome, texts + broken)) == alone
