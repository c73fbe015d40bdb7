"""What the report shows, collected from the bake stores. Plans nothing and loads no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.bake import Workspace
from pipeline.content.models import ZoneContent
from pipeline.content.terms import TellState
from pipeline.report.lines import LineOutcome, line_outcomes
from pipeline.review import pending, zone_policy
from pipeline.store import STORE_NAME, BakeStore, ChoiceRecord, RunRecord, StoreCost


@dataclass(frozen=True, slots=True)
class ZoneFacts:
    """One baked zone, as its store tells."""

    zone: ZoneContent
    state: str
    """The digest of what its texts were chosen for."""
    records: tuple[ChoiceRecord, ...]
    """One per variant, the empty ones too."""
    outcomes: tuple[LineOutcome, ...]
    last_run: RunRecord | None
    """The last bake by `voicebake bake`; None where Dagster baked the zone."""
    cost: StoreCost
    """What the candidates took that its texts were chosen from."""
    pending: int

    @property
    def id(self) -> str:
        return self.zone.zone.id

    @property
    def voiced(self) -> int:
        """Variants with a text of their own."""
        return sum(line.voiced for line in self.outcomes)

    @property
    def fallback_neutral(self) -> int:
        """Variants that the Neutral text answers for."""
        return sum(line.fallback_neutral for line in self.outcomes)

    @property
    def fallback_base(self) -> int:
        """Variants that the base text answers for."""
        return sum(line.fallback_base for line in self.outcomes)


@dataclass(frozen=True, slots=True)
class Facts:
    """All zones of a project."""

    zones: tuple[ZoneFacts, ...]
    not_baked: tuple[str, ...]
    """Zones without texts; the game shows base text there."""
    model: str
    fake: bool
    """True: the texts come from the tests' engine."""


def collect_facts(workspace: Workspace) -> Facts:
    """What the stores of all zones hold. Raises `StoreError` for a damaged one."""
    zones, not_baked = [], []
    for zone_id, zone in workspace.content.zones.items():
        path = workspace.project.zone_build(zone_id) / STORE_NAME
        facts = None
        if path.is_file():
            with BakeStore.read_only(path) as store:
                facts = _zone_facts(zone, store)
        if facts is None:
            not_baked.append(zone_id)
        else:
            zones.append(facts)
    identity = workspace.identity
    return Facts(tuple(zones), tuple(not_baked), identity.model_name, identity.engine.startswith("fake"))


def by_line(records: Sequence[ChoiceRecord]) -> dict[tuple[str, str], dict[TellState, ChoiceRecord]]:
    """The variants of each line, in the order of the records."""
    lines: dict[tuple[str, str], dict[TellState, ChoiceRecord]] = {}
    for record in records:
        lines.setdefault((record.npc_id, record.line_id), {})[TellState(record.tell_state)] = record
    return lines


def base_texts(zone: ZoneContent) -> Mapping[tuple[str, str], str]:
    """What is authored, by NPC and line."""
    return {(ref.npc.id, ref.line_id): ref.line.base_text for ref in zone.lines}


def _zone_facts(zone: ZoneContent, store: BakeStore) -> ZoneFacts | None:
    state, records, runs = store.state(), store.choices(), store.runs()
    if state is None:
        return None
    policy = zone_policy(zone.zone)
    return ZoneFacts(
        zone,
        state,
        tuple(records),
        tuple(line_outcomes(records)),
        runs[-1] if runs else None,
        store.cost({record.fingerprint for record in records}),
        sum(pending(policy, record) for record in records),
    )
