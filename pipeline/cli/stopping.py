"""Ending a long command after the line in flight, and its exit codes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

EXIT_BUDGET = 4
EXIT_STOPPED = 130


class Stop:
    """Asked between lines: should the bake end here?"""

    requested = False

    def __call__(self) -> bool:
        return self.requested


@contextmanager
def stop_on_interrupt(say: Callable[[str], None]) -> Iterator[Stop]:
    """Turns the first Ctrl-C, or `kill`, into a request to stop after the line in flight; the second ends at once."""
    stop = Stop()

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if stop.requested:
            raise KeyboardInterrupt
        stop.requested = True
        say("Stopping after the line in flight; Ctrl-C again ends at once.")

    before = {one: signal.signal(one, on_interrupt) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
