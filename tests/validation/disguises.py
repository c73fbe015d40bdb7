"""Ways in which a word hides, for the mutation test. Each gives None where it does not apply."""

from __future__ import annotations

from collections.abc import Callable

_LEET = {"o": "0", "e": "3", "a": "4", "i": "1", "s": "5", "t": "7"}
_LOOKALIKE = {"a": "а", "e": "е", "o": "о", "c": "с", "p": "р", "x": "х", "i": "і", "s": "ѕ"}


def _inside(word: str, mark: str) -> str | None:
    return f"{word[: len(word) // 2]}{mark}{word[len(word) // 2 :]}" if len(word) >= 4 else None


def _longest(term: str, change: Callable[[str], str | None]) -> str | None:
    """The term with its longest word changed."""
    word = max(term.split(" "), key=len)
    if not word.isalpha():
        return None
    changed = change(word)
    return term.replace(word, changed, 1) if changed else None


def plain(term: str) -> str | None:
    return term


def capitals(term: str) -> str | None:
    return term.upper()


def possessive(term: str) -> str | None:
    return f"{term}'s" if term[-1].isalpha() and term[-1] != "s" else None


def hyphens(term: str) -> str | None:
    return term.replace(" ", "-") if " " in term else None


def split_by_hyphen(term: str) -> str | None:
    return _longest(term, lambda word: _inside(word, "-"))


def zero_width(term: str) -> str | None:
    return _longest(term, lambda word: _inside(word, "\u200b"))


def soft_hyphen(term: str) -> str | None:
    return _longest(term, lambda word: _inside(word, "\u00ad"))


def combining(term: str) -> str | None:
    return _longest(term, lambda word: _inside(word, "\u0301"))


def full_width(term: str) -> str | None:
    return "".join(chr(ord(char) + 0xFEE0) if char.isascii() and char.isalpha() else char for char in term)


def lookalike(term: str) -> str | None:
    return _longest(term, lambda word: next((word.replace(a, b) for a, b in _LOOKALIKE.items() if a in word), None))


def leet(term: str) -> str | None:
    return _longest(
        term,
        lambda word: (
            next(
                (
                    word[:at] + _LEET[c] + word[at + 1 :]
                    for at, c in enumerate(word)
                    if 0 < at < len(word) - 1 and c in _LEET
                ),
                None,
            )
            if len(word) >= 4
            else None
        ),
    )


def masked(term: str) -> str | None:
    return _longest(
        term,
        lambda word: (
            next(
                (
                    word[:at] + "*" + word[at + 1 :]
                    for at, c in enumerate(word)
                    if 0 < at < len(word) - 1 and c in "aeiou"
                ),
                None,
            )
            if len(word) >= 4 and " " not in term
            else None
        ),
    )


def stretched(term: str) -> str | None:
    return _longest(term, lambda word: word + word[-1] * 3 if len(word) >= 4 else None)


def emphasis(term: str) -> str | None:
    return f"**{term}**"


def letters_apart(term: str) -> str | None:
    return " ".join(term) if term.isalpha() and len(term) >= 4 else None


DISGUISES: tuple[Callable[[str], str | None], ...] = (
    plain,
    capitals,
    possessive,
    hyphens,
    split_by_hyphen,
    zero_width,
    soft_hyphen,
    combining,
    full_width,
    lookalike,
    leet,
    masked,
    stretched,
    emphasis,
    letters_apart,
)
