"""Handing finished zones to other machines, and taking theirs, through the shared folder of the settings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from pipeline.bake.plan import ZonePlan
from pipeline.bake.shared_folder import SharedFolderError, SharedZone, is_shared, read_zone, write_zone
from pipeline.bake.status import zone_status
from pipeline.bake.workspace import Workspace
from pipeline.cache import zone_parquet_path, zone_parquet_state
from pipeline.errors import UserError
from pipeline.replacing import replacing
from pipeline.review import queue_path
from pipeline.store import STORE_NAME, BakeStore, StoreError, ZoneBusy, add_batches, write_snapshot, zone_lock

_PARQUET, _QUEUE = "voiced_lines.parquet", "queue.jsonl"
_SNAPSHOT = "bake.snapshot.sqlite"


def shared_folder(workspace: Workspace) -> Path | None:
    """The folder that this project shares its zones in; None where it shares none."""
    folder = workspace.settings.shared.folder
    return workspace.project.root / folder if folder else None


def hand_over(workspace: Workspace, plan: ZonePlan, store: BakeStore) -> None:
    """Shares a finished zone, unless it is shared as it is. Does nothing without a shared folder, or for half a zone.

    The caller holds the zone's lock. Raises `UserError` when the shared folder cannot be written.
    """
    folder = shared_folder(workspace)
    if folder is None or _local_state(workspace, plan.zone_id, store) != plan.state:
        return
    files = _local_files(workspace, plan.zone_id)
    if is_shared(folder, plan.zone_id, plan.state, files):
        return
    snapshot = store.path.with_name(_SNAPSHOT)
    snapshot.unlink(missing_ok=True)  # of a bake that was killed here
    try:
        write_snapshot(store.path, snapshot)
        facts = asdict(zone_status(plan, store)) | {"model": workspace.identity.model_name}
        version = write_zone(folder, plan.zone_id, plan.state, {STORE_NAME: snapshot, **files}, facts)
        store.note_shared_version(version.name)
    finally:
        snapshot.unlink(missing_ok=True)


def take_over(workspace: Workspace, zone_id: str, store: BakeStore, wanted: str | None = None) -> None:
    """Takes what another machine shared of a zone since this one looked last: its candidates, and its choices.

    With `wanted`, the zone state that is asked for, choices of another state are left alone. What this machine has made
    of a version since it took it, such as a review, stays until a newer one is shared. A shared zone that is damaged or
    of another version of voicebake is told of and left: the zone is then baked here.
    """
    folder = shared_folder(workspace)
    if folder is None:
        return
    try:
        shared = read_zone(folder, zone_id)
        if shared is None or store.shared_version() == shared.folder.name:
            return
        add_batches(store.path, shared.folder / STORE_NAME)
        if wanted in (None, shared.state) and _local_state(workspace, zone_id, store) != shared.state:
            _take_choices(workspace, zone_id, store, shared)
        if wanted in (None, shared.state):
            store.note_shared_version(shared.folder.name)
    except (SharedFolderError, StoreError) as error:
        workspace.notify(error.message)


def collect(workspace: Workspace) -> None:
    """Takes over every zone that other machines shared. A zone that is being baked here is left to that bake."""
    if shared_folder(workspace) is None:
        return
    for zone_id in workspace.content.zones:
        path = workspace.project.zone_build(zone_id) / STORE_NAME
        try:
            with zone_lock(workspace.project, zone_id, wait=False), BakeStore(path) as store:
                take_over(workspace, zone_id, store)
        except ZoneBusy as busy:
            workspace.notify(busy.message)


def _take_choices(workspace: Workspace, zone_id: str, store: BakeStore, shared: SharedZone) -> None:
    """The zone's files first, its choices with the state last, as a bake writes them."""
    with BakeStore.frozen(shared.folder / STORE_NAME) as other:
        choices, state = other.choices(), other.state()
    if state != shared.state:
        raise SharedFolderError(f"{shared.folder}: its bake store is of another state.", "Bake the zone again.")
    for name, target in _local_files(workspace, zone_id).items():
        with replacing(target) as fresh:
            fresh.write_bytes((shared.folder / name).read_bytes())
    store.replace_choices(shared.state, choices)


def _local_files(workspace: Workspace, zone_id: str) -> dict[str, Path]:
    project = workspace.project
    return {_PARQUET: zone_parquet_path(project, zone_id), _QUEUE: queue_path(project, zone_id)}


def _local_state(workspace: Workspace, zone_id: str, store: BakeStore) -> str | None:
    """The state that this machine's files are complete for."""
    try:
        state = zone_parquet_state(workspace.project, zone_id)
    except UserError:
        return None  # damaged; what is shared takes its place
    complete = queue_path(workspace.project, zone_id).is_file() and store.state() == state
    return state if complete else None
