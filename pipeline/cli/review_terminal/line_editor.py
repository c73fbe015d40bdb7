"""A text that is being written: characters and a cursor."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.cli.review_terminal.keys import Key


@dataclass(slots=True)
class LineEditor:
    """One line of text with a cursor between its characters. It does not know a terminal."""

    text: str = ""
    cursor: int = -1
    """Characters before the cursor; -1 at first: at the end."""

    def __post_init__(self) -> None:
        if self.cursor < 0:
            self.cursor = len(self.text)

    def press(self, key: Key) -> bool:
        """Does what the key means; False for one that means nothing here."""
        if key.text:
            self._replace(self.cursor, self.cursor, key.text)
        elif key.name in ("left", "right", "home", "end"):
            self._move(key.name)
        elif key.name in ("backspace", "delete", "ctrl-u", "ctrl-k", "ctrl-w"):
            self._replace(*self._doomed(key.name), "")
        else:
            return False
        return True

    def _move(self, name: str) -> None:
        places = {"left": self.cursor - 1, "right": self.cursor + 1, "home": 0, "end": len(self.text)}
        self.cursor = min(max(places[name], 0), len(self.text))

    def _doomed(self, name: str) -> tuple[int, int]:
        """What a deleting key takes away."""
        if name == "backspace":
            return max(self.cursor - 1, 0), self.cursor
        if name == "delete":
            return self.cursor, min(self.cursor + 1, len(self.text))
        if name == "ctrl-k":
            return self.cursor, len(self.text)
        if name == "ctrl-u":
            return 0, self.cursor
        return self.text[: self.cursor].rstrip(" ").rfind(" ") + 1, self.cursor

    def _replace(self, start: int, end: int, text: str) -> None:
        self.text = self.text[:start] + text + self.text[end:]
        self.cursor = start + len(text)
