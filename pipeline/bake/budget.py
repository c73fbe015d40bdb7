"""A bake's time budget: when to stop so that it ends in time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from pipeline.errors import UserError

_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?")


def parse_duration(text: str) -> float:
    """Seconds of a duration such as `90s`, `10m`, `1h` or `1h30m`. Raises `UserError` for anything else."""
    match = _DURATION.fullmatch(text.strip().lower())
    hours, minutes, seconds = (float(part or 0) for part in match.groups()) if match else (0.0, 0.0, 0.0)
    total = 3600 * hours + 60 * minutes + seconds
    if not total:
        raise UserError(f"{text!r} is no duration.", "Write it like 90s, 10m, 1h or 1h30m.")
    return total


class TimeBudget:
    """Asked between lines whether to stop: yes, when another line would probably end too late.

    A line is taken to last as long as the longest of this run. While none is measured any time left is enough, so that
    bakes with a small budget go forward too.
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = clock() + seconds
        self._measured: list[float] = []
        self._asked: float | None = None
        self.spent = False
        """True: it has said stop."""

    def __call__(self) -> bool:
        now = self._clock()
        if self._asked is not None:
            self._measured.append(now - self._asked)
        self._asked = now
        # The first line also loads the model; once there are others they are the better measure.
        longest = max(self._measured[1:] or self._measured, default=0.0)
        self.spent = now + longest > self._ends
        return self.spent
