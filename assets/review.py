"""What people have to decide, and what they decided."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import dagster as dg

from assets.bake import voiced_lines
from assets.failures import user_errors_fail_the_step
from assets.launchpad import address
from assets.partitions import zones
from assets.presentation import markdown_table
from assets.resources import VoicebakeProject
from assets.review_config import ReviewConfig

if TYPE_CHECKING:
    from pipeline.bake import Decided, ReviewCounts, TierCoverage, ZoneStatus

GROUP = "review"
ALL_REVIEWED = "all_reviewed"
LOGS_AGREE = "logs_agree"
FILES = "files"
"""Metadata: the digest of a zone's files that its queue was made from; the sensor compares it."""
_SHOWN_VERDICTS = 50


@dg.asset(
    partitions_def=zones,
    group_name=GROUP,
    kinds={"json"},
    description="One row per decision of a person: `review_queue/<zone>.verdicts.jsonl`. The links in the review queue "
    "fill in what to decide.",
)
def verdicts(
    context: dg.AssetExecutionContext, config: ReviewConfig, voicebake: VoicebakeProject
) -> dg.MaterializeResult:
    """Takes all decisions, or none, and rebuilds queue and draft. Loads no model."""
    from pipeline.bake import hand_in
    from pipeline.review import default_reviewer

    with user_errors_fail_the_step():
        workspace = voicebake.workspace
        reviewer = config.reviewer or default_reviewer(workspace.project)
        done = hand_in(workspace, context.partition_key, config.form(), reviewer)
    voicebake.remember(context.partition_key, done.outcome, config.view())
    if not done.outcome.rebuilt:
        context.log.warning("The zone is being baked; its queue takes the decisions in when that bake ends.")
    if draft := done.outcome.draft:
        context.log_event(
            dg.AssetMaterialization(
                "draft_cache", metadata={"voiced_lines": draft.voiced_lines, "content_digest": draft.content_digest}
            )
        )
    return dg.MaterializeResult(metadata=_decided(done, reviewer))


@dg.asset(
    partitions_def=zones,
    group_name=GROUP,
    kinds={"json"},
    deps=[voiced_lines, verdicts],
    check_specs=[
        dg.AssetCheckSpec(ALL_REVIEWED, asset="review_queue", description="Nothing waits for a person."),
        dg.AssetCheckSpec(
            LOGS_AGREE, asset="review_queue", description="All verdicts can be read and none contradicts another."
        ),
    ],
    description="One row per line that waits for a person, with all its variants: `review_queue/<zone>.queue.jsonl`. "
    "Open *start here*.",
)
def review_queue(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Writes the zone's queue, unless the decisions of this run just did, and shows it as cards."""
    from pipeline.bake import tier_coverage
    from pipeline.review import files_digest, queue_digest, queue_path, read_queue, review_pages

    zone_id = context.partition_key
    with user_errors_fail_the_step():
        workspace = voicebake.workspace
        status, view = voicebake.queued(zone_id)
        rows = read_queue(workspace.project, zone_id)
        digest = queue_digest(workspace.project, zone_id)
        tiers, counts = tier_coverage(workspace, zone_id)
        ledger = workspace.ledger()
        doubts = [*ledger.problems, *(one.message for one in ledger.conflicts)]
    pages = review_pages(rows, view, digest, lambda form: address(zone_id, form))
    waiting = [variant for row in rows for variant in row["variants"] if variant["pending"]]
    return dg.MaterializeResult(
        metadata={
            **{title: dg.MetadataValue.md(text) for title, text in pages.items()},
            **dict(_progress(rows, waiting)),
            **dict(_coverage(status, counts, tiers)),
            "queue": dg.MetadataValue.text(workspace.project.shown(queue_path(workspace.project, zone_id))),
            FILES: files_digest(workspace.project, zone_id),
        },
        check_results=[_all_reviewed(len(waiting)), _logs_agree(doubts)],
        data_version=dg.DataVersion(digest),
    )


def _decided(done: "Decided", reviewer: str) -> Mapping[str, Any]:
    by_action = Counter(one.action.value for one in done.verdicts)
    rows = [
        (one.action.value, f"{one.npc_id} {one.line_id}", one.tell_state.value, one.voiced or "", one.reason)
        for one in done.verdicts[:_SHOWN_VERDICTS]
    ]
    shown: dict[str, Any] = {"verdicts written": len(done.verdicts), "reviewer": reviewer, **by_action}
    if rows:
        shown["what was decided"] = markdown_table(("decision", "line", "tell state", "text", "reason"), rows)
    return shown


def _progress(rows: list[dict[str, Any]], waiting: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    by_rule = Counter(rule for variant in waiting for rule in {finding["rule"] for finding in variant["findings"]})
    yield "lines waiting", sum(row["pending"] > 0 for row in rows)
    yield "texts waiting", len(waiting)
    for rule, count in sorted(by_rule.items()):
        yield f"waiting: {rule}", count


def _coverage(
    status: "ZoneStatus | None", counts: "ReviewCounts", tiers: "Sequence[TierCoverage]"
) -> Iterator[tuple[str, int | float]]:
    yield "approved", counts.approved
    yield "edited", counts.edited
    yield "waiting for a bake", counts.waiting_for_bake
    if status is not None:
        yield "voiced", status.voiced
        yield "fall back to Neutral", status.fallback_neutral
        yield "fall back to base text", status.fallback_base
    for one in tiers:
        yield f"{one.tier}: voiced share", round(one.voiced / one.variants, 3)
        yield f"{one.tier}: decided share", round(one.decided / one.variants, 3)


def _all_reviewed(waiting: int) -> dg.AssetCheckResult:
    """A warning only: a zone that is half reviewed is a good day's work. What may ship is for the ship step to say."""
    return dg.AssetCheckResult(
        check_name=ALL_REVIEWED,
        passed=not waiting,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"texts_waiting": waiting},
    )


def _logs_agree(doubts: list[str]) -> dg.AssetCheckResult:
    """What counts for nothing: lines of logs that cannot be read, and verdicts that contradict each other."""
    return dg.AssetCheckResult(
        check_name=LOGS_AGREE,
        passed=not doubts,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"doubts": len(doubts), "first": "\n".join(doubts[:10]) or "none"},
    )
