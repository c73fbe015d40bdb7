"""Untrusted text in markdown shows as it is, for any text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipeline.escaping import markdown_escaped

HOSTILE = [
    "a | b",
    "<img src=x onerror=alert(1)> <b>bold</b> &amp; &#60;",
    "[link](javascript:alert(1)) ![image](http://x.example/y.png)",
    "**bold** *it* __b__ _i_ ~~gone~~ `code`",
    "# head",
    "1. one",
    "- item",
    "> quote",
    "===",
    "~~~",
    "```sh",
    "    indented",
    "|---|---|",
    "\\*not\\*",
    "[^1]: note",
    "line\nbreak\r\n\r\n# head",
    "<http://x.example>",
    "ends with \\",
]
ADDRESSES = [
    "https://evil.example/a?b=c",
    "www.evil.example",
    "HTTP://X.example",
    "me@evil.example",
    "mailto:a@b.example",
]


class _Seen(HTMLParser):
    """The tags and the text of a rendered page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def rendered(markdown: str) -> _Seen:
    """What a renderer with tables, strike-through and raw HTML makes of it."""
    seen = _Seen()
    seen.feed(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown))
    return seen


def as_shown(text: str) -> str:
    """Visible text without what escaping adds: word joiners; runs of spaces are one."""
    return " ".join(text.replace("\u2060", "").split())


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_shows_as_text(text: str) -> None:
    seen = rendered(markdown_escaped(text))
    assert seen.tags == {"p"}
    assert as_shown(seen.text) == as_shown(text)


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"]), min_size=1))
@example("0. ")
@example("+ +")
def test_any_text_shows_as_it_is(text: str) -> None:
    seen = rendered("x " + markdown_escaped(text))
    assert seen.tags == {"p"}
    assert as_shown(seen.text) == as_shown("x " + text)


@given(st.text())
def test_any_text_stays_in_its_cell(text: str) -> None:
    seen = rendered(f"| a | b |\n|---|---|\n| {markdown_escaped(text)} | end |")
    assert seen.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    assert as_shown(seen.text).endswith("end")


@pytest.mark.parametrize("text", ADDRESSES)
def test_a_bare_address_is_no_address_any_more(text: str) -> None:
    escaped = markdown_escaped(f"see {text} now").replace("\\", "")
    assert not re.search(r"(?i)(https?|mailto):|www\.|\w@\w", escaped)
    assert text in escaped.replace("\u2060", "")


def test_what_has_no_shape_is_named() -> None:
    assert as_shown(rendered(markdown_escaped("a\u202eb\u200bc")).text) == "a⟨U+202E⟩b⟨U+200B⟩c"
