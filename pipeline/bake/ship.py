"""The release cache: what may ship, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from pipeline.bake.provenance import provenance_manifest
from pipeline.bake.release import Reason, Refusal, Release, ZoneRelease, plan_release, reviewers
from pipeline.bake.sharing import collect
from pipeline.bake.workspace import Workspace
from pipeline.cache import CacheSummary, merge_cache
from pipeline.errors import UserError
from pipeline.store import STORE_NAME, zone_lock


class ShipRefused(UserError):
    """Nothing was shipped. `refusals` are all the reasons."""

    exit_code = 5

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        lines = [f"{one.message}\n    {one.hint}" for one in refusals]
        super().__init__("\n".join(lines), "Nothing was shipped; the earlier voice cache is as it was.")
        self.refusals = tuple(refusals)
        if any(one.reason is Reason.canary for one in refusals):
            self.exit_code = 3


@dataclass(frozen=True, slots=True)
class Shipped:
    """What was shipped."""

    release: Release
    cache: CacheSummary


def ship(workspace: Workspace, *, allow_fallback: bool = False) -> Shipped:
    """Builds `build/voice_cache.duckdb` from all zones: of hubs what people approved or edited, of others what their
    policy allows. Loads no model. With a shared folder, the zones that other machines baked are taken from it first.

    The earlier cache is replaced as a whole and survives any failure. While it works no zone can be baked. Raises
    `ShipRefused` when a canary is missed, the leak audit fails, verdicts contradict each other or cannot be read, a
    zone is not baked or not for what is authored now, or, without `allow_fallback`, a variant waits for a person.
    """
    collect(workspace)
    with _zones_locked(workspace):
        release = plan_release(workspace, allow_fallback=allow_fallback)
        if release.refusals:
            raise ShipRefused(release.refusals)
        cache = merge_cache(
            workspace.project,
            [zone.zone for zone in release.zones],
            workspace.project.voice_cache,
            {"cache": "release", **provenance_manifest(workspace), **_review_manifest(release.zones)},
            withheld=[key for zone in release.zones for key in zone.withheld],
            decided_only=[zone.zone for zone in release.zones if zone.hub],
            states={zone.zone: zone.state for zone in release.zones},
        )
    return Shipped(release, cache)


@contextmanager
def _zones_locked(workspace: Workspace) -> Iterator[None]:
    """Holds the locks of all zones that were ever baked, so that no file changes between the check and the merge."""
    project = workspace.project
    with ExitStack() as locks:
        for zone_id in sorted(workspace.content.zones):
            if (project.zone_build(zone_id) / STORE_NAME).is_file():
                locks.enter_context(zone_lock(project, zone_id, wait=workspace.wait, report=workspace.notify))
        yield


def _review_manifest(zones: Iterable[ZoneRelease]) -> dict[str, str]:
    """Who read how much of what ships."""
    zones = tuple(zones)
    return {
        "review.approved": str(sum(zone.approved for zone in zones)),
        "review.edited": str(sum(zone.edited for zone in zones)),
        "review.unreviewed": str(sum(zone.unreviewed for zone in zones)),
        "review.withheld": str(sum(len(zone.withheld) for zone in zones)),
        "review.reviewers": json.dumps(reviewers(zones), ensure_ascii=False),
        **{f"policy.{zone.zone}": str(zone.policy) for zone in zones},
        **{f"withheld.{zone.zone}": str(len(zone.withheld)) for zone in zones},
    }
