"""How a zone is covered, by the tier of its NPCs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pipeline.bake.status import ReviewCounts, review_counts
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import TellState, Tier
from pipeline.store import STORE_NAME, BakeStore


@dataclass(frozen=True, slots=True)
class TierCoverage:
    """The variants of a tier's lines; anchors have none."""

    tier: Tier
    variants: int
    voiced: int
    """Variants with a text of their own."""
    decided: int
    """Variants whose text a person approved or wrote."""


def tier_coverage(workspace: Workspace, zone_id: str) -> tuple[list[TierCoverage], ReviewCounts]:
    """One row per tier that the zone has voiced lines of, and the zone's review, from the choices as published last.

    Raises `StoreMissing` for a zone that was never baked.
    """
    zone = workspace.content.zones[workspace.check_zone(zone_id)]
    with BakeStore.read_only(workspace.project.zone_build(zone_id) / STORE_NAME) as store:
        records = store.choices()
    tiers = {npc.id: npc.tier for npc in zone.npcs}
    here = [record for record in records if record.npc_id in tiers]
    lines = Counter(ref.npc.tier for ref in zone.lines if not ref.line.anchor_line)
    voiced = Counter(tiers[record.npc_id] for record in here if record.voiced is not None)
    decided = Counter(tiers[record.npc_id] for record in here if record.decided)
    tier_rows = [
        TierCoverage(tier, lines[tier] * len(TellState), voiced[tier], decided[tier]) for tier in Tier if lines[tier]
    ]
    return tier_rows, review_counts(here)
