"""The parts of the terminal reviewer without a terminal: safe text, rows, keys, the line editor."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pipeline.cli.review_terminal.commands import FOOT, KEYS
from pipeline.cli.review_terminal.keys import Key, KeyReader
from pipeline.cli.review_terminal.layout import Style, cut, ends, flow, wrap
from pipeline.cli.review_terminal.line_editor import LineEditor
from pipeline.cli.review_terminal.plain import plain

ANY_TEXT = st.text(st.characters(), max_size=200)


@given(ANY_TEXT)
def test_plain_text_steers_nothing_and_keeps_its_length(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert plain(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, too", "plain, too"),
        ("naïve — “yes”", "naïve — “yes”"),
        ("\x1b[31m", "␛[31m"),
        ("a\x7fb\tc", "a␡b␉c"),
        ("\x9b31m\u202e\u2028\ud800", "\ufffd31m\ufffd\ufffd\ufffd"),
    ],
)
def test_plain_shows_what_was_there(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(ANY_TEXT, st.integers(2, 60))
def test_rows_fit_and_lose_no_word(text: str, width: int) -> None:
    text = plain(text)
    spans = wrap(text, width)
    assert all(cell_len(text[start:end]) <= width for start, end in spans)
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == text.replace(" ", "")


@given(ANY_TEXT, ANY_TEXT, st.integers(10, 60))
def test_cut_and_ends_fit(left: str, right: str, width: int) -> None:
    assert cell_len(cut(left, width)) <= width
    [(_, whole)] = ends(left, right, width, Style.bar)
    assert cell_len(whole) <= width


def test_carets_stand_below_the_marked_words_on_every_row() -> None:
    rows = flow([(Style.text, "one 二二 three four")], 14, "    ", [(4, 12)])
    assert ["".join(text for _, text in row) for row in rows] == [
        "    one 二二",
        "        ^^^^",
        "    three four",
        "    ^^^^^",
    ]


@pytest.fixture
def typed() -> Iterator[tuple[int, KeyReader]]:
    """Where to write what is typed, and the reader of it."""
    out, into = os.pipe()
    reader = KeyReader(out, "utf-8")
    yield into, reader
    reader.close()
    os.close(out)


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        ("a?", [Key("a", "a"), Key("?", "?")]),
        ("é漢", [Key("é", "é"), Key("漢", "漢")]),
        ("\x1b[A\x1bOB\x1b[5~", [Key("up"), Key("down"), Key("page-up")]),
        ("\x1b", [Key("esc")]),
        ("\x1bx", [Key("esc"), Key("x", "x")]),
        ("\x1b[99;3X", [Key("unknown")]),
        ("\r\x7f\x03", [Key("enter"), Key("backspace"), Key("ctrl-c")]),
        ("\x1b[F\x1b[4~", [Key("end"), Key("end")]),
        ("\x1b[200~a\x1b[31m\r\nb\x1b[201~c", [Key("paste", "a\x1b[31m b"), Key("c", "c")]),
    ],
)
def test_bytes_become_keys(typed: tuple[int, KeyReader], data: str, keys: list[Key]) -> None:
    into, reader = typed
    os.write(into, data.encode())
    assert [reader.next(5) for _ in keys] == keys
    assert reader.next(0.01) is None
    os.close(into)
    assert reader.next(5) == Key("hangup")


def test_a_key_may_arrive_in_parts(typed: tuple[int, KeyReader]) -> None:
    into, reader = typed
    os.write(into, "é".encode()[:1])
    assert reader.next(0.01) is None
    os.write(into, "é".encode()[1:] + b"\x1b[")
    assert reader.next(5) == Key("é", "é")
    os.write(into, b"B")
    assert reader.next(5) == Key("down")
    os.close(into)


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        (["end"], "one two", 7),
        (["backspace", "delete"], "one tw", 6),
        (["left", "left", "delete"], "one to", 5),
        (["home", "delete", "right"], "ne two", 1),
        (["ctrl-w"], "one ", 4),
        (["ctrl-u", "backspace"], "", 0),
        (["left", "ctrl-k"], "one tw", 6),
    ],
)
def test_the_line_editor_edits(keys: list[str], text: str, cursor: int) -> None:
    editor = LineEditor("one two")
    assert all(editor.press(Key(name)) for name in keys)
    assert (editor.text, editor.cursor) == (text, cursor)


@given(st.lists(st.sampled_from(["left", "right", "home", "end", "backspace", "delete", "ctrl-w", "x", "tab"])))
def test_the_cursor_stays_in_the_text(names: list[str]) -> None:
    editor = LineEditor("ab c")
    for name in names:
        editor.press(Key(name, name if len(name) == 1 else ""))
        assert 0 <= editor.cursor <= len(editor.text)


def test_the_foot_names_keys_of_the_table_and_fits() -> None:
    assert len(FOOT) <= 80
    named = {key for keys, _ in KEYS for key in keys.replace(",", " ").split()}
    assert {word for word in FOOT.replace("/", " ").split() if len(word) == 1} <= named
