"""What may ship: each zone's variants sorted by what its policy allows, and every reason to refuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pipeline.bake.canaries import CanaryError, check_canaries
from pipeline.bake.plan import ZonePlan, plan_zone
from pipeline.bake.workspace import Workspace
from pipeline.cache import zone_parquet_state
from pipeline.content.terms import ReviewPolicy, TellState
from pipeline.prompting import BudgetError, LeakError, VariantKey
from pipeline.review import Ledger, pending, zone_policy
from pipeline.store import STORE_NAME, BakeStore, ChoiceRecord

_NAMED = 3


class Reason(StrEnum):
    """Why a release is refused."""

    canary = "canary"
    leak = "leak"
    budget = "budget"
    verdicts = "verdicts"
    not_baked = "not_baked"
    stale = "stale"
    pending = "pending"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that has to be mended before anything ships."""

    reason: Reason
    zone: str | None
    """None: it concerns all zones."""
    message: str
    """What is wrong, and where."""
    hint: str
    """What to do."""


@dataclass(frozen=True, slots=True)
class ZoneRelease:
    """What of a zone ships, in variants; anchors and tells always do."""

    zone: str
    hub: bool
    policy: ReviewPolicy
    state: str
    """The zone state digest that the choices were made for."""
    variants: int
    approved: int
    """Ship with a text that a person approved."""
    edited: int
    """Ship with a text that a person wrote."""
    unreviewed: int
    """Ship with a text that nobody read, as the policy allows."""
    withheld: tuple[VariantKey, ...]
    """Have a text that the policy wants decided and that is not; they fall back."""
    reviewers: Mapping[str, int]
    """Shipped variants by who decided on them."""

    @property
    def shipped(self) -> int:
        """Variants that ship with a text of their own."""
        return self.approved + self.edited + self.unreviewed


@dataclass(frozen=True, slots=True)
class Release:
    """What would ship now. It may ship when there is no refusal."""

    zones: tuple[ZoneRelease, ...]
    """Zones that are baked for what is authored now."""
    refusals: tuple[Refusal, ...]


def plan_release(workspace: Workspace, *, allow_fallback: bool = False) -> Release:
    """Looks at all zones of the project and writes nothing. Loads no model.

    With `allow_fallback` pending variants are no refusal: they are withheld. Raises `UserError` for what keeps it from
    looking, such as a bake store that cannot be read.
    """
    refusals = [*_canaries(workspace), *_verdicts(workspace.ledger())]
    zones: list[ZoneRelease] = []
    for zone_id in workspace.content.zones:
        try:
            plan = plan_zone(workspace, zone_id)
        except (LeakError, BudgetError) as error:
            reason = Reason.leak if isinstance(error, LeakError) else Reason.budget
            hint = error.hint or "Mend the content, then run: voicebake bake"
            refusals.append(Refusal(reason, zone_id, f"zone {zone_id}: {error.message}", hint))
            continue
        unbaked = _unbaked(workspace, plan)
        if unbaked:
            refusals.append(unbaked)
            continue
        with BakeStore.read_only(workspace.project.zone_build(zone_id) / STORE_NAME) as store:
            release, waiting = _zone_release(plan, store.choices())
        zones.append(release)
        if waiting and not allow_fallback:
            refusals.append(_pending(release, waiting))
    return Release(tuple(zones), tuple(refusals))


def _canaries(workspace: Workspace) -> Iterator[Refusal]:
    try:
        check_canaries(workspace.rules)
    except CanaryError as error:
        yield Refusal(Reason.canary, None, error.message, "Mend the rule or word list, then run: voicebake bake")


def _verdicts(ledger: Ledger) -> Iterator[Refusal]:
    """Lines of a log that cannot be read may be rejections; verdicts that contradict each other count for nothing."""
    for problem in ledger.problems:
        yield Refusal(Reason.verdicts, None, problem, "Mend the line, or take it out: git shows who wrote it.")
    for conflict in ledger.conflicts:
        yield Refusal(Reason.verdicts, None, conflict.message, "Decide in the review; a later verdict settles it.")


def _unbaked(workspace: Workspace, plan: ZonePlan) -> Refusal | None:
    """Why a zone's choices are not those of what is authored and decided now; None where they are."""
    project, zone = workspace.project, plan.zone_id
    path = project.zone_build(zone) / STORE_NAME
    parquet = zone_parquet_state(project, zone)
    if not path.is_file() or parquet is None:
        return Refusal(Reason.not_baked, zone, f"zone {zone}: it has not been baked.", f"Run: voicebake bake {zone}")
    with BakeStore.read_only(path) as store:
        state = store.state()
    if state == parquet == plan.state:
        return None
    what = (
        "other candidates were asked for and are not made yet"
        if state == parquet == plan.unfinished_state
        else "its texts were chosen for other content, rules, model or verdicts than there are now"
    )
    hint = f"Run: voicebake bake {zone} (only what changed is generated)"
    return Refusal(Reason.stale, zone, f"zone {zone}: {what}.", hint)


def _zone_release(plan: ZonePlan, records: Sequence[ChoiceRecord]) -> tuple[ZoneRelease, list[ChoiceRecord]]:
    """What of a zone ships, and the variants that wait for a person."""
    zone = plan.zone.zone
    policy = zone_policy(zone)
    waiting = [record for record in records if pending(policy, record)]
    kept = [record for record in records if record.voiced is not None and not pending(policy, record)]
    sources = Counter(record.source for record in kept)
    release = ZoneRelease(
        zone=plan.zone_id,
        hub=zone.hub,
        policy=policy,
        state=plan.state,
        variants=len(plan.jobs) * len(TellState),
        approved=sources["approved"],
        edited=sources["edited"],
        unreviewed=len(kept) - sources["approved"] - sources["edited"],
        withheld=tuple(_key(record) for record in waiting if record.voiced is not None),
        reviewers=Counter(record.reviewer for record in kept if record.reviewer and record.decided),
    )
    return release, waiting


def _pending(release: ZoneRelease, waiting: Sequence[ChoiceRecord]) -> Refusal:
    named = ", ".join(f"{one.npc_id} {one.line_id} ({one.tell_state})" for one in waiting[:_NAMED])
    more = f" and {len(waiting) - _NAMED} more" if len(waiting) > _NAMED else ""
    return Refusal(
        Reason.pending,
        release.zone,
        f"zone {release.zone} (policy {release.policy}): {len(waiting)} variants wait for a person: {named}{more}.",
        f"Review them: voicebake review {release.zone}. Or ship them as fallback: voicebake ship --allow-fallback",
    )


def _key(record: ChoiceRecord) -> VariantKey:
    return VariantKey(record.npc_id, record.line_id, TellState(record.tell_state), record.culture_id)


def reviewers(zones: Iterable[ZoneRelease]) -> dict[str, int]:
    """Shipped variants by reviewer over several zones, sorted by name."""
    total: Counter[str] = Counter()
    for zone in zones:
        total.update(zone.reviewers)
    return dict(sorted(total.items()))
