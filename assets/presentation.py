"""How texts look in the Dagster UI. Content is untrusted: markdown and HTML in a line show as text."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import dagster as dg

from pipeline.escaping import markdown_escaped
from pipeline.prompting import LineJob

_LOG_EVERY_S = 5.0


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dg.MarkdownMetadataValue:
    """A table of plain texts."""
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    lines += [f"| {' | '.join(markdown_escaped(cell) for cell in row)} |" for row in rows]
    return dg.MetadataValue.md("\n".join(lines))


class LogProgress:
    """A bake's progress in a run's log: a line every few seconds, since each costs the event log a write."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log
        self._zone, self._todo, self._done = "", 0, 0
        self._began = self._spoke = 0.0

    def zone_started(self, zone_id: str, lines: int, to_generate: int) -> None:
        """Says what there is to do."""
        self._zone, self._todo, self._done = zone_id, to_generate, 0
        self._began = self._spoke = time.monotonic()
        self._log(f"{zone_id}: {lines} lines, {to_generate} to generate")

    def line_done(self, job: LineJob, *, generated: bool, voiced: int) -> None:
        """Counts a line."""
        self._done += generated
        now = time.monotonic()
        if generated and (now - self._spoke >= _LOG_EVERY_S or self._done == self._todo):
            self._spoke = now
            left = (self._todo - self._done) * (now - self._began) / self._done
            self._log(f"{self._zone}: {self._done}/{self._todo} lines, {left:.0f} s left")

    def message(self, text: str) -> None:
        """Passes it on."""
        self._log(text)
