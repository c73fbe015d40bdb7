"""Figures in every form, and idioms that state none."""

from __future__ import annotations

import pytest

from pipeline.validation.figures import figures


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("three tugs", ["3"]),
        ("twenty-five bolts", ["25"]),
        ("two hundred and ten chits", ["210"]),
        ("1,200 chits", ["1200"]),
        ("27k", ["27000"]),
        ("a dozen bolts", ["12"]),
        ("half the crew", ["0.5"]),
        ("the third bell", ["3"]),
        ("bay seven-one-four", ["714"]),
        ("Berth 7", ["7"]),
        ("3.5 litres", ["3.5"]),
        ("forty and twelve", ["40", "12"]),
        ("All in one piece.", []),
        ("I owe you one.", []),
        ("one of those days", []),
        ("halfway through it", []),
        ("Wait a second.", []),
        ("at {count} chits", []),
    ],
)
def test_values(text: str, values: list[str]) -> None:
    assert [figure.value for figure in figures(text)] == values


def test_spans() -> None:
    text = "Only twenty-five left."
    start, end = figures(text)[0].span
    assert text[start:end] == "twenty-five"
