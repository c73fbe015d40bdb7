"""Finds figures in a text: digits, codes, and number words that state a number.

No library finds enough of the forms that lines use (dozen, pair, half past, 27k, B-7), so the lexicon is our own; the
tests hold it against numerizer as a second voice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pipeline.prompting.lexicon import Span, idioms, number_contexts, number_words

# Digits of any script, and characters that are a number by themselves (superscripts, fractions, circled numbers).
DIGIT = r"[\d²³¹¼-¾⁰⁴-⁹₀-₉⅐-⅟①-⒛⓪❶-➓]"
_DASH = "[-‐‑−]"
_TOKEN = re.compile(
    rf"""(?P<digits> (?:(?<![\w.,]){_DASH})? (?<!\w) [$€£]? (?:[A-Z]{{1,4}}{_DASH})? \w*{DIGIT}\w*
             (?: (?:{_DASH}|[.,:/]) \w*{DIGIT}\w* | {_DASH}[A-Z]{{1,3}}(?!\w) )*
             [%°]? )
      | (?P<word> (?<!\w) [^\W\d_]+ (?!\w) )""",
    re.VERBOSE,
)
_ANY_DIGIT = re.compile(DIGIT)
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
"""What `_TOKEN` finds in a text without digits, in a quarter of the time."""
_ROMAN = re.compile(r"(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})\Z")
_LINKS = frozenset(("past", "to", "or", "point"))
_COUNTS = frozenset(("cardinal", "scale", "group"))
_LETTERS = re.compile(r"[^\W\d_]+")
_HYPHENS = frozenset("-‐‑")
_NEXT_WORD = re.compile(r"[ \u00a0-](?P<word>[^\W_]+(?:['’]t(?!\w))?)")


class _Token(NamedTuple):
    """A word or a number of the text."""

    text: str
    start: int
    end: int
    kind: str
    """`digits`, a class of the lexicon, or `other`."""
    gap: str
    """What stands between the token before it and this one."""

    @property
    def joined(self) -> bool:
        """Whether only spaces or one hyphen part it from the token before."""
        return self.gap in _HYPHENS or (self.gap != "" and self.gap.strip(" \u00a0") == "")


def find_figures(text: str, leave: Iterable[Span] = ()) -> list[Span]:
    """The spans of all figures in `text`, in order, without overlap; nothing inside `leave` is looked at.

    A figure is a number in digits (1,200, 3.5, 14:30, 27k, 40%, 3rd), a code that holds a digit (B-7, 7C), or a run
    of number words (twenty-one, half a dozen, a couple of, half past six, B-seven, Deck IV). Number words inside a
    listed idiom, `one` as a pronoun and `first` as an adverb are no figures.
    """
    tokens = _tokens(text, list(leave))
    found: list[Span] = []
    index = free = 0
    while index < len(tokens):
        token = tokens[index]
        first, end = index, 0 if token.kind == "other" and len(token.text) > 2 else _figure_at(tokens, index)
        index += 1
        if not end:
            continue
        if first > free and _is_letter_tied(tokens[first - 1], tokens[first]):
            first -= 1
        if end < len(tokens) and _is_letter_tied(tokens[end], tokens[end]):
            end += 1
        if end - first > 1 or not _means_no_number(text, tokens, first):
            found.append(Span(tokens[first].start, tokens[end - 1].end))
            index = free = end
    return found


@lru_cache(maxsize=1024)
def is_number_words(text: str) -> bool:
    """Whether `text` is a figure written in words, whose first letter follows its place in a sentence."""
    tokens = _tokens(text, [])
    return bool(tokens) and all(token.kind != "digits" for token in tokens) and _figure_at(tokens, 0) == len(tokens)


def _tokens(text: str, leave: list[Span]) -> list[_Token]:
    """The words and numbers of `text` outside `leave` and outside idioms."""
    words = number_words()
    if any(word.casefold() in words for word in _LETTERS.findall(text)):
        leave = [*leave, *idioms(text)]
    tokens: list[_Token] = []
    before = 0
    pattern = _TOKEN if _ANY_DIGIT.search(text) else _WORD
    for gap in _between(leave, len(text)):
        for match in pattern.finditer(text, gap.start, gap.end):
            word = match.group()
            digits = match.lastgroup == "digits" or (word[0] in "IVX" and _ROMAN.match(word))
            kind = "digits" if digits else words.get(word.casefold(), "other")
            tokens.append(_Token(word, match.start(), match.end(), kind, text[before : match.start()]))
            before = match.end()
    return tokens


def _between(spans: list[Span], length: int) -> Iterator[Span]:
    """The stretches of a text that no span covers."""
    start = 0
    for span in (*sorted(spans), Span(length, length)):
        if span.start > start:
            yield Span(start, span.start)
        start = max(start, span.end)


def _figure_at(tokens: list[_Token], index: int) -> int:
    """The index after the figure that starts at `tokens[index]`, or 0 when none starts there."""
    end = index + 1
    if tokens[index].text.casefold() in ("a", "an"):
        if not _article_belongs(tokens, index):
            return 0
        end += 1
    elif tokens[index].kind in ("other", "after_count"):
        return 0
    while (step := _further(tokens, end)) > 0:
        end += step
    return end


def _article_belongs(tokens: list[_Token], index: int) -> bool:
    """Whether the article at `index` is part of a figure: a hundred, a dozen, a couple of, a grand, a third of."""
    following = tokens[index + 1 : index + 3]
    if not following or not following[0].joined:
        return False
    word = following[0]
    if word.kind in ("scale", "group") or word.text.casefold() == "grand":
        return True
    shares = word.kind in ("fraction", "ordinal")
    return shares and len(following) == 2 and following[1].joined and following[1].text.casefold() == "of"


def _further(tokens: list[_Token], end: int) -> int:
    """How many tokens after `tokens[:end]` go on with the same figure: 0 when it ends here."""
    rest = tokens[end : end + 3]
    if not rest or not rest[0].joined:
        return 0
    last, following = tokens[end - 1], rest[0]
    word = following.text.casefold()
    if following.kind != "other" and (following.kind != "digits" or last.text.casefold() in _LINKS):
        goes_on = last.kind != "digits" or following.kind in ("scale", "group", "after_count", "fraction")
        return 1 if goes_on else 0
    if word == "percent" or (word == "of" and last.text.casefold() in ("couple", "pair")):
        return 1
    if word == "per" and len(rest) > 1 and rest[1].joined and rest[1].text.casefold() == "cent":
        return 2
    return _linked(last, rest)


def _linked(last: _Token, rest: list[_Token]) -> int:
    """How many of `rest` a linking word ties to the figure: two hundred and six, three or four, half a dozen."""
    word = rest[0].text.casefold()
    if len(rest) < 2 or not rest[1].joined or rest[1].kind in ("other", "after_count"):
        if word == "and" and len(rest) == 3 and rest[1].text.casefold() == "a" and rest[2].joined:
            return 3 if rest[2].kind == "fraction" else 0
        return 0
    following = rest[1]
    if word == "and":
        return 2 if last.kind == "scale" or following.kind == "fraction" else 0
    if word in ("a", "an"):
        return 2 if last.kind == "fraction" and following.kind in ("scale", "group") else 0
    if word in ("past", "to") and last.text.casefold() in ("half", "quarter"):
        return 2
    if word in ("point", "or", "to"):
        return 2 if following.kind == last.kind or {following.kind, last.kind} <= _COUNTS else 0
    return 0


def _is_letter_tied(letter: _Token, tie: _Token) -> bool:
    """Whether `letter` is a single capital that a hyphen ties to its neighbour, as in B-seven and seven-C."""
    return len(letter.text) == 1 and letter.text.isupper() and tie.gap in _HYPHENS


def _means_no_number(text: str, tokens: list[_Token], index: int) -> bool:
    """Whether a lone `one`, `first`, `couple` or `pair` is meant otherwise here than as a number."""
    lists = number_contexts()
    token = tokens[index]
    word = token.text.casefold()
    before = tokens[index - 1].text.casefold() if index and token.joined else ""
    after = _word_after(text, token.end)
    if word == "one":
        if before in lists["called_by_number"]:
            return False
        return before in lists["pronoun_after"] or after is None or after in lists["no_noun"]
    if word == "first":
        return before not in lists["determiner"] and (after is None or after in lists["no_noun"])
    return word in ("couple", "pair")


def _word_after(text: str, at: int) -> str | None:
    """The word that follows at `at`, without what an apostrophe adds to it; None at the end of a clause."""
    match = _NEXT_WORD.match(text, at)
    return match["word"].casefold().replace("’", "'") if match else None
