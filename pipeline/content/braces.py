"""Authored slots in base text: `{price}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

SLOT_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BRACES = re.compile(r"\{[^{}]*\}|[{}]")


def authored_slots(text: str) -> list[str]:
    """The names of the well-formed slots in `text`, in order, without braces."""
    return [each[1:-1] for each in _BRACES.findall(text) if SLOT_NAME.fullmatch(each[1:-1])]


def brace_mistakes(text: str) -> Iterator[tuple[tuple[int, int], str, str]]:
    """What is wrong with the braces of `text`: span, message and hint."""
    seen: set[str] = set()
    for match in _BRACES.finditer(text):
        each, name = match[0], match[0][1:-1]
        if len(each) == 1:
            yield (
                match.span(),
                f"`{each}` stands alone",
                "A slot is a name in braces, such as {price}; other braces are not used.",
            )
        elif not SLOT_NAME.fullmatch(name):
            hint = "A slot's name starts with a lower-case letter and holds only a-z, 0-9 and _."
            yield (
                match.span(),
                f"`{each}` is no slot",
                hint + (" Capitals are kept for names and figures." if name.isupper() else ""),
            )
        elif name in seen:
            yield match.span(), f"the slot `{each}` stands twice", "Each slot stands once in a line."
        seen.add(name)
