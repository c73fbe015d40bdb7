"""A zone's bake cut into steps that can run on their own; each takes the zone's lock and opens its store anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pipeline.bake.canaries import check_canaries
from pipeline.bake.candidates import Tally, generate_zone, judge_zone
from pipeline.bake.finish import publish_zone, variant_key, zone_findings
from pipeline.bake.plan import ZonePlan, plan_zone
from pipeline.bake.progress import BakeProgress
from pipeline.bake.queueing import queue_zone
from pipeline.bake.sharing import hand_over, take_over
from pipeline.bake.status import ZoneStatus, zone_status
from pipeline.bake.voice import LineResult
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import Severity
from pipeline.errors import UserError
from pipeline.prompting import VariantKey
from pipeline.store import STORE_NAME, BakeStore, ChoiceRecord, zone_lock
from pipeline.validation.finding import Finding


@dataclass(frozen=True, slots=True)
class JudgedText:
    """One candidate with what the rules say of it."""

    key: VariantKey
    text: str
    chosen: bool
    findings: tuple[Finding, ...]

    @property
    def blocked(self) -> bool:
        """True with a block finding."""
        return any(finding.severity is Severity.block for finding in self.findings)


@contextmanager
def locked_store(workspace: Workspace, zone_id: str, notify: BakeProgress | None = None) -> Iterator[BakeStore]:
    """A zone's bake store, open for writing under the zone's lock."""
    report = notify.message if notify else workspace.notify
    path = workspace.project.zone_build(zone_id) / STORE_NAME
    with zone_lock(workspace.project, zone_id, wait=workspace.wait, report=report), BakeStore(path) as store:
        yield store


def generate_missing(workspace: Workspace, plan: ZonePlan, progress: BakeProgress) -> Tally:
    """Runs the canaries and generates the candidates that a zone lacks. Raises `CanaryError` first."""
    check_canaries(workspace.rules)
    workspace.notify = progress.message
    with locked_store(workspace, plan.zone_id, progress) as store:
        take_over(workspace, plan.zone_id, store, plan.state)
        return generate_zone(workspace, plan, store, progress).tally


def judge_stored_zone(workspace: Workspace, plan: ZonePlan) -> list[LineResult]:
    """Judges what is stored and chooses. Raises `UserError` for lines whose candidates are missing or not measured."""
    with locked_store(workspace, plan.zone_id) as store:
        results = judge_zone(workspace, plan, store)
    missing = [result.job.line for result in results if not result.complete]
    if missing:
        first = missing[0]
        raise UserError(
            f"zone {plan.zone_id}: {len(missing)} lines lack candidates or what is measured of them, "
            f"{first.npc.id} {first.line_id} first.",
            "Run the candidates step first: materialize `candidates`, or run `voicebake bake`.",
        )
    return results


def judged_texts(workspace: Workspace, results: Sequence[LineResult]) -> list[JudgedText]:
    """Every judged candidate of a zone with its findings; zone-wide ones stand at the chosen texts."""
    zone_wide = zone_findings(workspace, results)
    found = []
    for result in results:
        for state, choice in result.choices.items():
            key = variant_key(result, state)
            if choice.chosen:
                findings = (*choice.chosen.findings, *zone_wide.get(key, ()))
                found.append(JudgedText(key, choice.chosen.candidate.voiced, True, findings))
            found += [JudgedText(key, other.candidate.voiced, False, other.findings) for other in choice.others]
    return found


def with_new_verdicts(
    workspace: Workspace, plan: ZonePlan, store: BakeStore, results: Sequence[LineResult]
) -> tuple[ZonePlan, list[LineResult]]:
    """Plan and results under the verdicts of now: people decide while a zone is baked, which may take hours."""
    fresh = plan_zone(workspace, plan.zone_id)
    if fresh.state == plan.state:
        return fresh, list(results)
    return fresh, judge_zone(workspace, fresh, store)


def publish_judged(
    workspace: Workspace, plan: ZonePlan, results: Sequence[LineResult]
) -> tuple[ZoneStatus, list[ChoiceRecord]]:
    """Writes a zone's choices and Parquet file."""
    with locked_store(workspace, plan.zone_id) as store:
        plan, results = with_new_verdicts(workspace, plan, store, results)
        records = publish_zone(workspace, plan, store, results)
        return zone_status(plan, store), records


def queue_published(workspace: Workspace, plan: ZonePlan, results: Sequence[LineResult]) -> tuple[int, ZoneStatus]:
    """Writes a zone's review queue from the choices that its store holds, and shares the zone, which is finished now.

    Gives the number of lines in the queue.
    """
    with locked_store(workspace, plan.zone_id) as store:
        plan, results = with_new_verdicts(workspace, plan, store, results)
        lines = queue_zone(workspace, plan, results, store.choices())
        hand_over(workspace, plan, store)
        return lines, zone_status(plan, store)
