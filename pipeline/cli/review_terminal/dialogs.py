"""Questions at the foot of the screen: a text, a choice from a list, yes or no. Each ends with an answer or None."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rich.cells import cell_len

from pipeline.cli.review_terminal.keys import Key
from pipeline.cli.review_terminal.layout import Row, Style, flow, row
from pipeline.cli.review_terminal.line_editor import LineEditor
from pipeline.cli.review_terminal.plain import plain
from pipeline.cli.review_terminal.screen import Cursor

CHECK_WAIT = 0.25
"""Seconds without a key after which a text that is being written is checked."""

_CANCELS = frozenset({"esc", "ctrl-c", "hangup"})
_WINDOW = 7
"""How many choices are shown at once."""


class Window(Protocol):
    """What a dialog needs of the application."""

    def show(self, foot: Sequence[Row], cursor: Cursor | None = None) -> None:
        """Draws the screen with `foot` in place of the status; the cursor's row counts from the foot's first."""

    def next_key(self, timeout: float | None = None) -> Key | None:
        """The next key, or None after `timeout` seconds."""

    @property
    def width(self) -> int:
        """Cells in a row."""


def ask_text(
    window: Window, title: str, text: str = "", check: Callable[[str], list[Row]] | None = None, note: str = ""
) -> str | None:
    """Lets a person write one line; None when they leave with Esc.

    `check` gives rows that say what is wrong with the text; it is asked whenever the person stops typing.
    """
    editor = LineEditor(text)
    checked: str | None = None
    said: list[Row] = []
    while True:
        foot, cursor = _editor_rows(window.width, title, editor)
        pending = check is not None and checked != editor.text
        below = [row("checking...", window.width, Style.faint)] if pending else said
        window.show([*foot, *flow([(Style.faint, note)], window.width), *below], cursor)
        key = window.next_key(CHECK_WAIT if pending else None)
        if key is None:
            checked = editor.text
            said = check(checked) if check else []
        elif key.name in _CANCELS:
            return None
        elif key.name == "enter":
            return editor.text
        else:
            editor.press(key)


def _editor_rows(width: int, title: str, editor: LineEditor) -> tuple[list[Row], Cursor]:
    """The title, the text on as many rows as it takes, and the cursor's place among them."""
    rows = [row(title, width, Style.bar)]
    # One more character than the text: the cursor may stand behind the last one. Rows are cut hard: what is shown is
    # what is stored, and spaces at a row's end can be seen by where the cursor goes.
    room = width - 2
    text = editor.text + " "
    starts, start = [0], 0
    for place in range(len(text)):
        if cell_width(text[start : place + 1]) > room:
            start = place
            starts.append(place)
    for number, begin in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        rows.append(((Style.faint, "> " if number == 0 else "  "), (Style.text, text[begin:end])))
    at = max(number for number, begin in enumerate(starts) if begin <= editor.cursor)
    return rows, (at + 1, 2 + cell_width(text[starts[at] : editor.cursor]))


def cell_width(text: str) -> int:
    """Cells that the text takes when it is shown."""
    return cell_len(plain(text))


def choose(window: Window, title: str, choices: Sequence[tuple[str, str]]) -> str | None:
    """Lets a person choose: arrows, or letters of the name, then Enter. `choices`: a name and what is told of it."""
    sought, at = "", 0
    while True:
        found = [(name, told) for name, told in choices if sought.lower() in name.lower()]
        at = min(at, max(len(found) - 1, 0))
        rows = [row(f"{title} {sought}_   (letters narrow, Up/Down, Enter; Esc leaves)", window.width, Style.bar)]
        first = max(0, at - _WINDOW + 1)
        for number, (name, told) in enumerate(found[first : first + _WINDOW], first):
            mark = ">" if number == at else " "
            rows.append(row(f"{mark} {name}  {told}", window.width, Style.strong if number == at else Style.text))
        window.show(rows if found else [*rows, row("nothing of that name", window.width, Style.faint)])
        key = window.next_key()
        if key is None:
            continue
        if key.name in _CANCELS:
            return None
        if key.name == "enter" and found:
            return found[at][0]
        sought, at = _narrowed(key, sought, at)


def _narrowed(key: Key, sought: str, at: int) -> tuple[str, int]:
    if key.name in ("up", "down"):
        return sought, max(at + (1 if key.name == "down" else -1), 0)
    if key.name == "backspace":
        return sought[:-1], 0
    return (sought + key.text, 0) if key.text else (sought, at)


def pick(window: Window, question: str, keys: str) -> str | None:
    """Waits for one of the letters in `keys`; any other key means None."""
    while True:
        window.show(flow([(Style.strong, question)], window.width))
        key = window.next_key()
        if key is not None and key.name != "resize":
            return key.name if len(key.name) == 1 and key.name in keys else None


def confirm(window: Window, question: str) -> bool:
    """True when the person presses y."""
    return pick(window, f"{question}  y: yes, any other key: no", "y") == "y"


def show_page(window: Window, draw: Callable[[], None]) -> None:
    """Shows what `draw` draws until a key is pressed."""
    draw()
    while (key := window.next_key()) is None or key.name == "resize":
        draw()
