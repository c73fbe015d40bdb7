"""How far a zone is: counts over the lines that are voiced; anchors and tells are not counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.bake.plan import ZonePlan
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import TellState
from pipeline.review import base_hash, pending, zone_policy
from pipeline.store import STORE_NAME, BakeStore, ChoiceRecord


@dataclass(frozen=True, slots=True)
class ZoneStatus:
    """A zone in numbers; `voiced`, `fallback_neutral` and `fallback_base` add up to `variants`."""

    zone: str
    lines: int
    variants: int
    voiced: int
    """Variants with a text of their own."""
    fallback_neutral: int
    """Tell variants that the line's Neutral text answers for."""
    fallback_base: int
    """Variants that the base text answers for."""
    pending: int
    """Chosen variants that the zone's policy wants decided and that are not."""
    stale: int
    """Lines whose texts are missing or were made for something else than what is authored and asked for now."""


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """How far people are with a zone's variants."""

    approved: int
    """Variants whose text a person approved."""
    edited: int
    """Variants whose text a person wrote."""
    troubled: int
    """Variants on which an earlier decision does not count; each waits for a new one."""
    waiting_for_bake: int
    """Variants for which the next bake makes candidates."""


def project_status(workspace: Workspace, plans: list[ZonePlan]) -> list[ZoneStatus]:
    """The status of planned zones; a zone that was never baked falls back everywhere."""
    found = []
    for plan in plans:
        path = workspace.project.zone_build(plan.zone_id) / STORE_NAME
        if path.is_file():
            with BakeStore.read_only(path) as store:
                found.append(zone_status(plan, store))
        else:
            found.append(zone_status(plan, None))
    return found


def zone_status(plan: ZonePlan, store: BakeStore | None) -> ZoneStatus:
    """The status of one zone against its plan."""
    records = store.choices() if store else []
    current = _current(plan, records)
    texts = {key for key, record in current.items() if record.voiced is not None}
    variants = len(plan.jobs) * len(TellState)
    neutral = sum(
        (npc, line, TellState.Neutral) in texts and (npc, line, state) not in texts
        for npc, line in _line_ids(plan)
        for state in TellState
    )
    policy = zone_policy(plan.zone.zone)
    return ZoneStatus(
        zone=plan.zone_id,
        lines=len(plan.jobs),
        variants=variants,
        voiced=len(texts),
        fallback_neutral=neutral,
        fallback_base=variants - len(texts) - neutral,
        pending=sum(pending(policy, record) for record in current.values()),
        stale=_stale(plan, store, current),
    )


def review_counts(records: Sequence[ChoiceRecord]) -> ReviewCounts:
    """What the choices of a zone say of its review."""
    sources = Counter(record.source for record in records)
    return ReviewCounts(
        approved=sources["approved"],
        edited=sources["edited"],
        troubled=sum(record.trouble is not None for record in records),
        waiting_for_bake=sum(record.waits_for_bake for record in records),
    )


def _stale(plan: ZonePlan, store: BakeStore | None, current: Mapping[tuple[str, str, str], ChoiceRecord]) -> int:
    state = store.state() if store else None
    done = {(npc, line) for npc, line, _ in current}
    if state == plan.state:
        return 0
    if state == plan.unfinished_state:
        done -= {(one.npc_id, one.line_id) for one in current.values() if one.waits_for_bake}
    # With all lines done the state still differs: rules or the way of choosing changed, which concerns every line.
    return len(plan.jobs) - len(done) or len(plan.jobs)


def _line_ids(plan: ZonePlan) -> list[tuple[str, str]]:
    return [(job.line.npc.id, job.line.line_id) for job in plan.jobs]


def _current(plan: ZonePlan, records: list[ChoiceRecord]) -> dict[tuple[str, str, str], ChoiceRecord]:
    """The choices that were made for the lines as they are authored now."""
    wanted = {
        ((job.line.npc.id, job.line.line_id), fingerprint, base_hash(job.line.line.base_text))
        for job in plan.jobs
        for fingerprint in job.fingerprints
    }
    return {
        (record.npc_id, record.line_id, record.tell_state): record
        for record in records
        if ((record.npc_id, record.line_id), record.fingerprint, record.base_hash) in wanted
    }
