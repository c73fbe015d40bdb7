"""Files that people edit by hand, or that a bake outside Dagster wrote, reach the review queue by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from assets.partitions import project_root
from assets.review import FILES, review_queue
from pipeline.project import Project
from pipeline.review import files_digest, queue_path

_EVERY_S = 15
_RUNNING = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED]


@dg.sensor(
    job_name="review",
    minimum_interval_seconds=_EVERY_S,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Requests `review` for a zone whose RON, verdict log or queue is not what its cards were made from: "
    "files edited by hand, merged by git, or written by `voicebake` in a terminal.",
)
def edited_files(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Asks for a zone once its files stay the same from one look to the next; the cursor holds what was seen."""
    project = Project.find(Path(project_root()))
    before: dict[str, str] = json.loads(context.cursor or "{}")
    now = {zone_id: files_digest(project, zone_id) for zone_id in _baked(project)}
    settled = [zone_id for zone_id, digest in now.items() if before.get(zone_id) == digest]
    return dg.SensorResult(
        run_requests=list(_requests(context.instance, {zone_id: now[zone_id] for zone_id in settled})),
        cursor=json.dumps(now, sort_keys=True),
    )


def _baked(project: Project) -> list[str]:
    """Zones that were baked: without candidates there is nothing to decide on."""
    return [
        zone_id
        for zone_id in project.zone_ids()
        if queue_path(project, zone_id).is_file() and project.zone_build(zone_id).is_dir()
    ]


def _requests(instance: dg.DagsterInstance, digests: dict[str, str]) -> Iterator[dg.RunRequest]:
    for zone_id, digest in digests.items():
        if _shown(instance, zone_id) != digest and not _busy(instance, zone_id):
            yield dg.RunRequest(run_key=f"{zone_id}:{digest}", partition_key=zone_id)


def _shown(instance: dg.DagsterInstance, zone_id: str) -> str | None:
    """The digest of the files that a zone's cards were made from; None: it has none yet."""
    records = instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=review_queue.key, asset_partitions=[zone_id]), limit=1
    ).records
    made = records[0].asset_materialization if records else None
    value = made.metadata.get(FILES) if made else None
    return value.value if isinstance(value, dg.TextMetadataValue) else None


def _busy(instance: dg.DagsterInstance, zone_id: str) -> bool:
    """True while a run works on the zone: it will say itself what it made."""
    running = dg.RunsFilter(statuses=_RUNNING, tags={"dagster/partition": zone_id})
    return instance.get_runs_count(running) > 0
