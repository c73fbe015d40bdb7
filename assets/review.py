"""What people have to decide."""

import dagster as dg

from assets.bake import voiced_lines
from assets.failures import user_errors_fail_the_step
from assets.partitions import zones
from assets.resources import VoicebakeProject


@dg.asset(
    partitions_def=zones,
    group_name="review",
    kinds={"json"},
    deps=[voiced_lines],
    description="One row per line that waits for a person, with all its variants: `review_queue/<zone>.queue.jsonl`.",
)
def review_queue(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Writes the zone's queue."""
    from pipeline.bake import queue_published
    from pipeline.review import queue_path

    zone_id = context.partition_key
    with user_errors_fail_the_step():
        workspace, plan = voicebake.workspace, voicebake.plan(zone_id)
        lines, status = queue_published(workspace, plan, voicebake.judged(zone_id))
        path = queue_path(workspace.project, zone_id)
    return dg.MaterializeResult(
        metadata={
            "lines_waiting": lines,
            "variants_waiting": status.pending,
            "queue": dg.MetadataValue.text(workspace.project.shown(path)),
        },
        data_version=dg.DataVersion(plan.state),
    )
