"""The way of a line through a zone's bake: prompts, candidates, findings, voiced lines."""

from collections import Counter
from typing import TYPE_CHECKING

import dagster as dg

from assets.checks import rule_check_specs, rule_checks
from assets.content import cultures, guards, zone_content
from assets.failures import user_errors_fail_the_step
from assets.partitions import zones
from assets.presentation import LogProgress, markdown_table
from assets.resources import VoicebakeProject

if TYPE_CHECKING:
    from pipeline.bake import ZonePlan

GROUP = "bake"
_SAMPLES = 12


@dg.asset(
    partitions_def=zones,
    group_name=GROUP,
    kinds={"jinja"},
    deps=[zone_content, cultures, guards],
    description="One row per variant: the rendered prompt of a line in a tell state, masked, counted and audited.",
)
def prompt_jobs(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Renders and audits the prompts of a zone."""
    from pipeline.bake import fingerprints_digest

    with user_errors_fail_the_step():
        plan = voicebake.plan(context.partition_key)
        profile = voicebake.workspace.identity.profile
    return dg.MaterializeResult(
        metadata={
            "lines": len(plan.jobs),
            "jobs": sum(len(job.jobs) for job in plan.jobs),
            "profile": profile,
            "prompts_audited": plan.leaks.prompts,
            "secrets_looked_for": plan.leaks.secrets,
            "anchor_coincidences": "\n".join(map(str, plan.leaks.notes)) or "none",
            "tokens_by_block": _tokens_by_block(plan),
            "sample_prompt": dg.MetadataValue.text(plan.jobs[0].jobs[-1].text if plan.jobs else ""),
        },
        data_version=dg.DataVersion(fingerprints_digest(plan)),
    )


@dg.asset(
    partitions_def=zones,
    group_name=GROUP,
    kinds={"llamacpp", "sqlite"},
    deps=[prompt_jobs],
    description="One row per generated text, kept in the zone's bake store and never generated twice.",
)
def candidates(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Generates what is missing. The canaries run first: no rule is trusted that misses one."""
    from pipeline.bake import fingerprints_digest, generate_missing

    with user_errors_fail_the_step():
        plan = voicebake.plan(context.partition_key)
        tally = generate_missing(voicebake.workspace, plan, LogProgress(context.log.info))
        identity = voicebake.workspace.identity
    return dg.MaterializeResult(
        metadata={
            "lines_generated": tally.lines,
            "candidates_generated": tally.candidates,
            "prompt_tokens": tally.prompt_tokens,
            "output_tokens": tally.output_tokens,
            "model_seconds": round(tally.seconds, 1),
            "candidates_per_second": round(tally.candidates / tally.seconds, 2) if tally.seconds else 0.0,
            "model": identity.model_name,
            "engine": identity.engine,
        },
        data_version=dg.DataVersion(fingerprints_digest(plan)),
    )


@dg.asset(
    partitions_def=zones,
    group_name=GROUP,
    deps=[candidates],
    check_specs=rule_check_specs("findings"),
    description="One row per remark of a rule on a candidate; one check per rule looks at the chosen texts.",
)
def findings(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Judges the zone's candidates."""
    from pipeline.bake import findings_digest, judged_texts

    with user_errors_fail_the_step():
        plan = voicebake.plan(context.partition_key)
        judged = judged_texts(voicebake.workspace, voicebake.judged(context.partition_key))
    by_rule = Counter(finding.rule for one in judged for finding in one.findings)
    blocked = sum(one.blocked for one in judged)
    return dg.MaterializeResult(
        metadata={
            "candidates": len(judged),
            "blocked": blocked,
            "blocked_share": round(blocked / len(judged), 3) if judged else 0.0,
            "by_rule": markdown_table(("rule", "findings"), [(rule, str(n)) for rule, n in by_rule.most_common()]),
        },
        check_results=rule_checks(judged),
        data_version=dg.DataVersion(findings_digest(voicebake.workspace, plan)),
    )


@dg.asset(
    partitions_def=zones,
    group_name=GROUP,
    kinds={"parquet"},
    deps=[findings],
    description="One row per variant that has a text of its own, with base texts, anchors and tells beside it.",
)
def voiced_lines(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Chooses the variants and writes the zone's Parquet file."""
    from pipeline.bake import publish_judged

    zone_id = context.partition_key
    with user_errors_fail_the_step():
        plan = voicebake.plan(zone_id)
        status, records = publish_judged(voicebake.workspace, plan, voicebake.judged(zone_id))
    voiced = [record for record in records if record.voiced is not None]
    step = max(1, len(voiced) // _SAMPLES)
    return dg.MaterializeResult(
        metadata={
            "lines": status.lines,
            "variants": status.variants,
            "voiced": status.voiced,
            "fallback_neutral": status.fallback_neutral,
            "fallback_base": status.fallback_base,
            "coverage": round(status.voiced / status.variants, 3) if status.variants else 1.0,
            "samples": markdown_table(
                ("NPC", "line", "tell state", "text"),
                [(one.npc_id, one.line_id, one.tell_state, one.voiced or "") for one in voiced[::step][:_SAMPLES]],
            ),
        },
        data_version=dg.DataVersion(plan.state),
    )


def _tokens_by_block(plan: "ZonePlan") -> dg.MarkdownMetadataValue:
    counts: dict[str, list[int]] = {}
    for line in plan.jobs:
        for job in line.jobs:
            for segment in job.segments:
                counts.setdefault(segment.block, []).append(segment.tokens)
    rows = [(block, str(min(n)), f"{sum(n) / len(n):.1f}", str(max(n))) for block, n in counts.items()]
    return markdown_table(("block", "fewest", "mean", "most"), rows)
