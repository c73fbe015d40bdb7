"""Number words and the idioms that merely contain one, read from the plain files in `data/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

_DATA = Path(__file__).parent / "data"
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_JOIN = re.compile(r"(?:[ \t\u00a0]+|[-‐‑])\Z")
_GOES_ON = re.compile(r"[ \t\u00a0-]*[\w{]")


class Span(NamedTuple):
    """Start and end of a piece of text, in code points."""

    start: int
    end: int


@cache
def number_words() -> dict[str, str]:
    """The lexicon: lower-case word to its class, the heading that it stands under in `number_words.txt`."""
    return {word: heading for heading, words in _sections("number_words.txt").items() for word in words}


@cache
def number_contexts() -> dict[str, frozenset[str]]:
    """The lists of `number_contexts.txt` by heading: what decides whether `one` and `first` are numbers."""
    return {heading: frozenset(words) for heading, words in _sections("number_contexts.txt").items()}


def idioms(text: str) -> Iterator[Span]:
    """The spans of listed idioms in `text`, whatever the letter case and apostrophes; hyphens count as spaces."""
    words = list(_WORD.finditer(text))
    plain = [word.group().casefold().replace("’", "'") for word in words]
    table = _idiom_table()
    for index, word in enumerate(plain):
        by_second = table.get(word)
        if by_second is None:
            continue
        following = plain[index + 1] if index + 1 < len(plain) else "$"
        for phrase in (*by_second.get(following, ()), *by_second.get("*", ()), *by_second.get("$", ())):
            end = _end_of(phrase, text, words, plain, index)
            if end is not None:
                yield Span(words[index].start(), end)


def _end_of(phrase: tuple[str, ...], text: str, words: list[re.Match[str]], plain: list[str], index: int) -> int | None:
    """Where `phrase` ends when it begins with `words[index]`, else None."""
    wanted = phrase[:-1] if phrase[-1] == "$" else phrase
    there = plain[index : index + len(wanted)]
    if len(there) < len(wanted) or any(w not in ("*", p) for w, p in zip(wanted, there, strict=True)):
        return None
    here = words[index : index + len(wanted)]
    if not all(_JOIN.match(text[a.end() : b.start()]) for a, b in pairwise(here)):
        return None
    end = here[-1].end()
    return None if wanted is not phrase and _GOES_ON.match(text, end) else end


@cache
def _idiom_table() -> dict[str, dict[str, list[tuple[str, ...]]]]:
    """Idioms by their first two words; `$` as the second stands for none."""
    table: dict[str, dict[str, list[tuple[str, ...]]]] = {}
    for line in _entries("number_idioms.txt"):
        phrase = tuple(line.split())
        second = phrase[1] if len(phrase) > 1 else "$"
        table.setdefault(phrase[0], {}).setdefault(second, []).append(phrase)
    return table


def _sections(name: str) -> dict[str, list[str]]:
    """A word list by its headings."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in _entries(name):
        if line.startswith("["):
            heading = line.strip("[]")
        else:
            found.setdefault(heading, []).extend(line.split())
    return found


def _entries(name: str) -> Iterator[str]:
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line
