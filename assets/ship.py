"""The release: what may ship, a check that bars the way, and the voice cache."""

from typing import Any

import dagster as dg

from assets.bake import voiced_lines
from assets.failures import user_errors_fail_the_step
from assets.presentation import markdown_table
from assets.resources import VoicebakeProject
from assets.review import review_queue

GROUP = "ship"


class ShipConfig(dg.Config):
    """How to treat what nobody has decided on."""

    allow_fallback: bool = False
    """True: variants that wait for a person ship as fallback."""


@dg.config_mapping
def ship_config(val: ShipConfig) -> dict[str, Any]:
    """Both steps of the job `ship` get the same word."""
    config = {"config": {"allow_fallback": val.allow_fallback}}
    return {"ops": {"release_lines": config, "voice_cache": config}}


@dg.asset(
    group_name=GROUP,
    deps=[voiced_lines, review_queue],
    check_specs=[
        dg.AssetCheckSpec(
            "policy_met",
            asset="release_lines",
            blocking=True,
            description="Canaries and leak audit hold, every zone is baked for what is authored now, nothing waits.",
        )
    ],
    description="One row per zone: how many variants ship, by who decided on them, and how many are withheld.",
)
def release_lines(config: ShipConfig, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Looks at what would ship."""
    from pipeline.bake import plan_release
    from pipeline.bake.sharing import collect

    with user_errors_fail_the_step():
        collect(voicebake.workspace)
        release = plan_release(voicebake.workspace, allow_fallback=config.allow_fallback)
    header = ("zone", "policy", "variants", "approved", "edited", "unread", "withheld")
    rows = [
        (
            one.zone,
            "All (hub)" if one.hub else one.policy,
            *map(str, (one.variants, one.approved, one.edited, one.unreviewed, len(one.withheld))),
        )
        for one in release.zones
    ]
    reasons = [(one.reason, one.message, one.hint) for one in release.refusals]
    return dg.MaterializeResult(
        metadata={
            "zones": len(release.zones),
            "variants_shipped": sum(one.shipped for one in release.zones),
            "variants_withheld": sum(len(one.withheld) for one in release.zones),
            "table": markdown_table(header, rows),
        },
        check_results=[
            dg.AssetCheckResult(
                check_name="policy_met",
                passed=not release.refusals,
                severity=dg.AssetCheckSeverity.ERROR,
                description=f"{len(reasons)} reasons not to ship" if reasons else "it may ship",
                metadata={"refusals": markdown_table(("reason", "what", "what to do"), reasons)},
            )
        ],
    )


@dg.asset(
    group_name=GROUP,
    kinds={"duckdb"},
    deps=[release_lines],
    description="One row per text that the game may show: `build/voice_cache.duckdb`.",
)
def voice_cache(config: ShipConfig, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Ships. It looks at everything once more: a run that selects only this asset passes no check."""
    from pipeline.bake import ship

    with user_errors_fail_the_step():
        shipped = ship(voicebake.workspace, allow_fallback=config.allow_fallback)
    cache = shipped.cache
    return dg.MaterializeResult(
        metadata={
            "zones": ", ".join(cache.zones),
            "base_lines": cache.base_lines,
            "tells": cache.tells,
            "voiced_lines": cache.voiced_lines,
            "fallback_neutral": cache.coverage.fallback_neutral,
            "fallback_base": cache.coverage.fallback_base,
            "pending_as_fallback": sum(len(zone.withheld) for zone in shipped.release.zones),
            "content_digest": cache.content_digest,
        },
        data_version=dg.DataVersion(cache.content_digest),
    )
