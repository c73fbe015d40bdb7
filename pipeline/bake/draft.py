"""The draft cache: one merge over all zones that have been baked."""

from __future__ import annotations

from pipeline.bake.provenance import provenance_manifest
from pipeline.bake.sharing import collect
from pipeline.bake.workspace import Workspace
from pipeline.cache import CacheError, CacheSummary, VoiceCache, merge_draft, zone_parquet_state


def write_draft(workspace: Workspace) -> CacheSummary:
    """Merges `build/draft.duckdb` from the zones that have been baked; the earlier file survives any failure.

    With a shared folder, the zones that other machines baked are taken from it first.
    """
    collect(workspace)
    manifest = {"cache": "draft", **provenance_manifest(workspace)}
    return merge_draft(workspace.project, list(workspace.content.zones), manifest)


def draft_is_current(workspace: Workspace) -> bool:
    """True when the draft holds exactly what the zones' files hold now. A draft that cannot be read is not current."""
    collect(workspace)
    if not workspace.project.draft_cache.is_file():
        return False
    states = {zone: zone_parquet_state(workspace.project, zone) for zone in workspace.content.zones}
    wanted = {f"zone_state.{zone}": state for zone, state in states.items() if state is not None}
    try:
        with VoiceCache(workspace.project.draft_cache) as draft:
            manifest = draft.manifest
    except CacheError:
        # The merge that follows replaces it; nothing is lost that the zones' files do not hold.
        return False
    return {key: value for key, value in manifest.items() if key.startswith("zone_state.")} == wanted
