"""How long each stage of a zone's bake took. Times stand in the store's list of runs and enter no hash."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

STAGES = ("prompts", "canaries", "model", "rules and choice", "texts", "queue", "sharing")
"""As they come: rendering and auditing prompts, known-bad texts, generating, judging candidates, writing the zone's
texts with the rules over the whole zone, the review queue, handing over to other machines."""


class StageTimes:
    """Seconds by stage, each stage's calls added up."""

    def __init__(self, **before: float) -> None:
        """`before`: what earlier stages took."""
        self.seconds = {stage: before.get(stage, 0.0) for stage in STAGES}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts what the block takes, also when it fails."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - began

    def split(self, name: str, part: str, seconds: float) -> None:
        """Counts `seconds` of a stage as another one's."""
        self.seconds[name] -= seconds
        self.seconds[part] += seconds

    def rounded(self) -> dict[str, float]:
        """Milliseconds are enough to read."""
        return {stage: round(max(0.0, seconds), 3) for stage, seconds in self.seconds.items()}
