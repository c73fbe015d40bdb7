"""Taking the verdict logs into a zone's choices and queue, and into the draft. Loads no model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.bake.candidates import judge_line
from pipeline.bake.draft import write_draft
from pipeline.bake.finish import publish_zone
from pipeline.bake.judged_lines import JudgedLines
from pipeline.bake.kept import Kept, judge_kept, kept_choices
from pipeline.bake.plan import ZonePlan, plan_zone
from pipeline.bake.queueing import queue_zone
from pipeline.bake.status import ReviewCounts, ZoneStatus, review_counts, zone_status
from pipeline.bake.voice import LineResult, zone_names
from pipeline.bake.workspace import Workspace
from pipeline.cache import CacheSummary
from pipeline.prompting import LineJob
from pipeline.store import STORE_NAME, BakeStore, ZoneBusy, zone_lock


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What became of a zone's choices, queue and draft."""

    rebuilt: bool
    """False: another process bakes the zone; it takes the verdicts in when it ends."""
    lines_waiting: int = 0
    """Lines with a variant that waits for a person."""
    status: ZoneStatus | None = None
    counts: ReviewCounts | None = None
    draft: CacheSummary | None = None
    problems: tuple[str, ...] = ()
    """Lines of verdict logs that cannot be read."""
    conflicts: tuple[str, ...] = ()
    """Contradictory verdicts; none of them counts."""


def rebuild(workspace: Workspace, zone_id: str) -> Rebuilt:
    """Brings a zone's choices and queue, and the draft, up to date with the logs as they are.

    Raises `StoreMissing` for a zone that was never baked.
    """
    plan = plan_zone(workspace, zone_id)
    problems, conflicts = tuple(plan.ledger.problems), tuple(one.message for one in plan.ledger.conflicts)
    path = store_path(workspace, zone_id)
    BakeStore.read_only(path).close()  # the zone's own error where it was never baked
    try:
        with zone_lock(workspace.project, zone_id, wait=False), BakeStore(path) as store:
            results = judge_standing_zone(workspace, plan, store)
            records = publish_zone(workspace, plan, store, results)
            waiting = queue_zone(workspace, plan, results, records)
            status = zone_status(plan, store)
    except ZoneBusy:
        return Rebuilt(False, problems=problems, conflicts=conflicts)
    return Rebuilt(True, waiting, status, review_counts(records), write_draft(workspace), problems, conflicts)


def judge_standing_zone(workspace: Workspace, plan: ZonePlan, store: BakeStore) -> list[LineResult]:
    """Judges what is stored; a line that was never baked as it is asked for now keeps the text that it had.

    A line of which nothing changed is not judged again.
    """
    known = store.known({job.fingerprints[0] for job in plan.jobs})
    kept = kept_choices(store.choices())
    judged = JudgedLines(workspace, plan, zone_names(plan.zone), store)
    results = []
    for job in plan.jobs:
        result = judged.find(job)
        if result is None:
            result = judge_standing_line(workspace, plan, store, job, known, kept)
            judged.keep(result)
        results.append(result)
    judged.save()
    return results


def judge_standing_line(
    workspace: Workspace, plan: ZonePlan, store: BakeStore, job: LineJob, known: set[str], kept: Kept
) -> LineResult:
    """One line as `judge_standing_zone` judges all; `known` holds the fingerprints that have candidates.

    A variant whose choice needs what only a bake can give, such as a value that was never measured, keeps its text too.
    """
    if job.fingerprints[0] not in known:
        return judge_kept(workspace, plan, job, kept)
    result = judge_line(workspace, plan, store, job)
    if result.complete:
        return result
    before = judge_kept(workspace, plan, job, kept)
    standing = {state: before.choices[state] for state in result.missing if before.choices[state].chosen}
    return replace(result, choices={state: standing.get(state, choice) for state, choice in result.choices.items()})


def store_path(workspace: Workspace, zone_id: str) -> Path:
    """Where a zone's bake store stands."""
    return workspace.project.zone_build(zone_id) / STORE_NAME
