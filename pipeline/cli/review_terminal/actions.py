"""Which key decides what."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pipeline.cli.review_terminal.approving import approve_line, approve_many, approve_variant, take
from pipeline.cli.review_terminal.editing import edit
from pipeline.cli.review_terminal.front import Front
from pipeline.cli.review_terminal.moving import set_filter, skip, undo
from pipeline.cli.review_terminal.refusing import regenerate, reject, waive

ACTIONS: Mapping[str, Callable[[Front], None]] = {
    "a": approve_line,
    "v": approve_variant,
    "e": edit,
    "r": reject,
    "w": waive,
    "g": regenerate,
    "s": skip,
    "u": undo,
    "f": set_filter,
    "b": approve_many,
}
_DIGITS = frozenset("123456789")


def press(front: Front, name: str) -> bool:
    """Does what a deciding key says; False for a key that decides nothing."""
    if name not in ACTIONS and name not in _DIGITS:
        return False
    if front.tray.line is None:
        front.app.note = "Nothing waits here."
    elif name in _DIGITS:
        take(front, int(name))
    else:
        ACTIONS[name](front)
    return True
