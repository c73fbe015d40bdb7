"""How each line of a zone is answered, read from the choices in its bake store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.bake import ZoneSummary
from pipeline.content.terms import TellState
from pipeline.project import Project
from pipeline.store import STORE_NAME, BakeStore, ChoiceRecord


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """One line after a bake; the three counts add up to the number of tell states."""

    npc_id: str
    line_id: str
    voiced: int
    """Variants with a text of their own."""
    fallback_neutral: int
    fallback_base: int
    missing: tuple[ChoiceRecord, ...]
    """The variants without a text."""

    @property
    def all_base(self) -> bool:
        """True: the game shows the base text in every tell state."""
        return self.fallback_base == len(TellState)


def zone_outcomes(project: Project, summary: ZoneSummary) -> list[LineOutcome]:
    """The lines of a baked zone in the order of its bake; none where the bake was stopped before its end."""
    path = project.zone_build(summary.status.zone) / STORE_NAME
    if summary.stopped or not path.is_file():
        return []
    with BakeStore.read_only(path) as store:
        return line_outcomes(store.choices())


def line_outcomes(records: Iterable[ChoiceRecord]) -> list[LineOutcome]:
    """Choices grouped by line, in the order in which they come."""
    lines: dict[tuple[str, str], list[ChoiceRecord]] = {}
    for record in records:
        lines.setdefault((record.npc_id, record.line_id), []).append(record)
    return [_outcome(npc_id, line_id, variants) for (npc_id, line_id), variants in lines.items()]


def _outcome(npc_id: str, line_id: str, variants: list[ChoiceRecord]) -> LineOutcome:
    missing = tuple(one for one in variants if one.voiced is None)
    neutral = any(one.tell_state == TellState.Neutral and one.voiced is not None for one in variants)
    return LineOutcome(
        npc_id,
        line_id,
        voiced=len(variants) - len(missing),
        fallback_neutral=len(missing) if neutral else 0,
        fallback_base=0 if neutral else len(missing),
        missing=missing,
    )
