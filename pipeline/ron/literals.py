"""Reading one string, character or byte literal.

Each reader takes the source and the offset of the literal's first character. The rules are those of the
Rust reader (ron 0.12), which the game uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pipeline.ron.error import RonError
from pipeline.ron.nodes import Bytes, Char, Int, Str
from pipeline.ron.source import Source, quoted

_SIMPLE_ESCAPES = {"'": "'", '"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_ESCAPES_SHOWN = r"""\n \r \t \0 \\ \" \' \x41 \u{2014}"""
_BODY = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_ESCAPE = re.compile(r"(?:\\x[0-9A-Fa-f]{2})++|\\u\{[0-9A-Fa-f]{1,6}\}|\\.", re.DOTALL)
_RAW_OPENING = re.compile(r'b?r(#*)"')
_CHARACTER = re.compile(r"'(?:(\\(?:u\{[^}'\n]*\}|x[^'\n]{2}|.))|([^\\']))'", re.DOTALL)
_BYTE = re.compile(r"b'(?:(\\(?:x[0-9A-Fa-f]{2}|[nrt0\\'\"]))|([^\\'\x80-\U0010ffff]))'", re.DOTALL)
_QUOTED_WORD = re.compile(r"b?'[^'\n]*'")


def read_string(source: Source, start: int) -> Str:
    """A string that begins with a double quote. Raises `RonError` when it is unclosed or an escape is wrong."""
    match = _BODY.match(source.text, start + 1)
    if match is None:
        raise _unclosed(source, start, start + 1, "string", '"')
    body = match[0][:-1]
    value = body if "\\" not in body else _ESCAPE.sub(_decoder(source, start + 1), body)
    return Str(value, start, match.end())


def _decoder(source: Source, offset: int) -> Callable[[re.Match[str]], str]:
    """Reads one escape of a string whose body begins at `offset`."""

    def decode(match: re.Match[str]) -> str:
        text, at = match[0], offset + match.start()
        return _escaped(source, text, at)

    return decode


def _escaped(source: Source, text: str, at: int) -> str:
    """The character that an escape stands for; a run of byte escapes is UTF-8."""
    mark = text[1]
    if mark in _SIMPLE_ESCAPES:
        return _SIMPLE_ESCAPES[mark]
    if mark == "x" and len(text) > 2:
        try:
            return bytes.fromhex(text.replace("\\x", "")).decode()
        except UnicodeDecodeError as error:
            wrong = at + 4 * error.start
            raise RonError(
                source,
                (wrong, wrong + 4),
                "this byte escape is no UTF-8",
                hint=r"For a character above 7F write \u{..} with its number, or the character itself.",
            ) from None
    if mark == "u" and len(text) > 2:
        number = int(text[3:-1], 16)
        if number < 0xD800 or 0xDFFF < number <= 0x10FFFF:
            return chr(number)
        raise RonError(source, (at, at + len(text)), f"{text[3:-1]} is the number of no character")
    raise _bad_escape(source, at)


def _bad_escape(source: Source, at: int) -> RonError:
    following = source.text[at + 1 : at + 2]
    if following == "x":
        problem, hint = r"`\x` needs exactly two hexadecimal digits", r"As in \x41."
    elif following == "u":
        problem, hint = r"`\u` needs one to six hexadecimal digits in braces", r"As in \u{2014}."
    elif following == "\n":
        problem, hint = "a backslash cannot continue a line", "RON strings may run over several lines as they are."
    else:
        problem = f"unknown escape {quoted(source.text[at : at + 2])}"
        hint = r"For a backslash itself write \\, or use a raw string: r" + '"..".'
    return RonError(source, (at, at + 2), problem, expected=_ESCAPES_SHOWN, hint=hint)


def _unclosed(source: Source, start: int, body: int, what: str, closer: str) -> RonError:
    return RonError(
        source,
        (start, body),
        f"this {what} is never closed",
        expected=f"`{closer}`",
        hint=f"Close it with {closer} where it ends.",
    )


def read_raw(source: Source, start: int) -> Str | Bytes | None:
    """A raw string or raw byte string; None when none begins here. Raises `RonError` when it is unclosed."""
    match = _RAW_OPENING.match(source.text, start)
    if match is None:
        return None
    closer = '"' + match[1]
    end = source.text.find(closer, match.end())
    if end < 0:
        raise _unclosed(source, start, match.end(), "raw string", closer)
    value = source.text[match.end() : end]
    return (
        Bytes(value.encode(), start, end + len(closer)) if match[0][0] == "b" else Str(value, start, end + len(closer))
    )


def read_bytes(source: Source, start: int) -> Bytes:
    """A byte string `b"..."`. Raises `RonError` when it is unclosed or an escape is wrong."""
    match = _BODY.match(source.text, start + 2)
    if match is None:
        raise _unclosed(source, start, start + 2, "byte string", '"')
    value = bytearray()
    at = 0
    body = match[0][:-1]
    for escape in _ESCAPE.finditer(body):
        value += body[at : escape.start()].encode()
        text, at = escape[0], escape.end()
        if text[1] == "x" and len(text) > 2:
            value += bytes.fromhex(text.replace("\\x", ""))
        elif text[1] in _SIMPLE_ESCAPES:
            value += _SIMPLE_ESCAPES[text[1]].encode()
        elif text[1] == "u":
            where = start + 2 + escape.start()
            raise RonError(
                source, (where, where + 2), r"a byte string takes no `\u` escape", hint=r"Write bytes as \xFF."
            )
        else:
            raise _bad_escape(source, start + 2 + escape.start())
    value += body[at:].encode()
    return Bytes(bytes(value), start, match.end())


def read_char(source: Source, start: int) -> Char:
    """A character in single quotes. Raises `RonError` when there is not exactly one."""
    match = _CHARACTER.match(source.text, start)
    if match is None:
        raise _no_character(source, start)
    if match[1] is None:
        return Char(match[2], start, match.end())
    escape = match[1]
    if not _ESCAPE.fullmatch(escape):
        raise _bad_escape(source, start + 1)
    return Char(_escaped(source, escape, start + 1), start, match.end())


def _no_character(source: Source, start: int) -> RonError:
    word = _QUOTED_WORD.match(source.text, start)
    if word is None:
        return _unclosed(source, start, start + 1, "character", "'")
    inner = word[0][1:-1]
    return RonError(
        source,
        word.span(),
        f"single quotes hold exactly one character, found {quoted(word[0])}",
        expected="one character",
        hint=f'A string has double quotes: "{inner}"'
        if inner and len(inner) < 60 and '"' not in inner
        else 'A string has double quotes: "..".',
    )


def read_byte(source: Source, start: int) -> Int:
    """A byte literal `b'A'`, which is an integer. Raises `RonError` when it is not one ASCII character or escape."""
    match = _BYTE.match(source.text, start)
    if match is None:
        word = _QUOTED_WORD.match(source.text, start)
        span = word.span() if word else (start, start + 2)
        raise RonError(source, span, "a byte literal holds one ASCII character", expected=r"as in b'A' or b'\xFF'")
    if match[1] is None:
        return Int(ord(match[2]), start, match.end())
    escape = match[1]
    return Int(int(escape[2:], 16) if escape[1] == "x" else ord(_SIMPLE_ESCAPES[escape[1]]), start, match.end())
