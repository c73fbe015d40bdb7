"""Text as the matcher sees it: folded to plain letters, cut into words, with every word's place in the original
kept."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from pipeline.validation.homoglyphs import LOOKALIKES

_CLITIC = r"'(?:s|ll|re|ve|d|m)(?![a-z0-9])"
SLOT_MARK = "\ufffc"
"""Stands for every code point of a slot in folded text."""

WORD = re.compile(rf"[a-z0-9]+(?:'(?!(?:s|ll|re|ve|d|m)(?![a-z0-9]))[a-z0-9]+)*|{_CLITIC}|{SLOT_MARK}+")
"""A word of folded lower-case text. Clitics ('s, 'll ...) are words of their own, so that "captain's" holds "captain"
while
"he'll" never becomes "hell"; other apostrophes stay inside ("don't", "o'clock")."""

SLOT = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")
_SIMPLE = re.compile(r"[\x00-\x7f‘’‚‛“”„–—…‐‑ \ufffc]*\Z")
_TYPOGRAPHIC = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‐": "-", "‑": "-", " ": " "}
)
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u034f")
_DROPPED = frozenset({"Mn", "Me", "Cf"})


class Folded(NamedTuple):
    """A text without disguise: compatibility forms, look-alike letters, marks and invisible characters resolved; case
    kept.

    `offsets` maps each code point of `text` to its place in the original; None when the two agree one to one.
    """

    text: str
    offsets: tuple[int, ...] | None
    length: int
    """Code points of the original."""
    lower: str
    """`text` in lower case, code point for code point."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original's span behind `text[start:end]`."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


@lru_cache(maxsize=512)
def fold(text: str) -> Folded:
    """`text` folded. Slots become marks of the same width, so that their names never match a term."""
    if text.isascii() and "{" not in text:
        return Folded(text, None, len(text), text.lower())
    blanked = SLOT.sub(lambda slot: SLOT_MARK * len(slot[0]), text)
    if _SIMPLE.match(blanked):
        plain = blanked if blanked.isascii() else blanked.translate(_TYPOGRAPHIC)
        return Folded(plain, None, len(text), plain.lower())
    pieces: list[str] = []
    offsets: list[int] = []
    for index, char in enumerate(blanked):
        for piece in _plain(char):
            pieces.append(piece)
            offsets.append(index)
    plain = "".join(pieces)
    lower = plain.lower()
    if len(lower) != len(plain):
        lower = "".join(char.lower()[:1] for char in plain)
    return Folded(plain, tuple(offsets), len(text), lower)


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """What one character folds to: none, one or several characters."""
    if char in _INVISIBLE or unicodedata.category(char) in _DROPPED:
        return ""
    char = char.translate(_TYPOGRAPHIC)
    pieces = (LOOKALIKES.get(piece, piece) for piece in unicodedata.normalize("NFKD", LOOKALIKES.get(char, char)))
    return "".join(piece for piece in pieces if unicodedata.category(piece) not in _DROPPED)


_TO_SPACE = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) != "'"}
_TO_SPACE |= {ord(char): " " for char in "–—…"}
_OPEN_CLITIC = re.compile(_CLITIC)


@lru_cache(maxsize=512)
def words(text: str) -> tuple[str, ...]:
    """The folded, lower-case words of a text; the same as `tokens` gives, but faster."""
    folded = fold(text)
    lower = folded.lower
    if folded.offsets is not None or SLOT_MARK in lower:
        return tuple(WORD.findall(lower))
    if "'" not in lower:
        return tuple(lower.translate(_TO_SPACE).split())
    return tuple(WORD.findall(lower)) if _ODD_QUOTE.search(lower) else _with_clitics(lower)


_ODD_QUOTE = re.compile(r"(?<![a-z0-9])'|'(?![a-z0-9])")
"""A quote that is no apostrophe between letters."""


def _with_clitics(lower: str) -> tuple[str, ...]:
    return tuple(_OPEN_CLITIC.sub(r" \g<0>", lower).translate(_TO_SPACE).split())


class Token(NamedTuple):
    """One word with its place in the original text and its look there."""

    word: str
    """Folded, lower case."""
    cased: str
    """Folded, case kept."""
    start: int
    end: int
    place: int
    """Where it starts in the folded text."""
    folded: str
    """The folded text."""

    @property
    def starts_sentence(self) -> bool:
        """True if only a sentence end and quotes stand before it."""
        return opens_sentence(self.folded, self.place)


def opens_sentence(folded: str, place: int) -> bool:
    """True if a word at `place` of a folded text opens a sentence, perhaps behind a quote."""
    return place == 0 or _SENTENCE_END.search(folded, max(0, place - 12), place) is not None


_SENTENCE_END = re.compile(r"(?:^|[.!?…:;—–]|--)[\s\"'()\[\]*_-]*\Z")


@lru_cache(maxsize=512)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text with their places, in the same order and number as `words` gives."""
    folded = fold(text)
    plain = folded.text
    if folded.offsets is None:
        spans = ((m[0], *m.span()) for m in WORD.finditer(folded.lower))
        return tuple(Token(word, plain[start:end], start, end, start, plain) for word, start, end in spans)
    found = []
    for match in WORD.finditer(folded.lower):
        start, end = match.span()
        found.append(Token(match[0], plain[start:end], *folded.span(start, end), start, plain))
    return tuple(found)
