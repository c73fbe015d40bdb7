"""The scanner: one compiled expression skips white space and takes the next token."""

from __future__ import annotations

import re

from pipeline.ron.error import RonError
from pipeline.ron.source import Source

BLANK = r"[\t\n\v\f\r \x85\u200e\u200f\u2028\u2029]*+(?://[^\n]*+[\t\n\v\f\r \x85\u200e\u200f\u2028\u2029]*+)*+"
"""White space and line comments."""

PLAIN_STRING, WORD, PLAIN_INTEGER, OTHER, COMMENT = 1, 2, 3, 4, 5
"""Groups of `TOKEN`; no group means the end of the text. What the first three do not take is OTHER, one character."""

TOKEN = re.compile(
    BLANK + r"(?:"
    r'("[^"\\]*+")'
    r"|([A-Za-z_][A-Za-z0-9_]*+)(?![^\x00-\x7f])"
    r"|(-?[0-9]{1,18}+)(?![\w.])"
    r"|([^/]|/(?![/*]))"
    r"|(/\*)"
    r")?",
    re.DOTALL,
)
_PLAIN = (
    r'(?:("[^"\\]*+")|(-?[0-9]{1,18}+)(?![\w.])|([A-Za-z_][A-Za-z0-9_]*+)(?=[,)\]}])|(-?[0-9]{1,18}+\.[0-9]++)(?![\w.]))'
    r"(,)?+"
)
"""A value of one plain token, and the comma that follows it at once."""

FIELD = re.compile(BLANK + r"([A-Za-z_][A-Za-z0-9_]*+)[ \t]*+:(?!:)(?:[ \t]*+" + _PLAIN + ")?")
"""A plain field name (group 1) with its colon; where they follow at once, a plain value and a comma as well."""

ITEM = re.compile(BLANK + "()" + _PLAIN)
"""A plain item of a list, with the groups of `FIELD`."""

ITEM_STRING, ITEM_INTEGER, ITEM_WORD, ITEM_FLOAT, ITEM_COMMA = 2, 3, 4, 5, 6
"""Groups of `FIELD` and `ITEM`."""

_RAW_NAME = re.compile(r"r#((?:\w|[.+-]|[^\x00-\x7f])+)")
_COMMENT_MARK = re.compile(r"/\*|\*/")


def next_token(source: Source, at: int) -> re.Match[str]:
    """The match of `TOKEN` at `at`, past any block comments. Raises `RonError` for one that is never closed."""
    match = TOKEN.match(source.text, at)
    while match is not None and match.lastindex == COMMENT:
        match = TOKEN.match(source.text, _comment_end(source, match.start(COMMENT)))
    assert match is not None  # it matches the empty text too
    return match


def _comment_end(source: Source, start: int) -> int:
    """The offset after the block comment that opens at `start`; comments nest."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(source.text, start):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    raise RonError(
        source,
        (start, start + 2),
        "this comment is never closed",
        expected="`*/`",
        hint="Comments nest: each /* inside needs its own */.",
    )


def name_at(text: str, start: int) -> tuple[str, int] | None:
    """The name that begins at `start`, raw or plain, with its end; None when none does."""
    if raw := _RAW_NAME.match(text, start):
        end = start + 2
        while end < raw.end() and (text[end] in ".+-" or ("_" + text[end]).isidentifier()):
            end += 1
        return (text[start + 2 : end], end) if end > start + 2 else None
    end = start
    while end < len(text) and (("_" + text[end]) if end > start else text[end]).isidentifier():
        end += 1
    return (text[start:end], end) if end > start else None
