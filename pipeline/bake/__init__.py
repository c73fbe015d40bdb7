"""A zone's walk through all rooms. The command line and Dagster call these and hold no logic of their own."""

from pipeline.bake.canaries import CanaryError, check_canaries
from pipeline.bake.candidates import Generation, Tally, generate_zone, judge_zone
from pipeline.bake.draft import draft_is_current, write_draft
from pipeline.bake.finish import choice_records, publish_zone, queue_zone, zone_findings
from pipeline.bake.plan import ZonePlan, plan_zone
from pipeline.bake.progress import BakeProgress, Silent
from pipeline.bake.run import BakeSummary, ZoneSummary, bake, bake_zone, is_finished, store_path
from pipeline.bake.status import ZoneStatus, project_status, zone_status
from pipeline.bake.voice import LineResult
from pipeline.bake.workspace import UnknownZone, Workspace

__all__ = [
    "BakeProgress",
    "BakeSummary",
    "CanaryError",
    "Generation",
    "LineResult",
    "Silent",
    "Tally",
    "UnknownZone",
    "Workspace",
    "ZonePlan",
    "ZoneStatus",
    "ZoneSummary",
    "bake",
    "bake_zone",
    "check_canaries",
    "choice_records",
    "draft_is_current",
    "generate_zone",
    "is_finished",
    "judge_zone",
    "plan_zone",
    "project_status",
    "publish_zone",
    "queue_zone",
    "store_path",
    "write_draft",
    "zone_findings",
    "zone_status",
]
