"""The terminal reviewer: a loop of drawing, a key, and what it does."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pipeline.cli.review_terminal import dialogs
from pipeline.cli.review_terminal.actions import press
from pipeline.cli.review_terminal.desk import Desk
from pipeline.cli.review_terminal.front import Front
from pipeline.cli.review_terminal.keys import Key, KeyReader
from pipeline.cli.review_terminal.layout import Row, Style, flow
from pipeline.cli.review_terminal.position import write_position
from pipeline.cli.review_terminal.screen import Cursor, Screen
from pipeline.cli.review_terminal.tray import Place, Tray, place_of
from pipeline.cli.review_terminal.view import help_rows, screen_rows
from pipeline.errors import UserError
from pipeline.project import Project

_MOVES = {"up": -1, "k": -1, "down": 1, "j": 1}
_NOTE_ROWS = 5
"""At most so many rows tell what happened; errors can be long."""


@dataclass
class App:
    """One review at one terminal. `run` returns when the person quits."""

    project: Project
    zone_id: str
    reviewer: str
    tray: Tray
    screen: Screen
    keys: KeyReader
    open_desk: Callable[[], Desk]
    note: str = ""
    decided: int = 0
    """Log entries written."""
    _opened: bool = False
    _desk: Desk | None = field(default=None, init=False)
    _place: tuple[Place, str] | None = field(default=None, init=False)
    _told_failure: bool = field(default=False, init=False)

    @property
    def width(self) -> int:
        """Cells in a row."""
        return self.screen.size[0]

    @property
    def desk(self) -> Desk:
        """What decides; waits for it, and says so, while it opens."""
        if self._desk is None:
            self._desk = self.open_desk()
            self._desk.when_open(self.keys.wake)
            if line := self.tray.line:
                self._desk.prepare(place_of(line), line["base"])
        return self._desk

    def run(self) -> None:
        """Shows the queue, then opens what decides, then does what the keys say until `q`."""
        front = Front(self)
        self.show_note()
        desk = self.desk
        try:
            while True:
                self._remember_place()
                if desk.failure and not self._told_failure:
                    self.note, self._told_failure = _told(desk.failure), True
                self.show_note()
                key = self.keys.next()
                if key is None or key.name == "resize":
                    continue
                if key.name == "hangup":
                    raise SystemExit(128 + signal.SIGHUP)
                if key.name in ("q", "ctrl-c"):
                    return
                self.note = ""
                try:
                    self._press(key, front)
                except UserError as error:
                    self.note = _told(error)
        finally:
            self._remember_place()

    def close(self) -> None:
        """Gives back what the desk holds."""
        if self._desk is not None:
            self._desk.close()

    def show(self, foot: Sequence[Row], cursor: Cursor | None = None) -> None:
        """Draws everything, with `foot` above the reminder of the keys."""
        rows, first = screen_rows(self.zone_id, self.reviewer, self.tray, self.screen.size, foot, opened=self._opened)
        self.screen.draw(rows, (first + cursor[0], cursor[1]) if cursor else None)

    def show_note(self) -> None:
        """Draws everything, with what is to be told."""
        self.show(flow([(Style.strong, self.note)], self.width)[:_NOTE_ROWS])

    def next_key(self, timeout: float | None = None) -> Key | None:
        """The next key."""
        return self.keys.next(timeout)

    def busy(self, what: str) -> None:
        """Says what is being done, or that it waits for content and rules to be loaded."""
        self.note = what if self.desk.is_open else f"{what} (content and rules are still being loaded)"
        self.show_note()
        self.note = ""

    def _press(self, key: Key, front: Front) -> None:
        if key.name in _MOVES:
            self.tray.move_variant(_MOVES[key.name])
        elif key.name in ("n", "page-down", "right"):
            self._go(1)
        elif key.name in ("p", "page-up", "left"):
            self._go(-1)
        elif key.name in ("home", "end"):
            self._go(-len(self.tray.shown) if key.name == "home" else len(self.tray.shown))
        elif key.name == "o":
            self._opened = not self._opened
        elif key.name == "ctrl-l":
            self.screen.forget()
        elif key.name == "?":
            dialogs.show_page(self, lambda: self.screen.draw(help_rows(self.width)))
        elif not press(front, key.name):
            self.note = "That key does nothing here. ? shows the keys." if key.text else ""

    def _go(self, by: int) -> None:
        before = self.tray.at
        self.tray.go_to(before + by)
        if self.tray.at == before:
            self.note = "This is the last line." if by > 0 else "This is the first line."

    def _remember_place(self) -> None:
        line, variant = self.tray.line, self.tray.variant
        if line is None or variant is None:
            return
        place = (place_of(line), variant["tell_state"])
        if place != self._place:
            self._place = place
            try:
                write_position(self.project, self.zone_id, *place)
            except OSError as error:
                self.note = f"Where you are cannot be kept for the next time: {error.strerror or error}."


def _told(error: UserError) -> str:
    return " ".join(part for text in (error.message, error.hint or "") for part in text.split())
