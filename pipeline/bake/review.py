"""Deciding in one step: all decisions are taken, or none, and the zone's choices, queue and draft follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.bake.rebuilding import Rebuilt
from pipeline.bake.session import ReviewSession
from pipeline.bake.workspace import Workspace
from pipeline.review import Decision, Verdict


@dataclass(frozen=True, slots=True)
class Decided:
    """What `decide` did."""

    verdicts: tuple[Verdict, ...]
    """The entries that were written; a decision that stands already writes none."""
    outcome: Rebuilt


def decide(workspace: Workspace, zone_id: str, decisions: Sequence[Decision], reviewer: str) -> Decided:
    """Takes all decisions, or none, and rebuilds the zone's choices and queue and the draft.

    Raises `StaleItem`, `Contradiction` or another `UserError` for one that cannot be taken, `DecisionErrors` for
    several; then nothing was written.
    """
    with ReviewSession.open(workspace, zone_id, reviewer) as session:
        return Decided(session.decide(decisions), session.rebuild())
