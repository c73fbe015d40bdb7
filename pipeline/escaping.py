"""Content in files of other formats: untrusted text that must show as it is."""

from __future__ import annotations

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>&~:])")
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def markdown_escaped(text: str) -> str:
    """`text` as markdown that shows it as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def xml_text(text: str) -> str:
    """`text` without the characters that XML cannot hold; U+FFFD stands in their place."""
    return _NO_XML.sub("\ufffd", text)
