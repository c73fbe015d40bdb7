"""Content in files of other formats: untrusted text that must show as it is."""

from __future__ import annotations

import re
import unicodedata

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")
# Renderers look for bare addresses in the finished text, where a backslash no longer helps: a word joiner parts them.
_BARE_ADDRESS = re.compile(r"(?i)(?:https?|ftp|mailto|xmpp|www)(?=[:.])|@")
_WORD_JOINER = "\u2060"
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def markdown_escaped(text: str) -> str:
    """`text` as markdown that shows it as it is, on one line; what has no shape of its own as `⟨U+202E⟩`."""
    shown = "".join(_visible(char) for char in " ".join(text.split()))
    return _MARKDOWN.sub(r"\\\1", _BARE_ADDRESS.sub(lambda found: found.group() + _WORD_JOINER, shown))


def _visible(char: str) -> str:
    return f"⟨U+{ord(char):04X}⟩" if unicodedata.category(char) in _UNSEEN else char


def xml_text(text: str) -> str:
    """`text` without the characters that XML cannot hold; U+FFFD stands in their place."""
    return _NO_XML.sub("\ufffd", text)
