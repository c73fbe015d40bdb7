"""Reading numbers and ranges of numbers."""

from __future__ import annotations

import re

from pipeline.ron.error import RonError
from pipeline.ron.nodes import Float, Int, Range
from pipeline.ron.source import Source, quoted

_INTEGER = re.compile(
    r"([+-]?)(?:0x([0-9A-Fa-f][0-9A-Fa-f_]*?)|0o([0-7][0-7_]*?)|0b([01][01_]*?)|([0-9][0-9_]*?))([iu](?:8|16|32|64|128))?"
)
_BASES = (16, 8, 2, 10)
_FLOAT = re.compile(
    r"([+-]?(?:[0-9][0-9_]*(?:\.(?:[0-9][0-9_]*)?)?|\.[0-9][0-9_]*)(?:[eE][+-]?_*[0-9][0-9_]*)?)(?:f32|f64)?"
)
_NOT_FINITE = re.compile(r"([+-]?(?:inf|NaN))(?:f32|f64)?")
_NUMBER_LIKE = re.compile(r"[+-]*(?:0[xob]\w*|(?:\w|\.(?!\.)|(?<=[0-9._][eE])[+-](?=[0-9_]))*)")
NOT_FINITE = {name + suffix: float(name) for name in ("inf", "NaN") for suffix in ("", "f32", "f64")}
"""The bare words that are floats."""
_LONGEST = 1000
"""Characters of an integer that are converted; 128 bits need 128 in base two."""
_LONGEST_QUOTED = 40
_TYPED = re.compile(r"[+-]?[0-9][0-9_.]*[iuf][0-9]+")
_MEASURE = re.compile(r"[+-]?[0-9][0-9_.]*[A-Za-z%]+")


def read_number(source: Source, start: int) -> Int | Float | Range:
    """The number or range of numbers that begins at `start` with a sign, digit or point.

    Integers have a sign, a base (0x, 0o, 0b) and a type suffix, which the value must fit; without a suffix they fit 128
    bits. Raises `RonError` for anything else.
    """
    text = source.text
    if text.startswith("..", start):
        return _range(source, start, None, start)
    low = _single(source, start)
    if text.startswith("..", low.end):
        return _range(source, start, low, low.end)
    return low


def _range(source: Source, start: int, low: Int | Float | None, dots: int) -> Range:
    inclusive = source.text.startswith("..=", dots)
    after = dots + (3 if inclusive else 2)
    if _NUMBER_LIKE.match(source.text, after).end() > after:  # type: ignore[union-attr]  # it matches the empty text too
        high = _single(source, after)
        return Range(low, high, inclusive, start, high.end)
    if low is None or inclusive:
        raise RonError(
            source, (start, after), "this range has no end", expected="a number", hint="As in 0..5, ..5 or 1..=4."
        )
    return Range(low, None, inclusive, start, after)


def _single(source: Source, start: int) -> Int | Float:
    match = _NUMBER_LIKE.match(source.text, start)
    assert match is not None  # it matches the empty text too
    word, end = match[0], match.end()
    if integer := _INTEGER.fullmatch(word):
        return Int(_integer(source, integer, start, end), start, end)
    if number := _FLOAT.fullmatch(word):
        return Float(float(number[1].replace("_", "")), start, end)
    if number := _NOT_FINITE.fullmatch(word):
        return Float(float(number[1]), start, end)
    end = max(end, start + 1)
    raise RonError(
        source,
        (start, end),
        f"expected a number, found {quoted(word)}",
        expected="a number",
        hint=_hint(source, word, end),
    )


def _integer(source: Source, match: re.Match[str], start: int, end: int) -> int:
    group = next(each for each in (2, 3, 4, 5) if match[each] is not None)
    digits = match[group].replace("_", "")
    suffix = match[6]
    bits = int(suffix[1:]) if suffix else 128
    lowest = 0 if suffix and suffix[0] == "u" else -(1 << (bits - 1))
    highest = (1 << (bits - 1)) - 1 if suffix and suffix[0] == "i" else (1 << bits) - 1
    value = highest + 1 if len(digits.lstrip("0")) > _LONGEST else int(digits.lstrip("0") or "0", _BASES[group - 2])
    value = -value if match[1] == "-" else value
    if lowest <= value <= highest:
        return value
    named = suffix or "a 128-bit integer"
    raise RonError(source, (start, end), f"this number does not fit {named}", expected=f"{lowest} to {highest}")


def _hint(source: Source, word: str, end: int) -> str | None:
    if len(word) > _LONGEST_QUOTED:
        return None
    if word[:2] in ("0X", "0O", "0B"):
        return f"The letter of the base is lower case: {word[:2].lower()}{word[2:]}"
    if word.startswith(("0x", "0o", "0b")):
        return "0x takes 0-9 and A-F, 0o takes 0-7, 0b takes 0 and 1."
    if word.strip("+-") == "" or word[:2].strip("+-") == "":
        return "A sign stands once, right before the digits."
    if word[0].isdigit() and source.text[end : end + 1] == ":":
        return f"A name that begins with a digit is written raw: r#{word}"
    if word[-1] in "eE" and word[-2:-1].isdigit():
        return "An exponent needs digits, as in 1e3."
    if _TYPED.fullmatch(word):
        return "The types of numbers are i8 to i128, u8 to u128, f32 and f64."
    if _MEASURE.fullmatch(word):
        return "A number stands without its unit; say the unit in the field's name, or write a string: \"" + word + '"'
    if word.count(".") > 1:
        return 'A number has one decimal point; a version is a string: "' + word + '"'
    if word.lstrip("+-")[:1].isalpha():
        return "A name with a dash in it is written raw, as in r#night-shift."
    return None
