"""Hashes of a stage's result, so that Dagster sees which zones an edit made stale."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from pydantic import BaseModel

from pipeline.bake.plan import ZonePlan
from pipeline.bake.workspace import Workspace
from pipeline.content.models import ZoneContent


def models_digest(models: Iterable[BaseModel]) -> str:
    """sha256 over authored structs in the order given."""
    return _sha256([model.model_dump(mode="json") for model in models])


def zone_digest(zone: ZoneContent) -> str:
    """sha256 over a zone and its NPCs."""
    return models_digest([zone.zone, *zone.npcs])


def fingerprints_digest(plan: ZonePlan) -> str:
    """sha256 over the fingerprints of a zone's lines, in order."""
    return _sha256([job.fingerprint for job in plan.jobs])


def findings_digest(workspace: Workspace, plan: ZonePlan) -> str:
    """sha256 over what decides a zone's findings: its fingerprints and the rules."""
    return _sha256([fingerprints_digest(plan), workspace.rules_digest])


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
