"""What a voiced text keeps of its base text, and what it changes, word by word."""

from __future__ import annotations

from typing import Literal

Part = tuple[Literal["=", "-", "+"], str]
"""`=` words of both texts, `-` words of the base text alone, `+` words of the voiced text alone."""


def word_diff(base: str, voiced: str) -> tuple[Part, ...]:
    """The way from `base` to `voiced` in runs of words.

    Words are what stands between spaces. The `=` and `-` runs give the base text, the `=` and `+` runs the voiced one,
    with single spaces.
    """
    from rapidfuzz.distance import Indel

    before, after = base.split(), voiced.split()
    parts: list[Part] = []
    for code in Indel.opcodes(before, after):
        if code.tag == "equal":
            parts.append(("=", " ".join(before[code.src_start : code.src_end])))
        elif code.tag == "delete":
            parts.append(("-", " ".join(before[code.src_start : code.src_end])))
        else:
            parts.append(("+", " ".join(after[code.dest_start : code.dest_end])))
    return tuple(parts)
