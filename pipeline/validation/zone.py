"""What rules over a whole zone see: the chosen variants side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pipeline.content.terms import Kind, TellState
from pipeline.prompting.jobs import VariantKey
from pipeline.validation.finding import Finding
from pipeline.validation.rule import RuleDoc


@dataclass(frozen=True, slots=True)
class ChosenText:
    """One chosen variant with what it is compared to."""

    npc_id: str
    line_id: str
    tell_state: TellState
    culture_id: str
    kind: Kind
    text: str
    base: str
    neutral: str | None = None
    """The line's chosen Neutral variant, if there is one."""

    @property
    def key(self) -> VariantKey:
        """What the variant is called everywhere."""
        return VariantKey(self.npc_id, self.line_id, self.tell_state, self.culture_id)


@dataclass(frozen=True, slots=True)
class ZoneCanary:
    """Known-bad texts of a zone that a zone rule must remark on."""

    chosen: tuple[ChosenText, ...]
    why: str


@runtime_checkable
class ZoneRule(Protocol):
    """One check over the chosen texts of a zone. Its findings are `review` at most: they never change a choice."""

    @property
    def id(self) -> str: ...

    @property
    def doc(self) -> RuleDoc: ...

    @property
    def canaries(self) -> Sequence[ZoneCanary]: ...

    def check_zone(self, chosen: Sequence[ChosenText]) -> Iterable[tuple[VariantKey, Finding]]: ...
