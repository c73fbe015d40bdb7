"""`voicebake bake`: zones through all stages, without Dagster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from pipeline.bake.canaries import check_canaries
from pipeline.bake.candidates import Tally, generate_zone
from pipeline.bake.draft import draft_is_current, write_draft
from pipeline.bake.finish import publish_zone
from pipeline.bake.plan import ZonePlan, plan_zone
from pipeline.bake.progress import BakeProgress
from pipeline.bake.quality_sample import QualitySample, write_quality_sample
from pipeline.bake.queueing import queue_zone
from pipeline.bake.sharing import hand_over, take_over
from pipeline.bake.stages import StageTimes
from pipeline.bake.status import ZoneStatus, zone_status
from pipeline.bake.steps import locked_store, with_new_verdicts
from pipeline.bake.workspace import Workspace
from pipeline.cache import CacheSummary, zone_parquet_state
from pipeline.content.terms import Tier
from pipeline.prompting import LineJob
from pipeline.review import queue_path
from pipeline.store import BakeStore


@dataclass(frozen=True, slots=True)
class ZoneSummary:
    """What a bake did to one zone."""

    status: ZoneStatus
    tally: Tally
    unchanged: bool
    """True: nothing was to be done."""
    stopped: bool
    """True: lines are left; the next bake goes on from here, and the earlier texts stand until then."""
    left: int = 0
    """Lines that were not reached."""


@dataclass(frozen=True, slots=True)
class BakeSummary:
    """What a bake did."""

    zones: tuple[ZoneSummary, ...]
    draft: CacheSummary | None
    """None: the draft was current already, or the bake was stopped before it."""
    sample: QualitySample | None = None
    """None: the bake was stopped before it."""

    @property
    def stopped(self) -> bool:
        """True when any zone is unfinished."""
        return any(zone.stopped for zone in self.zones)


def bake(
    workspace: Workspace,
    zone_ids: Sequence[str],
    progress: BakeProgress,
    should_stop: Callable[[], bool] = lambda: False,
    *,
    production: bool = False,
) -> BakeSummary:
    """Bakes zones one after the other, merges the draft cache of all baked zones and writes the quality sample.

    All zones are planned first, so that a leak or an over-long block anywhere stops the bake before anything is
    generated. `production` makes the sample smaller. Raises `UserError` for everything a user can mend; the earlier
    draft survives.
    """
    plans = [plan_zone(workspace, zone_id) for zone_id in zone_ids]
    for doubt in plans[0].ledger.doubts if plans else ():
        progress.message(doubt)
    zones: list[ZoneSummary] = []
    for plan in plans:
        zones.append(bake_zone(workspace, plan, progress, should_stop))
        if zones[-1].stopped:
            return BakeSummary(tuple(zones), None)
    return concluded(workspace, zones, production=production)


def concluded(workspace: Workspace, zones: Sequence[ZoneSummary], *, production: bool) -> BakeSummary:
    """Writes what is made over all baked zones, the draft cache and the quality sample, and sums up."""
    draft = None if draft_is_current(workspace) else write_draft(workspace)
    return BakeSummary(tuple(zones), draft, write_quality_sample(workspace, production=production))


def bake_zone(
    workspace: Workspace,
    plan: ZonePlan,
    progress: BakeProgress,
    should_stop: Callable[[], bool] = lambda: False,
    *,
    upto: Tier | None = None,
) -> ZoneSummary:
    """Bakes one planned zone under its lock: candidates, choices, Parquet, queue. A finished zone is left alone.

    With `upto` only candidates are generated, of people of that tier and those before it.
    """
    with locked_store(workspace, plan.zone_id, progress) as store:
        if not is_finished(workspace, plan, store):
            take_over(workspace, plan.zone_id, store, plan.state)
        if is_finished(workspace, plan, store):
            hand_over(workspace, plan, store)
            return ZoneSummary(zone_status(plan, store), Tally(), True, False)
        started, times = _now(), StageTimes(prompts=plan.seconds)
        with times.stage("canaries"):
            check_canaries(workspace.rules)
        wanted = plan if upto is None else replace(plan, jobs=tuple(_jobs_upto(plan, upto)))
        with times.stage("rules and choice"):
            generation = generate_zone(workspace, wanted, store, progress, should_stop)
        times.split("rules and choice", "model", generation.tally.seconds)
        if upto is None and not generation.stopped:
            plan, results = with_new_verdicts(workspace, plan, store, generation.results)
            with times.stage("texts"):
                records = publish_zone(workspace, plan, store, results)
            with times.stage("queue"):
                queue_zone(workspace, plan, results, records)
            with times.stage("sharing"):
                hand_over(workspace, plan, store)
        left = len(plan.jobs) - len(generation.results)
        summary = ZoneSummary(zone_status(plan, store), generation.tally, False, generation.stopped, left)
        store.add_run(
            started, _now(), asdict(summary.tally) | {"stopped": generation.stopped, "stages": times.rounded()}
        )
        return summary


def _jobs_upto(plan: ZonePlan, tier: Tier) -> Iterator[LineJob]:
    return (job for job in plan.jobs if job.line.npc.tier.rank <= tier.rank)


def is_finished(workspace: Workspace, plan: ZonePlan, store: BakeStore) -> bool:
    """True when the zone's choices, Parquet file and queue were made for the very state that the plan asks for."""
    return (
        store.state() == plan.state
        and zone_parquet_state(workspace.project, plan.zone_id) == plan.state
        and queue_path(workspace.project, plan.zone_id).is_file()
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
