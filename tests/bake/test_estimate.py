"""What is left to bake, and what it will take."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from pipeline.bake import Workspace, plan_zone
from pipeline.bake.estimate import Rates, ZoneEstimate, estimate_zones, line_seconds
from pipeline.project import Project
from tests.project_fixture import edit

RATES = Rates(prompt=100.0, decode=50.0)


def estimates(project: Project) -> dict[str, ZoneEstimate]:
    with Workspace.open(project) as workspace:
        plans = [plan_zone(workspace, zone) for zone in workspace.content.zones]
        return {one.zone: one for one in estimate_zones(workspace, plans, RATES)}


def test_before_the_first_bake_the_rates_count(project: Project) -> None:
    hub = estimates(project)["test_hub"]
    assert (hub.lines, hub.to_generate, hub.from_bakes) == (9, 9, False)
    assert hub.seconds == pytest.approx(9 * hub.line_seconds)
    with Workspace.open(project) as workspace:
        jobs = plan_zone(workspace, "test_hub").jobs
    assert hub.line_seconds == pytest.approx(sum(line_seconds(job, 4, RATES) for job in jobs) / 9)


def test_a_line_costs_its_own_prompts_and_its_candidates(project: Project) -> None:
    with Workspace.open(project) as workspace:
        job = plan_zone(workspace, "test_hub").jobs[0]
    prompts_only = line_seconds(job, 0, RATES)
    # Six variants; what they share is computed once and for many lines, so it does not count.
    assert 0 < prompts_only * RATES.prompt < sum(segment.tokens for one in job.jobs for segment in one.segments)
    candidates = (line_seconds(job, 4, RATES) - prompts_only) * RATES.decode
    assert candidates == pytest.approx(6 * 4 * ((job.max_tokens - 16) // 2 + 2))


def test_after_a_bake_what_its_lines_took_counts(baked: Project) -> None:
    for zone, seconds in (("test_hub", 3.0), ("test_yard", 3.0)):
        with closing(sqlite3.connect(baked.zone_build(zone) / "bake.sqlite")) as db, db:
            db.execute("UPDATE batches SET seconds = ?", (seconds,))
            db.execute(
                "INSERT INTO batches SELECT 'of another model', round, variant, npc_id, line_id, culture_id, base_text,"
                " prompt_tokens, output_tokens, 900.0, generated_at FROM batches LIMIT 1"
            )
    edit(baked.zones / "test_hub/npcs/imke_dorr.ron", "What do you need?", "What do you want?")
    found = estimates(baked)
    assert (found["test_hub"].to_generate, found["test_yard"].to_generate) == (1, 0)
    assert (found["test_hub"].line_seconds, found["test_hub"].seconds) == (3.0, 3.0)
    assert all(one.from_bakes for one in found.values())
