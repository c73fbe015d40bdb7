"""What is made over all zones, outside the zone job: the draft cache and a report."""

import dagster as dg

from assets.bake import voiced_lines
from assets.failures import user_errors_fail_the_step
from assets.presentation import markdown_table
from assets.resources import VoicebakeProject

GROUP = "draft"


@dg.asset(
    group_name=GROUP,
    kinds={"duckdb"},
    deps=[voiced_lines],
    description="One row per text of every baked zone: `build/draft.duckdb`, which `voicebake say` reads.",
)
def draft_cache(voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Merges the zones' Parquet files into a fresh file that then takes the earlier one's place; samples its texts."""
    from pipeline.bake import write_draft, write_quality_sample

    with user_errors_fail_the_step():
        summary = write_draft(voicebake.workspace)
        sample = write_quality_sample(voicebake.workspace)
    return dg.MaterializeResult(
        metadata={
            "zones": ", ".join(summary.zones),
            "zones_not_baked_yet": ", ".join(summary.missing) or "none",
            "base_lines": summary.base_lines,
            "tells": summary.tells,
            "voiced_lines": summary.voiced_lines,
            "fallback_neutral": summary.coverage.fallback_neutral,
            "fallback_base": summary.coverage.fallback_base,
            "content_digest": summary.content_digest,
            "quality_sample": f"{sample.lines} texts, {sample.used} of {sample.judged} culture words used rightly",
        },
        data_version=dg.DataVersion(summary.content_digest),
    )


@dg.asset(
    group_name=GROUP,
    deps=[draft_cache],
    description="One row per zone: coverage by fallback tier, what waits for review and what is stale.",
)
def bake_report(voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Shows how far each zone is, and writes the report that a browser opens."""
    from pipeline.bake import project_status
    from pipeline.report import write_report

    with user_errors_fail_the_step():
        plans = [voicebake.plan(zone_id) for zone_id in voicebake.workspace.content.zones]
        zones = project_status(voicebake.workspace, plans)
        report = write_report(voicebake.workspace)
    header = ("zone", "variants", "voiced", "to Neutral", "to base", "pending", "stale lines")
    rows = [
        (
            one.zone,
            *map(str, (one.variants, one.voiced, one.fallback_neutral, one.fallback_base, one.pending, one.stale)),
        )
        for one in zones
    ]
    return dg.MaterializeResult(
        metadata={
            "zones": len(zones),
            "voiced": sum(one.voiced for one in zones),
            "variants": sum(one.variants for one in zones),
            "pending": sum(one.pending for one in zones),
            "stale_lines": sum(one.stale for one in zones),
            "table": markdown_table(header, rows),
            # A browser may refuse to go from a page of a server to a file: the path is there to copy.
            "report": dg.MetadataValue.url(report.as_uri()),
            "report_file": dg.MetadataValue.path(str(report)),
        }
    )
