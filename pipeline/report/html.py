"""`build/report.html`: one file that a browser opens without a network, showing how the baked texts stand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.bake import Workspace
from pipeline.bake.stages import STAGES
from pipeline.replacing import replacing
from pipeline.report.baseline import Changes, changes_since_last_bake
from pipeline.report.distinctness import Distinctness, measure
from pipeline.report.facts import Facts, ZoneFacts, collect_facts
from pipeline.report.findings import count_rules
from pipeline.report.samples import samples

MOST_CHANGES = 60
"""Changed texts that are shown; the others are counted."""


@dataclass(frozen=True, slots=True)
class StageRow:
    """The last bake of one zone, in seconds by stage."""

    zone: str
    finished_at: str
    seconds: tuple[float, ...]
    """As `STAGES`."""
    total: float


def write_report(workspace: Workspace) -> Path:
    """Writes the report over all zones that were baked, and gives its path.

    Raises `UserError` for a bake store that cannot be read and a file that cannot be written.
    """
    facts = collect_facts(workspace)
    changes = changes_since_last_bake(workspace.project, facts)
    path = workspace.project.report
    with replacing(path) as fresh:
        fresh.write_text(render(facts, changes), encoding="utf-8")
    return path


def render(facts: Facts, changes: Changes | None) -> str:
    """The page. Every text of the content is escaped; the page loads nothing and runs no script."""
    page = _template().render(
        facts=facts,
        total=_total(facts),
        distinct=[(zone, rows) for zone in facts.zones if (rows := measure(zone.records))],
        rules=count_rules(facts.zones),
        stages=STAGES,
        times=[row for zone in facts.zones if (row := _stage_row(zone)) is not None],
        samples=[(zone, samples(zone)) for zone in facts.zones],
        changes=changes,
        most_changes=MOST_CHANGES,
        made_at=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )
    return str(page)


def _total(facts: Facts) -> dict[str, int]:
    total: Counter[str] = Counter()
    for zone in facts.zones:
        counts = {
            "lines": len(zone.outcomes),
            "variants": len(zone.records),
            "voiced": zone.voiced,
            "fallback_neutral": zone.fallback_neutral,
            "fallback_base": zone.fallback_base,
            "pending": zone.pending,
        }
        total.update(counts)
    return {
        name: total[name] for name in ("lines", "variants", "voiced", "fallback_neutral", "fallback_base", "pending")
    }


def _stage_row(zone: ZoneFacts) -> StageRow | None:
    """None where the zone was not baked by `voicebake bake`, or by an earlier voicebake that kept no times."""
    stages = zone.last_run.summary.get("stages") if zone.last_run else None
    if zone.last_run is None or not stages:
        return None
    seconds = tuple(float(stages.get(stage, 0.0)) for stage in STAGES)
    return StageRow(zone.id, zone.last_run.finished_at, seconds, sum(seconds))


@cache
def _template() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": _percent, "seconds": _seconds}
    environment.globals["level"] = _level
    return environment.get_template("report.html.j2")


def _percent(part: float, of: float = 1.0) -> str:
    """Whole percents; nearly none and nearly all are not rounded to none and all."""
    if not of:
        return "–"
    share = 100 * part / of
    if 0 < share < 1:
        return "< 1 %"
    return "> 99 %" if 99 < share < 100 else f"{share:.0f} %"


def _seconds(value: float) -> str:
    if value >= 3600:
        return f"{value / 3600:.1f} h"
    if value >= 60:
        return f"{value / 60:.1f} min"
    return f"{value:.1f} s" if value >= 0.05 else "–"


def _level(row: Distinctness) -> str:
    """How a state reads at a glance: `low` where every fifth text and more says no other words than Neutral."""
    return "low" if row.differ < 0.8 else "good"
