"""How long a bake will take: from what earlier bakes on this machine took, else from measured rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.bake.plan import ZonePlan
from pipeline.bake.workspace import Workspace
from pipeline.prompting import LineJob
from pipeline.store import STORE_NAME, BakeStore

_ENDING = 2
"""Tokens at the end of a candidate that are no text: the line end, and one that is thrown away."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What a machine does with a model, in tokens per second."""

    prompt: float
    decode: float
    """Side by side, at full width."""


@dataclass(frozen=True, slots=True)
class ZoneEstimate:
    """What a zone still takes."""

    zone: str
    lines: int
    to_generate: int
    """Lines without stored candidates."""
    line_seconds: float
    seconds: float
    """For `to_generate`."""
    from_bakes: bool
    """True: from what lines took in earlier bakes; False: from measured rates, with candidates that share no step."""


def estimate_zones(workspace: Workspace, plans: Sequence[ZonePlan], rates: Rates) -> list[ZoneEstimate]:
    """What planned zones still take. Loads no model and generates nothing."""
    known: dict[str, set[str]] = {}
    batches, seconds = 0, 0.0
    for plan in plans:
        path = workspace.project.zone_build(plan.zone_id) / STORE_NAME
        if path.is_file():
            fingerprints = {fingerprint for job in plan.jobs for fingerprint in job.fingerprints}
            with BakeStore.read_only(path) as store:
                known[plan.zone_id] = store.known(fingerprints)
                cost = store.cost(fingerprints)  # other fingerprints may be of another model
            batches, seconds = batches + cost.batches, seconds + cost.seconds
    return [_estimate(workspace, plan, rates, known.get(plan.zone_id, set()), batches, seconds) for plan in plans]


def _estimate(
    workspace: Workspace, plan: ZonePlan, rates: Rates, known: set[str], batches: int, seconds: float
) -> ZoneEstimate:
    missing = [job for job in plan.jobs if not known.issuperset(job.fingerprints)]
    candidates = workspace.settings.sampling.candidates
    line = seconds / batches if batches else _mean(line_seconds(job, candidates, rates) for job in plan.jobs)
    return ZoneEstimate(plan.zone_id, len(plan.jobs), len(missing), line, line * len(missing), batches > 0)


def line_seconds(job: LineJob, candidates: int, rates: Rates) -> float:
    """What a line takes by its tokens: the prompts behind what all of its variants share, and its candidates.

    Candidates are taken to be as long as the base text, and to share no step: those that begin alike take less.
    """
    texts = [[segment.text for segment in one.segments] for one in job.jobs]
    shared = 0
    while all(len(text) > shared + 1 and text[shared] == texts[0][shared] for text in texts):
        shared += 1
    prompts = sum(segment.tokens for one in job.jobs for segment in one.segments[shared:])
    base = max(1, (job.max_tokens - 16) // 2)  # the inverse of `token_budget`
    return prompts / rates.prompt + len(job.jobs) * candidates * (base + _ENDING) / rates.decode


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
