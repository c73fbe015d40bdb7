"""A bake's progress on the terminal: a bar with rate and time left, or plain lines where nobody sees a bar."""

from __future__ import annotations

import time
from types import TracebackType

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pipeline.cli.console import err
from pipeline.prompting.jobs import LineJob

_PLAIN_EVERY_S = 15.0


class TerminalProgress:
    """Shows a bake: on a terminal a bar per zone; elsewhere a line at the start, every 15 s and at the end."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live = err.is_terminal and not quiet
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=err,
            disable=not self._live,
        )
        self._zone = ""
        self._todo = self._done = 0
        self._began = self._spoke = 0.0

    def __enter__(self) -> TerminalProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def zone_started(self, zone_id: str, lines: int, to_generate: int) -> None:
        self._zone, self._todo, self._done = zone_id, to_generate, 0
        self._began = self._spoke = time.monotonic()
        self._task = self._bar.add_task(zone_id, total=to_generate, rate="", visible=to_generate > 0)
        self._plain(f"{zone_id}: {lines} lines, {to_generate} to generate")

    def line_done(self, job: LineJob, *, generated: bool, voiced: int) -> None:
        if not generated:
            return
        self._done += 1
        now = time.monotonic()
        seconds = max(now - self._began, 1e-9)
        rate = (
            f"{self._done / seconds:.2f} lines/s" if self._done / seconds >= 1 else f"{seconds / self._done:.1f} s/line"
        )
        self._bar.update(self._task, advance=1, rate=rate)
        if now - self._spoke >= _PLAIN_EVERY_S or self._done == self._todo:
            self._spoke = now
            left = (self._todo - self._done) * seconds / self._done
            self._plain(f"{self._zone}: {self._done}/{self._todo} lines, {rate}, {left:.0f} s left")

    def message(self, text: str) -> None:
        if self._live:
            self._bar.console.print(text)
        else:
            self._plain(text)

    def _plain(self, text: str) -> None:
        if not self._quiet and not self._live:
            err.print(text)
