"""What a lint is: one check of loaded content, whose remarks a writer may follow or waive."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from pipeline.content.bound import Bound, Path
from pipeline.content.models import Content, Culture, LineRef, Npc, Zone
from pipeline.content.npc_checks import line_id, npc_lines
from pipeline.content.problems import Problem
from pipeline.content.sources import Sources

_PIECE = re.compile(r"\w+|[^\w\s]")
_TOKENS_PER_PIECE = 1.03
"""Measured with Gemma 3's tokeniser on the demo culture: 1.00 to 1.06 per word or mark."""
_SLACK = 0.2

CountTokens = Callable[[Sequence[str]], Sequence[int]]
"""The tokens of each text under the model's tokeniser."""


class Level(StrEnum):
    """How much a remark matters: an error fails the check, a warning is most likely a mistake, a note may be meant."""

    error = "error"
    warning = "warning"
    note = "note"


@dataclass(frozen=True, slots=True)
class LineView:
    """A line, its own id and where it stands in its NPC's file."""

    ref: LineRef
    npc: Bound[Npc]
    path: Path

    def problem(self, message: str, hint: str, field: str = "base_text") -> Problem:
        """A remark at a field of the line."""
        return self.npc.problem((*self.path, field), message, hint=hint)


@dataclass(frozen=True, slots=True)
class View:
    """What lints look at. Without `count_tokens` tokens are estimated, and the remarks say so."""

    content: Content
    sources: Sources
    count_tokens: CountTokens | None = None

    def tokens(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text, counted or estimated."""
        if self.count_tokens is not None:
            return self.count_tokens(texts)
        return [round(len(_PIECE.findall(text)) * _TOKENS_PER_PIECE) for text in texts]

    def measured(self, count: int) -> str:
        """A number of tokens as remarks put it."""
        return f"about {count} tokens (estimated)" if self.count_tokens is None else f"{count} tokens"

    def outside(self, count: int, least: int, most: int) -> bool:
        """Whether a count is outside its bounds; an estimate only where it is so by a fifth."""
        slack = _SLACK if self.count_tokens is None else 0
        return not least * (1 - slack) <= count <= most * (1 + slack)

    def zones(self) -> list[Bound[Zone]]:
        """The zones in order of id."""
        return [self.sources.zones[zone] for zone in self.content.zones]

    def npcs(self, zone_id: str) -> list[Bound[Npc]]:
        """The NPCs of a zone in order of id."""
        return [self.sources.npcs[npc.id] for npc in self.content.zones[zone_id].npcs]

    def cultures(self) -> list[Bound[Culture]]:
        """The cultures in order of id."""
        return [self.sources.cultures[culture] for culture in self.content.cultures]

    def lines(self, zone_id: str) -> Iterator[LineView]:
        """The lines of a zone, anchors included, in order of NPC id, behaviors before dialogue."""
        refs = iter(self.content.zones[zone_id].lines)
        for npc in self.npcs(zone_id):
            for kind, path, line in npc_lines(npc.value):
                ref = next(refs)
                assert ref.line_id == line_id(kind, line)  # both follow the same order
                yield LineView(ref, npc, path)


class Lint(Protocol):
    """One check. Implementations are frozen dataclasses, one per file, whose fields are their configuration."""

    @property
    def id(self) -> str:
        """Kebab-case name, such as `near-duplicate-lines`."""
        ...

    @property
    def level(self) -> Level: ...

    @property
    def explanation(self) -> str:
        """What is looked for, why it matters and what to do; a paragraph for `voicebake check --explain`."""
        ...

    def check(self, view: View) -> Iterable[Problem]:
        """Remarks, each at its place."""
        ...
