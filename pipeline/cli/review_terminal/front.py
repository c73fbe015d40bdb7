"""The line and the variant in front of a person, and what happens around a decision on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.cli.review_terminal.tray import Line, Place, Tray, Variant, place_of
from pipeline.review import Decision, StaleItem

if TYPE_CHECKING:
    from pipeline.cli.review_terminal.app import App


@dataclass
class Front:
    """What the deciding keys share. They raise `UserError` for what cannot be done; then nothing was written."""

    app: App
    reasons: dict[str, str] = field(default_factory=dict)
    """The last reason for waiving a rule: likely the next one, too."""

    @property
    def tray(self) -> Tray:
        """The queue as it lies there."""
        return self.app.tray

    def line_and_variant(self) -> tuple[Line, Variant]:
        """What is in front. The queue is not empty."""
        line, variant = self.tray.line, self.tray.variant
        assert line is not None and variant is not None, "press() looks before it calls"  # noqa: PT018
        return line, variant

    def decide(self, decisions: Sequence[Decision], busy: str) -> None:
        """Writes the decisions; a line that has changed is shown as it is now before the error is told."""
        self.app.busy(busy)
        try:
            self.app.decided += len(self.app.desk.decide(decisions))
        except StaleItem:
            for place in dict.fromkeys((one.npc_id, one.line_id) for one in decisions):
                self.show_anew(place)
            raise

    def show_anew(self, place: Place) -> None:
        """Reads a line as it stands now."""
        self.tray.replace_line(self.app.desk.line(place))

    def after_variant(self, note: str) -> None:
        """Goes on to what waits next, in this line first."""
        line, _ = self.line_and_variant()
        self.show_anew(place_of(line))
        more = self.tray.next_waiting_variant()
        self.app.note = note if more else f"{note} {self._finished()}"

    def next_line(self, note: str) -> None:
        """Goes on to the next line that waits."""
        more = self.tray.next_waiting_line()
        self.app.note = note if more else f"{note} {self._finished()}".strip()

    def _finished(self) -> str:
        filtered = "Nothing else waits that the filter shows; f shows all." if self.tray.filter.words else ""
        return filtered or "Nothing else waits. q brings queue and draft up to date."
