"""Hints: what a writer most likely meant where RON allows no such thing."""

from __future__ import annotations

import re
import unicodedata

from pipeline.ron.scanner import OTHER, TOKEN, name_at

_CURLY = "“”„‟«»‘’‚‛′″"
_INVISIBLE = {
    "\ufeff": "a byte-order mark",
    "\u00a0": "a no-break space",
    "\u202f": "a narrow no-break space",
    "\u200b": "a zero-width space",
    "\u200c": "a zero-width non-joiner",
    "\u200d": "a zero-width joiner",
    "\u2060": "a word joiner",
    "\u3000": "a wide space",
    "\u00ad": "a soft hyphen",
}
_STRAY = {
    ";": "Items are separated by commas.",
    "=": "Fields are written `name: value`, with a colon.",
    "#": "A comment begins with //; an attribute is written #![enable(..)] and stands before the value.",
    "`": 'A string has double quotes: "..".',
    "@": 'Text stands in double quotes: "..".',
    "$": 'Text stands in double quotes: "..".',
    "/": "A comment begins with // or stands between /* and */; RON does not calculate.",
    "%": "A number stands alone, without a unit.",
}
_WORD_BEFORE = re.compile(r"\b\w+\Z")
_DASHED = re.compile(r"[A-Za-z_][\w-]*")


def described(text: str, start: int, end: int) -> str | None:
    """The name of an invisible or easily mistaken character, for `found ...`; None when its text says enough."""
    if start >= len(text):
        return "the end of the file"
    char = text[start]
    if char in _INVISIBLE:
        return f"{_INVISIBLE[char]} (U+{ord(char):04X})"
    if end == start + 1 and unicodedata.category(char) in ("Cc", "Cf", "Zs", "Cn", "Co"):
        return f"the character U+{ord(char):04X}"
    return None


def hint_for(text: str, start: int, before: int) -> str | None:
    """What to do about the token at `start`; `before` is the end of the token before it."""
    char = text[start : start + 1]
    if char == "\ufeff":
        return "Save the file as UTF-8 without a byte-order mark (BOM)."
    if char in _INVISIBLE:
        return "Delete it and type a plain space; it often comes along when text is pasted."
    if char and char in _CURLY:
        return (
            'Strings have straight quotes: "..". Word processors replace them; curly quotes are fine inside a string.'
        )
    if text.startswith("::", start):
        following = name_at(text, start + 2)
        return f"Only the last name of a path is written: {following[0]}" if following else "RON has no paths."
    if char == "-" and before == start and before and (text[before - 1].isalnum() or text[before - 1] == "_"):
        return f"A name with a dash in it is written raw: {_raw_name(text, before)}"
    if char == "#" and before == start and text[before - 1 : before] == "r":
        return "A raw name has letters after its mark, as in r#night-shift."
    if text.startswith("..", start):
        return "A range stands between two numbers, as in 0..5."
    if char == "(" and (word := _WORD_BEFORE.search(text, 0, before)) and word[0] in ("None", "true", "false"):
        return f"{word[0]} takes nothing in brackets."
    if char == "{" and before and (text[before - 1].isalnum() or text[before - 1] == "_"):
        return "A struct has round brackets: Name(field: value), not Name { field: value }."
    return _STRAY.get(char)


def _raw_name(text: str, end: int) -> str:
    """The whole dashed name whose first part ends at `end`, in raw spelling."""
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    dashed = _DASHED.match(text, start)
    return f"r#{dashed[0].rstrip('-')}" if dashed else "r#night-shift"


def token_end(text: str, start: int) -> int:
    """Where the token at `start` ends, as a caret run shows it."""
    if named := name_at(text, start):
        return named[1]
    if text.startswith(("..", "::"), start):
        return start + 2
    match = TOKEN.match(text, start)
    if match is None or match.lastindex in (None, OTHER):
        return min(start + 1, len(text))
    return match.end()
