"""A culture's adapter, trained from its voice bank. Outside the bake: it takes up to two hours."""

import dagster as dg

from assets.failures import user_errors_fail_the_step
from assets.partitions import cultures
from assets.resources import VoicebakeProject

_LOG_EVERY_S = 15.0


@dg.asset(
    partitions_def=cultures,
    group_name="training",
    kinds={"pytorch"},
    description="One LoRA adapter per culture, with the record of its training. Partition: the culture.",
)
def culture_adapter(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Trains, from the last checkpoint where there is one."""
    from pipeline.training.command import SpokenProgress, train_by_id

    with user_errors_fail_the_step():
        workspace = voicebake.workspace
        progress = SpokenProgress(context.log.info, _LOG_EVERY_S)
        trained = train_by_id(workspace.project, context.partition_key, workspace.settings, progress)
    record = trained.record
    return dg.MaterializeResult(
        metadata={
            "lines": record.lines,
            "held_out_lines": record.held_out_lines,
            "forms_left_out": record.left_out,
            "loss_before": record.loss_before["all"],
            "loss_after": record.loss_after["all"],
            "megabytes": round(trained.adapter.stat().st_size / 1e6, 2),
        },
        data_version=dg.DataVersion(record.adapter_sha256),
    )
