"""What a voiced text keeps of its base text, and what it changes, word by word."""

from __future__ import annotations

from typing import Literal

Part = tuple[Literal["=", "-", "+"], str]
"""`=` words of both texts, `-` words of the base text alone, `+` words of the voiced text alone."""


def word_diff(base: str, voiced: str) -> tuple[Part, ...]:
    """The way from `base` to `voiced` in runs of words; where words are replaced, the old ones stand first.

    Words are what stands between spaces. The `=` and `-` runs give the base text, the `=` and `+` runs the voiced one,
    with single spaces.
    """
    from rapidfuzz.distance import Indel

    before, after = base.split(), voiced.split()
    parts: list[Part] = []
    at = seen = 0
    for block in Indel.opcodes(before, after).as_matching_blocks():
        cut, added = before[at : block.a], after[seen : block.b]
        at, seen = block.a + block.size, block.b + block.size
        kept = before[block.a : at]
        found: tuple[Part, ...] = (("-", " ".join(cut)), ("+", " ".join(added)), ("=", " ".join(kept)))
        parts += [part for part in found if part[1]]
    return tuple(parts)
