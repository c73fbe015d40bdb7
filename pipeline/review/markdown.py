"""Texts of content inside markdown: whatever they hold, they show as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pipeline.escaping import markdown_escaped as escaped


def highlighted(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text`, escaped, with the words that `spans` touch in bold.

    Whole words: markdown makes nothing bold that begins or ends inside one.
    """
    marked = [False] * len(text)
    for start, end in spans:
        marked[start:end] = [True] * (min(end, len(text)) - start)
    words = [(found.group(), any(marked[found.start() : found.end()])) for found in re.finditer(r"\S+", text)]
    return _runs(words, ("", "**"))


def difference(parts: Sequence[tuple[str, str]]) -> str:
    """A word diff, escaped: what went is struck out, what came is bold. `parts` as `word_diff` gives them."""
    marks = {"=": "", "-": "~~", "+": "**"}
    return " ".join(f"{marks[kind]}{escaped(text)}{marks[kind]}" for kind, text in parts if text.strip())


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are markdown already."""
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def _runs(words: Sequence[tuple[str, bool]], marks: tuple[str, str]) -> str:
    """Words joined by spaces, each run of equally marked ones in its marks."""
    runs: list[tuple[bool, list[str]]] = []
    for word, marked in words:
        if not runs or runs[-1][0] != marked:
            runs.append((marked, []))
        runs[-1][1].append(word)
    return " ".join(f"{marks[marked]}{escaped(' '.join(run))}{marks[marked]}" for marked, run in runs)
