"""Pre-voicing: zones that a player may enter next, baked in the background while others work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from pipeline.bake.candidates import Tally
from pipeline.bake.plan import ZonePlan, plan_zone
from pipeline.bake.progress import BakeProgress
from pipeline.bake.run import BakeSummary, ZoneSummary, bake_zone, concluded
from pipeline.bake.workspace import Workspace
from pipeline.content.models import ZoneContent
from pipeline.content.terms import Tier
from pipeline.store import ZoneBusy

_NICENESS = 10


@dataclass(frozen=True, slots=True)
class Stop:
    """One zone on the way."""

    zone_id: str
    distance: int | None
    """Steps from where the player is; None: no way leads there."""


def prevoicing_order(zones: Mapping[str, ZoneContent], start: str) -> list[Stop]:
    """The zones that are no hubs, nearest to `start` first, then by id; those that no way leads to come last.

    A way may lead through hubs, and from either side of an adjacency: a zone need not name the one that names it.
    """
    neighbours: dict[str, set[str]] = {zone_id: set() for zone_id in zones}
    for zone_id, content in zones.items():
        for other in content.zone.adjacent_zones:
            neighbours[zone_id].add(other)
            neighbours[other].add(zone_id)
    distances = {start: 0}
    reached = [start]
    for zone_id in reached:  # grows while it is walked: breadth first
        for other in sorted(neighbours[zone_id] - distances.keys()):
            distances[other] = distances[zone_id] + 1
            reached.append(other)
    stops = [Stop(zone_id, distances.get(zone_id)) for zone_id, content in zones.items() if not content.zone.hub]
    return sorted(stops, key=lambda stop: (stop.distance is None, stop.distance or 0, stop.zone_id))


def bake_background(
    workspace: Workspace,
    start: str,
    progress: BakeProgress,
    should_stop: Callable[[], bool] = lambda: False,
    *,
    production: bool = False,
) -> BakeSummary:
    """Bakes the zones around `start` in the order of `prevoicing_order` until `should_stop` says so.

    Among zones that are equally near, PlotCritical people of all come before SemiUnique of any, and those before
    Ambient. A zone that another process bakes is left to it. Unlike `bake`, zones that were finished are merged into
    the draft when the time is up. Raises as `bake`.
    """
    workspace.wait = False
    stops = prevoicing_order(workspace.content.zones, workspace.check_zone(start))
    ways = [(stop.distance, _Zone(plan_zone(workspace, stop.zone_id))) for stop in stops]
    done: list[ZoneSummary] = []
    for _, ring in groupby(ways, key=lambda way: way[0]):
        for zone, tier in _turns([zone for _, zone in ring]):
            try:
                summary = zone.bake(workspace, tier, progress, should_stop)
            except ZoneBusy as busy:
                zone.left_alone = True
                progress.message(f"{busy.message} Left to it.")
                continue
            if summary.stopped:
                zones = (*done, summary)
                finished = any(not one.unchanged for one in done)
                return concluded(workspace, zones, production=production) if finished else BakeSummary(zones, None)
            if zone.ends_with(tier):
                done.append(summary)
    return concluded(workspace, done, production=production)


@dataclass(slots=True)
class _Zone:
    """A zone on the way, baked in turns."""

    plan: ZonePlan
    tally: Tally = field(default_factory=Tally)
    left_alone: bool = False

    def ends_with(self, tier: Tier) -> bool:
        """True when nobody of the zone belongs to a later tier."""
        return all(job.line.npc.tier.rank <= tier.rank for job in self.plan.jobs)

    def bake(
        self, workspace: Workspace, tier: Tier, progress: BakeProgress, should_stop: Callable[[], bool]
    ) -> ZoneSummary:
        """Generates up to `tier`; the last turn finishes the zone. Gives what all turns did."""
        upto = None if self.ends_with(tier) else tier
        summary = bake_zone(workspace, self.plan, progress, should_stop, upto=upto)
        self.tally = self.tally.plus(summary.tally)
        unchanged = summary.unchanged and not self.tally.batches
        return replace(summary, tally=self.tally, unchanged=unchanged)


def _turns(ring: Sequence[_Zone]) -> Iterator[tuple[_Zone, Tier]]:
    """Whose turn it is among equally near zones, and up to which tier; each zone until it has had its last tier."""
    if len(ring) == 1:  # a zone's lines stand in order of tier anyway
        yield ring[0], Tier.Ambient
        return
    open_zones = list(ring)
    for tier in Tier:
        for zone in list(open_zones):
            if not zone.left_alone:
                yield zone, tier
            if zone.left_alone or zone.ends_with(tier):
                open_zones.remove(zone)


def lower_priority() -> None:
    """Lets every other program go first, for the rest of this process's life. Does nothing on Windows."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
