"""The values of figures in running text: digits, number words, ordinals, dozen, pair, half, k, codes.

Where a figure stands is the masker's decision (`find_figures`), so that one list of number idioms serves both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.prompting.figures import find_figures
from pipeline.validation.normalise import fold, words

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_SMALL: dict[str, float] = {word: n for n, word in enumerate(_UNITS.split())}
_SMALL |= {word: n for n, word in enumerate(_ORDINALS.split())} | {"nought": 0, "naught": 0, "nil": 0}
_TENFOLD: dict[str, float] = {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}
_TENFOLD |= {word[:-1] + "ieth": value for word, value in _TENFOLD.items()}
_SCALE: dict[str, float] = {
    "hundred": 100,
    "hundredth": 100,
    "thousand": 1000,
    "thousandth": 1000,
    "grand": 1000,
    "million": 1e6,
    "billion": 1e9,
}
_GROUPS: dict[str, float] = {
    "dozen": 12,
    "pair": 2,
    "couple": 2,
    "half": 0.5,
    "quarter": 0.25,
    "twice": 2,
    "thrice": 3,
    "double": 2,
    "triple": 3,
    "score": 20,
}
_PLURAL_FRACTIONS = {"halves": 0.5, "quarters": 0.25, "thirds": 3.0}

_DIGIT = re.compile(r"\d")
_NUMBER_WORDS = frozenset({*_SMALL, *_TENFOLD, *_SCALE, *_GROUPS, *_PLURAL_FRACTIONS})
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[a-z]+")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in a text."""

    value: str
    """Canonical: `12`, `0.5`, or a code's digits."""
    span: tuple[int, int]


@lru_cache(maxsize=512)
def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text in order, values canonical, spans in the original."""
    if not _DIGIT.search(text) and _NUMBER_WORDS.isdisjoint(words(text)):
        return ()
    folded = fold(text)
    spans = find_figures(folded.text) if _DIGIT.search(folded.text) else _in_words(folded.text)
    if not spans:
        return ()
    lower = _only_figures(spans, folded.lower)
    parts = [(m[0], m.start(), m.end()) for m in _TOKEN.finditer(lower)]
    found: list[Figure] = []
    at = 0
    while at < len(parts):
        taken, value = _read(lower, parts, at)
        if taken:
            found.append(Figure(value, folded.span(parts[at][1], parts[at + taken - 1][2])))
        at += taken or 1
    return tuple(found)


_CLAUSE = re.compile(r"[^\s.,;:!?…—–()\"][^.,;:!?…—–()\"]*")
"""What no figure in words reaches out of."""
_LETTERS = re.compile("[a-z]+")


def _in_words(text: str) -> list[tuple[int, int]]:
    """The spans that `find_figures` gives for a text without digits, of the clauses that hold a number word."""
    return [
        (clause.start() + start, clause.start() + end)
        for clause in _CLAUSE.finditer(text)
        if not _NUMBER_WORDS.isdisjoint(_LETTERS.findall(clause[0].lower()))
        for start, end in _of_clause(clause[0])
    ]


@lru_cache(maxsize=1024)
def _of_clause(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((span.start, span.end) for span in find_figures(text))


def _only_figures(spans: Sequence[tuple[int, int]], lower: str) -> str:
    """`lower` with all that states no figure blanked out."""
    kept: list[str] = []
    at = 0
    for start, end in spans:
        kept += ("_" * (start - at), lower[start:end])
        at = end
    return "".join((*kept, "_" * (len(lower) - at)))


_Part = tuple[str, int, int]


def _read(text: str, parts: list[_Part], at: int) -> tuple[int, str]:
    """How many parts from `at` make one figure, and its canonical value; (0, "") for none."""
    word = parts[at][0]
    if word[0].isdigit():
        return _digits(parts, at)
    spelled = _spelled_code(text, parts, at)
    if spelled[0]:
        return spelled
    if word in _GROUPS or word in _PLURAL_FRACTIONS:
        return 1, _canonical(_GROUPS.get(word, _PLURAL_FRACTIONS.get(word, 0)))
    if word in ("hundred", "thousand", "grand", "million", "billion"):
        return 1, _canonical(_SCALE[word])
    if word in _SMALL or word in _TENFOLD:
        return _words(text, parts, at)
    return 0, ""


def _digits(parts: list[_Part], at: int) -> tuple[int, str]:
    word, _, end = parts[at]
    number = word.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", word) else word
    taken, factor = 1, 1.0
    if at + 1 < len(parts):
        unit, start, _ = parts[at + 1]
        if unit == "k" and start == end:
            taken, factor = 2, 1000.0
        elif unit in _SCALE and start - end <= 1:
            taken, factor = 2, _SCALE[unit]
    if re.fullmatch(r"\d+(?:\.\d+)?", number):
        return taken, _canonical(float(number) * factor) if len(number) < 15 else number
    return taken, number.replace(",", ".")


def _spelled_code(text: str, parts: list[_Part], at: int) -> tuple[int, str]:
    """A run of two or more single digits said one by one: seven-one-four."""
    digits = ""
    taken = 0
    while at + taken < len(parts):
        word, start, _ = parts[at + taken]
        if (
            _SMALL.get(word, 99) > 9
            or word in _ORDINALS.split()
            or (taken and text[parts[at + taken - 1][2] : start].strip(" -"))
        ):
            break
        digits += str(int(_SMALL[word]))
        taken += 1
    return (taken, str(int(digits))) if taken > 1 else (0, "")


def _words(text: str, parts: list[_Part], at: int) -> tuple[int, str]:
    """A number in words from `at`: twenty-five, two hundred and ten, a third."""
    total = current = 0.0
    taken = 0
    last = 0.0
    while at + taken < len(parts):
        word, start, _ = parts[at + taken]
        if taken and text[parts[at + taken - 1][2] : start].strip(" -"):
            break
        if word in _TENFOLD and (not taken or last >= 100):
            last = _TENFOLD[word]
            current += last
        elif word in _SMALL and (not taken or last >= 100 or (20 <= last < 100 and 0 < _SMALL[word] < 10)):
            last = _SMALL[word]
            current += last
        elif word in _SCALE and taken:
            last = _SCALE[word]
            if last == 100:
                current = (current or 1) * 100
            else:
                total, current = total + (current or 1) * last, 0.0
        elif word == "dozen" and taken:
            last, current = 12, current * 12
        elif (
            word == "and"
            and last >= 100
            and at + taken + 1 < len(parts)
            and (parts[at + taken + 1][0] in _SMALL or parts[at + taken + 1][0] in _TENFOLD)
        ):
            pass
        else:
            break
        taken += 1
    return taken, _canonical(total + current)


def _canonical(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"
