"""Texts that come twice: many of a line's candidates are the same text."""

from __future__ import annotations

from pipeline.validation.finding import Finding
from pipeline.validation.rule import Subject


class Doubles:
    """What rules said of the texts of one line, by what they look at."""

    __slots__ = ("_line",)
    _MOST = 512

    def __init__(self) -> None:
        self._line: tuple[tuple[object, ...], dict[object, tuple[Finding, ...]]] = (), {}

    def of(self, subject: Subject) -> dict[object, tuple[Finding, ...]]:
        """What is known of the line of `subject`: by voiced text, or by a text with its state; to be added to."""
        was, known = self._line  # read and set as one, for threads
        beside = (subject.culture, subject.names, subject.base, subject.kind, subject.affect, subject.npc)
        # The culture is told by identity: comparing two of them field by field would cost more than it saves.
        if not was or was[0] is not beside[0] or was[1:] != beside[1:] or len(known) >= self._MOST:
            known = {}
            self._line = beside, known
        return known
