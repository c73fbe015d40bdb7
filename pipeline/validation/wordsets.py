"""The plain word files of `english/`: what the rules need to know of English."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("english")


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of `english/<name>.txt` without comments and blank lines."""
    text = (_FOLDER / f"{name}.txt").read_text("utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


@cache
def word_set(name: str) -> frozenset[str]:
    """The words of `english/<name>.txt`, separated by spaces or line ends."""
    return frozenset(word for line in lines(name) for word in line.split())


@lru_cache(maxsize=16384)
def is_word(word: str) -> bool:
    """True if `word` (lower case) is English, in any inflection, or a spoken form; by lemminflect's dictionary."""
    if word in word_set("spoken") or word in word_set("function_words") or not word.isalpha():
        return True
    import lemminflect

    return bool(lemminflect.getAllLemmas(word))
