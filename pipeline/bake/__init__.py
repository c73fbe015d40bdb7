"""A zone's walk through all rooms. The command line and Dagster call these and hold no logic of their own."""

from pipeline.bake.background import bake_background, lower_priority, prevoicing_order
from pipeline.bake.canaries import CanaryError, check_canaries
from pipeline.bake.candidates import Generation, Tally, generate_zone, judge_zone
from pipeline.bake.coverage import TierCoverage, tier_coverage
from pipeline.bake.digests import findings_digest, fingerprints_digest, models_digest, zone_digest
from pipeline.bake.draft import draft_is_current, write_draft
from pipeline.bake.finish import publish_zone, zone_findings
from pipeline.bake.hand_in import hand_in
from pipeline.bake.plan import ZonePlan, plan_zone
from pipeline.bake.progress import BakeProgress, Silent
from pipeline.bake.quality_sample import QualitySample, write_quality_sample
from pipeline.bake.queueing import queue_zone
from pipeline.bake.rebuilding import Rebuilt, rebuild
from pipeline.bake.release import Reason, Refusal, Release, ZoneRelease, plan_release
from pipeline.bake.review import Decided, decide
from pipeline.bake.run import BakeSummary, ZoneSummary, bake, bake_zone, is_finished
from pipeline.bake.session import ReviewSession
from pipeline.bake.ship import Shipped, ShipRefused, ship
from pipeline.bake.status import ReviewCounts, ZoneStatus, project_status, review_counts, zone_status
from pipeline.bake.steps import (
    JudgedText,
    generate_missing,
    judge_stored_zone,
    judged_texts,
    publish_judged,
    queue_published,
)
from pipeline.bake.voice import LineResult
from pipeline.bake.workspace import UnknownZone, Workspace, engine_settings

__all__ = [
    "BakeProgress",
    "BakeSummary",
    "CanaryError",
    "Decided",
    "Generation",
    "JudgedText",
    "LineResult",
    "QualitySample",
    "Reason",
    "Rebuilt",
    "Refusal",
    "Release",
    "ReviewCounts",
    "ReviewSession",
    "ShipRefused",
    "Shipped",
    "Silent",
    "Tally",
    "TierCoverage",
    "UnknownZone",
    "Workspace",
    "ZonePlan",
    "ZoneRelease",
    "ZoneStatus",
    "ZoneSummary",
    "bake",
    "bake_background",
    "bake_zone",
    "check_canaries",
    "decide",
    "draft_is_current",
    "engine_settings",
    "findings_digest",
    "fingerprints_digest",
    "generate_missing",
    "generate_zone",
    "hand_in",
    "is_finished",
    "judge_stored_zone",
    "judge_zone",
    "judged_texts",
    "lower_priority",
    "models_digest",
    "plan_release",
    "plan_zone",
    "prevoicing_order",
    "project_status",
    "publish_judged",
    "publish_zone",
    "queue_published",
    "queue_zone",
    "rebuild",
    "review_counts",
    "ship",
    "tier_coverage",
    "write_draft",
    "write_quality_sample",
    "zone_digest",
    "zone_findings",
    "zone_status",
]
