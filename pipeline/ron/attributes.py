"""Attributes before the value: `#![enable(..)]`, `#![type = ".."]`, `#![schema = ".."]`."""

from __future__ import annotations

import re

from pipeline.ron.error import RonError
from pipeline.ron.hints import token_end
from pipeline.ron.scanner import OTHER, PLAIN_STRING, WORD, next_token
from pipeline.ron.source import Source, quoted
from pipeline.ron.spelling import closest

EXTENSIONS = ("unwrap_newtypes", "implicit_some", "unwrap_variant_newtypes", "explicit_struct_names")


def read_attributes(source: Source) -> tuple[tuple[str, ...], int]:
    """The enabled extensions in source order without repeats, and the offset where the value may begin.

    `type` and `schema` are read and ignored, as the Rust reader does. Raises `RonError`.
    """
    enabled: list[str] = []
    at = 0
    while True:
        token = next_token(source, at)
        if token.lastindex != OTHER or token[OTHER] != "#":
            return tuple(dict.fromkeys(enabled)), at
        at = _mark(source, _mark(source, token.end(), "!", "#"), "[", "#!")
        token = next_token(source, at)
        if token.lastindex == WORD and token[WORD] == "enable":
            at = _names(source, _mark(source, token.end(), "(", "enable"), enabled)
        elif token.lastindex == WORD and token[WORD] in ("type", "schema"):
            at = _text(source, _mark(source, token.end(), "=", token[WORD]))
        else:
            raise _wrong(source, token, "`enable`, `type` or `schema`")
        at = _mark(source, at, "]", "the attribute")


def _mark(source: Source, at: int, mark: str, after: str) -> int:
    token = next_token(source, at)
    if token.lastindex != OTHER or token[OTHER] != mark:
        raise _wrong(source, token, f"`{mark}` after {after if ' ' in after else quoted(after)}")
    return token.end()


def _names(source: Source, at: int, enabled: list[str]) -> int:
    """Reads `name, name)` into `enabled`."""
    while True:
        token = next_token(source, at)
        if token.lastindex != WORD:
            raise _wrong(source, token, "the name of an extension, without quotes")
        name = token[WORD]
        if name not in EXTENSIONS:
            near = closest(name, EXTENSIONS)
            raise RonError(
                source,
                token.span(WORD),
                f"unknown extension {quoted(name)}",
                expected=", ".join(EXTENSIONS),
                hint=f"Did you mean `{near}`?" if near else f"There are {', '.join(EXTENSIONS)}.",
            )
        enabled.append(name)
        at = token.end()
        token = next_token(source, at)
        if token.lastindex == OTHER and token[OTHER] == ",":
            at = token.end()
            token = next_token(source, at)
        elif token.lastindex != OTHER or token[OTHER] != ")":
            raise _wrong(source, token, "`,` or `)`")
        if token.lastindex == OTHER and token[OTHER] == ")":
            return token.end()


def _text(source: Source, at: int) -> int:
    token = next_token(source, at)
    if token.lastindex != PLAIN_STRING:
        raise _wrong(source, token, "a string in double quotes")
    return token.end()


def _wrong(source: Source, token: re.Match[str], expected: str) -> RonError:
    start = token.start(token.lastindex) if token.lastindex else len(source.text)
    end = token_end(source.text, start)
    found = quoted(source.text[start:end]) if start < end else "the end of the file"
    return RonError(
        source,
        (start, end),
        f"expected {expected}, found {found}",
        expected=expected,
        hint="An attribute looks like #![enable(implicit_some)]; a comment begins with //.",
    )
