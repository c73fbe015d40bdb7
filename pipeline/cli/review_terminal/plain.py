"""Content as a terminal may be given it."""

from __future__ import annotations

import unicodedata

_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"
_UNKNOWN = "\ufffd"


def plain(text: str) -> str:
    """`text` with a visible sign for each character that could steer a terminal or hide what is written.

    Control characters become their pictures (U+2400 and up); the other controls, direction marks, joiners, line
    separators and half characters become U+FFFD. Length and offsets stay, so spans of findings still fit.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_sign, text))


def _sign(char: str) -> str:
    if char < " ":
        return chr(_PICTURES + ord(char))
    if char == "\x7f":
        return _DELETE_PICTURE
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return _UNKNOWN
    return char
