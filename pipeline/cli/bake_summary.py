"""What a bake tells at its end, to people and to scripts."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pipeline.cli.console import err, out

if TYPE_CHECKING:
    from pipeline.bake import BakeSummary, Workspace, ZoneSummary


def as_json(workspace: Workspace, summary: BakeSummary) -> dict[str, Any]:
    """The summary for scripts."""
    draft, sample = summary.draft, summary.sample
    return {
        "model": workspace.identity.model_name,
        "stopped": summary.stopped,
        "zones": [
            asdict(zone.status)
            | {"generated": asdict(zone.tally), "unchanged": zone.unchanged, "stopped": zone.stopped, "left": zone.left}
            for zone in summary.zones
        ],
        "draft": {"path": workspace.project.shown(draft.path), "content_digest": draft.content_digest}
        if draft
        else None,
        "report": workspace.project.shown(workspace.project.report) if workspace.project.report.is_file() else None,
        "quality_sample": {
            "path": workspace.project.shown(sample.path),
            "lines": sample.lines,
            "adherence": None if sample.adherence is None else round(sample.adherence, 3),
        }
        if sample
        else None,
    }


def print_summary(workspace: Workspace, summary: BakeSummary) -> None:
    """The summary for people: what became of each zone, where the results stand, what to do next."""
    project = workspace.project
    for zone in summary.zones:
        out.print(_zone_line(zone))
        if zone.stopped:
            out.print(f"  stopped: {zone.left} lines are left. Go on with: voicebake bake {zone.status.zone}")
    if summary.stopped and summary.draft is None:
        err.print("The earlier draft cache is as it was.")
        return
    from pipeline.review import queue_path

    out.print(f"Draft cache   {project.shown(project.draft_cache)}{'' if summary.draft else ' (unchanged)'}")
    for zone in summary.zones:
        if zone.status.pending:
            queue = project.shown(queue_path(project, zone.status.zone))
            out.print(f"Review queue  {queue} ({zone.status.pending} variants wait)")
    out.print(f"Report        {project.shown(project.report)}")
    if sample := summary.sample:
        share = (
            "" if sample.adherence is None else f", {100 * sample.adherence:.0f} % of their culture's words used well"
        )
        out.print(f"Quality       {project.shown(sample.path)} ({sample.lines} texts to read{share})")
    if workspace.identity.engine.startswith("fake"):
        out.print("These texts come from the FAKE engine of the tests. Unset VOICEBAKE_ENGINE for real ones.")
    waiting = [zone.status.zone for zone in summary.zones if zone.status.pending]
    hints = [
        ("voicebake say NPC LINE --tell Guarded", "hear a line"),
        *([(f"voicebake review {waiting[0]}", "decide on what waits, here in the terminal")] if waiting else []),
        ("voicebake dev", "see lines, findings and the queue in Dagster, and decide there"),
    ]
    for number, (command, what) in enumerate(hints):
        out.print(f"{'' if number else 'Next':<14}{command:<42} {what}")


def _zone_line(zone: ZoneSummary) -> str:
    status, tally = zone.status, zone.tally
    share = f"{100 * status.voiced / status.variants:.0f} %" if status.variants else "none to voice"
    text = (
        f"{status.zone}: {status.lines} lines, {status.voiced} of {status.variants} variants voiced ({share}), "
        f"{status.fallback_neutral} fall back to Neutral, {status.fallback_base} to base text"
    )
    if zone.unchanged:
        return f"{text}; nothing to do"
    if not tally.batches and zone.stopped:
        return f"{text}; nothing generated"
    if not tally.batches:
        measured = f", {tally.measured} texts measured in {tally.seconds:.0f} s" if tally.measured else ""
        return f"{text}; judged anew, nothing to generate{measured}"
    rate = tally.candidates / tally.seconds if tally.seconds else 0.0
    made = f"{tally.candidates} candidates for {tally.lines} lines in {tally.seconds:.0f} s ({rate:.1f}/s)"
    return f"{text}; generated {made}"
