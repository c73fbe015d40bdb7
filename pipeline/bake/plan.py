"""What a zone's bake will do, known before a model is loaded: jobs, leak audit and the zone's state."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from pipeline.bake.verdicts import LineKey, Standings, line_attempts, standings_digest, zone_standings
from pipeline.bake.workspace import Workspace
from pipeline.content.models import Content, ZoneContent
from pipeline.generation import EngineIdentity
from pipeline.prompting import LeakReport, LineJob, audit, zone_jobs
from pipeline.review import Ledger
from pipeline.validation.digest import rules_digest

_DESCRIPTIVE = {"model_name", "model_license", "override", "profile"}
_CHOOSING = ("selection", "bake/voice.py", "prompting/masking.py")


@dataclass(frozen=True, slots=True)
class ZonePlan:
    """A zone ready to bake."""

    zone_id: str
    zone: ZoneContent
    jobs: tuple[LineJob, ...]
    """One per line that is voiced, PlotCritical first."""
    leaks: LeakReport
    """Anchor coincidences to report; fatal leaks never get this far."""
    ledger: Ledger
    """All verdicts, as they were when the zone was planned."""
    standings: Standings
    """What they mean for the zone's variants."""
    state: str
    """sha256 over all that decides the zone's choices: equal state, equal texts."""
    seconds: float = field(default=0.0, compare=False)
    """What rendering and auditing took."""

    @property
    def unfinished_state(self) -> str:
        """The state of a zone that lacks candidates, so that the next bake goes on."""
        return hashlib.sha256(f"{self.state} unfinished".encode()).hexdigest()


def plan_zone(workspace: Workspace, zone_id: str) -> ZonePlan:
    """Renders all prompts of a zone and audits them.

    Raises `LeakError` when a tell or an anchor occurs in a prompt, `UserError` for a block over its budget.
    """
    began = time.perf_counter()
    zone = workspace.content.zones[workspace.check_zone(zone_id)]
    ledger = workspace.ledger()
    standings = zone_standings(workspace.content, ledger, zone.lines)
    jobs = line_jobs(workspace, workspace.content, zone_id, line_attempts(standings))
    leaks = audit(workspace.content, jobs)
    leaks.raise_if_fatal()
    state = _state(workspace, zone, jobs, standings)
    return ZonePlan(zone_id, zone, jobs, leaks, ledger, standings, state, time.perf_counter() - began)


def line_jobs(
    workspace: Workspace, content: Content, zone_id: str, attempts: Mapping[LineKey, int] | None = None
) -> tuple[LineJob, ...]:
    """The jobs of a zone of `content`, which may differ from the workspace's own. Raises as `zone_jobs`.

    `attempts` tells how often other candidates of a line were asked for.
    """
    return zone_jobs(
        content,
        zone_id,
        workspace.profile,
        _decisive(workspace.identity),
        workspace.engine.count_tokens,
        attempts=attempts or {},
        adapter_sha=workspace.adapter_hashes,
        adapted=workspace.adapted_profiles,
        place=workspace.place,
    )


def _decisive(identity: EngineIdentity) -> dict[str, object]:
    """What of the identity decides texts; names and terms do not: a renamed model file keeps its candidates."""
    return {key: value for key, value in asdict(identity).items() if key not in _DESCRIPTIVE}


def _state(workspace: Workspace, zone: ZoneContent, jobs: Sequence[LineJob], standings: Standings) -> str:
    parts = {
        "zone": zone.zone.model_dump(mode="json"),
        "npcs": [npc.model_dump(mode="json") for npc in zone.npcs],
        "fingerprints": [job.fingerprint for job in jobs],
        "rules": rules_digest(workspace.content, {ref.culture.id for ref in zone.lines}),
        "verdicts": standings_digest(standings),
        "choosing": choosing_digest(),
        "rounds": workspace.settings.sampling.rounds,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@cache
def choosing_digest() -> str:
    """Hash of the code that scores and chooses: a change there may choose otherwise from the same candidates."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for place in _CHOOSING:
        path = root / place
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()
