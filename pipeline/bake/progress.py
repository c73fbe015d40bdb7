"""What a bake tells whoever watches it: the command line's bar, Dagster's log, or nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pipeline.prompting.jobs import LineJob


class BakeProgress(Protocol):
    """Called from the baking thread, in order."""

    def zone_started(self, zone_id: str, lines: int, to_generate: int) -> None:
        """A zone begins: `lines` lines in all, `to_generate` of them without stored candidates."""
        ...

    def line_done(self, job: LineJob, *, generated: bool, voiced: int) -> None:
        """A line is committed; `voiced` of its six variants have a text of their own."""
        ...

    def message(self, text: str) -> None:
        """Something to know, such as a wait for another process."""
        ...


@dataclass(frozen=True, slots=True)
class Silent:
    """Nobody watches."""

    def zone_started(self, zone_id: str, lines: int, to_generate: int) -> None:
        """Nothing."""

    def line_done(self, job: LineJob, *, generated: bool, voiced: int) -> None:
        """Nothing."""

    def message(self, text: str) -> None:
        """Nothing."""
