"""Generated RON: every strategy draws a text beside the projection that it must be read as."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

Pair = tuple[str, Any]

_CHARACTERS = st.characters(exclude_categories=["Cs"])
_TEXT = st.text(_CHARACTERS, max_size=12)
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "\\": "\\\\", '"': '\\"', "'": "\\'"}
_WORDS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True).filter(
    lambda word: not word.startswith(("inf", "NaN")) and word not in ("true", "false", "None", "Some")
)
_RAW_WORDS = st.from_regex(r"[A-Za-z0-9_.+-]{1,6}", fullmatch=True)
_BLANKS = st.sampled_from(["", " ", "\n", "\t", "\r\n", "// note\n", "/* a /* b */ c */", " /**/ "])


def _plain(text: str, escape_all: bool) -> str:
    if escape_all:
        return "".join(f"\\u{{{ord(char):x}}}" for char in text)
    return "".join(_ESCAPES.get(char, char) if char in '\\"' else char for char in text)


def _raw(text: str) -> str:
    hashes = "#" * (text.count("#") + 1)
    return f'r{hashes}"{text}"{hashes}'


STRINGS = st.one_of(
    st.tuples(_TEXT, st.booleans()).map(lambda drawn: (f'"{_plain(*drawn)}"', drawn[0])),
    _TEXT.map(lambda text: (_raw(text), text)),
)
CHARS = _CHARACTERS.map(lambda char: (f"'{_ESCAPES.get(char, char)}'", {"$char": char}))
BYTES = st.binary(max_size=8).map(
    lambda data: ('b"' + "".join(rf"\x{each:02x}" for each in data) + '"', {"$bytes": data.hex()})
)
INTEGERS = st.one_of(
    st.integers(-(2**127), 2**128 - 1).map(lambda number: (str(number), number)),
    st.integers(0, 2**64 - 1).map(lambda number: (f"0x{number:X}u64", number)),
    st.integers(-128, 127).map(
        lambda number: (f"{number:b}".replace("-", "-0b") if number < 0 else f"0b{number:b}i8", number)
    ),
    st.integers(0, 255).map(lambda number: (f"b'\\x{number:02X}'", number)),
)


def _float(number: float) -> Pair:
    if math.isnan(number):
        return "NaN", {"$float": "nan"}
    if math.isinf(number):
        return ("inf", {"$float": "inf"}) if number > 0 else ("-inf", {"$float": "-inf"})
    return repr(number), number


FLOATS = st.floats().map(_float)
BARE = st.one_of(
    _WORDS.map(lambda word: (word, {"$variant": word})),
    _RAW_WORDS.map(lambda word: (f"r#{word}", {"$variant": word})),
    st.sampled_from([("true", True), ("false", False), ("None", None)]),
)
RANGES = st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.booleans()).map(
    lambda drawn: (
        f"{drawn[0]}..{'=' * drawn[2]}{drawn[1]}",
        {"$range": {"start": drawn[0], "end": drawn[1], "inclusive": drawn[2]}},
    )
)
PLAIN = st.one_of(STRINGS, CHARS, BYTES, INTEGERS, FLOATS, BARE, RANGES)


@st.composite
def _joined(draw: st.DrawFn, opener: str, closer: str, items: list[str]) -> str:
    blank = lambda: draw(_BLANKS)  # noqa: E731  # a fresh blank at every seam
    body = ",".join(f"{blank()}{item}{blank()}" for item in items)
    trailing = "," if items and draw(st.booleans()) else ""
    return f"{opener}{body}{trailing}{blank()}{closer}"


@st.composite
def _container(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    kind = draw(st.sampled_from(["list", "tuple", "call", "some", "struct", "map"]))
    pairs = draw(st.lists(inner, max_size=4))
    texts, values = [text for text, _ in pairs], [value for _, value in pairs]
    if kind == "list":
        return draw(_joined("[", "]", texts)), values
    if kind == "tuple":
        return draw(_joined("(", ")", texts)), {"$tuple": values}
    if kind == "call":
        name = draw(_WORDS)
        return draw(_joined(f"{name} (", ")", texts)), {"$variant": name, "args": values}
    if kind == "some":
        text, value = draw(inner)
        return draw(_joined("Some(", ")", [text])), {"$some": value}
    if kind == "map":
        keys = draw(st.lists(_TEXT, min_size=len(pairs), max_size=len(pairs), unique=True))
        items = [f"{_raw(key)} : {text}" for key, text in zip(keys, texts, strict=True)]
        return draw(_joined("{", "}", items)), {"$map": [list(each) for each in zip(keys, values, strict=True)]}
    text, value = draw(inner)
    names = draw(
        st.lists(_WORDS | st.sampled_from(["None", "Some", "true", "inf"]), min_size=1, max_size=4, unique=True)
    )
    struct_name = draw(st.none() | _WORDS)
    fields = [f"{name}{draw(_BLANKS)}:{text}" for name in names]
    return draw(_joined(f"{struct_name or ''}(", ")", fields)), {
        "$struct": struct_name,
        "fields": dict.fromkeys(names, value),
    }


VALUES = st.recursive(PLAIN, _container, max_leaves=8)
