"""A bake as Markdown, for the summary page of a CI run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.bake import BakeSummary, ZoneSummary
from pipeline.errors import UserError
from pipeline.escaping import markdown_escaped
from pipeline.report.lines import LineOutcome

_MOST_LINES = 50


def markdown_summary(
    summary: BakeSummary, outcomes: Mapping[str, Sequence[LineOutcome]], why: Mapping[str, Sequence[str]]
) -> str:
    """The Markdown of a bake that ended; `why` says by zone what change made it be baked."""
    parts = ["## Bake"]
    if not summary.zones:
        parts.append("No zone was to be baked.")
    else:
        parts.append(_table(summary.zones))
    if reasons := [f"- `{zone}`: {markdown_escaped(', '.join(names))}" for zone, names in why.items()]:
        parts += ["### Baked because of", "\n".join(reasons)]
    if summary.stopped:
        left = ", ".join(f"`{zone.status.zone}` {zone.left}" for zone in summary.zones if zone.stopped)
        parts.append(f"**Stopped.** Lines left: {left}. The next bake goes on from there.")
    fallen = [
        (zone.status.zone, line)
        for zone in summary.zones
        for line in outcomes.get(zone.status.zone, ())
        if line.fallback_base
    ]
    if fallen:
        parts += ["### Lines with base text where a voiced one was wanted", _fallen(fallen)]
    if summary.draft:
        parts.append(
            f"Draft cache: {summary.draft.voiced_lines} voiced texts, digest `{summary.draft.content_digest}`."
        )
    return "\n\n".join(parts) + "\n"


def markdown_failure(error: UserError) -> str:
    """The Markdown of a bake that was refused."""
    # A fence longer than any in the text keeps the text inside.
    fence = "`" * 3
    while fence in str(error):
        fence += "`"
    return f"## Bake refused\n\n{fence}text\n{error}\n{fence}\n"


def _table(zones: Sequence[ZoneSummary]) -> str:
    rows = [
        "| zone | lines | generated | variants | voiced | to Neutral | to base | waiting for review |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for zone in zones:
        status = zone.status
        counts = (status.lines, zone.tally.lines, status.variants, status.voiced)
        falls = (status.fallback_neutral, status.fallback_base, status.pending)
        rows.append(f"| `{status.zone}` | {' | '.join(map(str, (*counts, *falls)))} |")
    return "\n".join(rows)


def _fallen(lines: Sequence[tuple[str, LineOutcome]]) -> str:
    rows = ["| zone | NPC | line | tell states | rules |", "|---|---|---|---|---|"]
    for zone, line in lines[:_MOST_LINES]:
        states = ", ".join(one.tell_state for one in line.missing)
        rules = ", ".join(dict.fromkeys(finding.rule for one in line.missing for finding in one.findings))
        rows.append(f"| `{zone}` | {' | '.join(map(markdown_escaped, (line.npc_id, line.line_id, states, rules)))} |")
    if len(lines) > _MOST_LINES:
        rows.append(f"\n{len(lines) - _MOST_LINES} more.")
    return "\n".join(rows)
