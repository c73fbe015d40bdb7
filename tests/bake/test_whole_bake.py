"""A zone bakes end to end: every line answers in every tell state, and what is authored ships as authored."""

from __future__ import annotations

import json

import pytest

from pipeline.bake import Silent, Workspace, bake, generate_zone, plan_zone, project_status
from pipeline.cache import VoiceCache
from pipeline.content import load_content
from pipeline.content.terms import TELL_CATEGORIES, TellState
from pipeline.project import Project
from pipeline.review import queue_path
from pipeline.store import BakeStore
from tests.project_fixture import bake_all, edit


def test_every_line_answers_in_every_tell_state_by_the_fallback_order(baked: Project) -> None:
    voiced = {}
    for zone_id in ("test_hub", "test_yard"):
        with BakeStore.read_only(baked.zone_build(zone_id) / "bake.sqlite") as store:
            voiced |= {(c.npc_id, c.line_id, c.tell_state): c.voiced for c in store.choices() if c.voiced is not None}
    assert voiced
    with VoiceCache(baked.draft_cache) as cache, VoiceCache(baked.draft_cache, ai_dialogue=False) as off:
        for zone in load_content(baked).zones.values():
            for ref in zone.lines:
                for state in TellState:
                    own = voiced.get((ref.npc.id, ref.line_id, state))
                    neutral = voiced.get((ref.npc.id, ref.line_id, TellState.Neutral))
                    spoken = cache.template(ref.npc.id, ref.line_id, state)
                    assert spoken.text == (own or neutral or ref.line.base_text)
                    assert off.template(ref.npc.id, ref.line_id, state).text == ref.line.base_text


def test_anchors_and_tells_come_out_byte_for_byte(project: Project) -> None:
    sign = "“Counter” closes — at shift\u00a0change…  "
    edit(project.zones / "test_hub/npcs/imke_dorr.ron", "Counter closes at shift change.", sign)
    tell = "turns the order screen… face-down  "
    edit(project.zones / "test_hub/npcs/imke_dorr.ron", "turns the order screen face down", tell)
    bake_all(project)
    with VoiceCache(project.draft_cache) as cache:
        assert {cache.template("imke_dorr", "sign", state).text for state in TellState} == {sign}
        assert cache.tells("imke_dorr", "Guarded") == (tell,)
        for zone in load_content(project).zones.values():
            for npc in zone.npcs:
                for category in TELL_CATEGORIES:
                    authored = tuple(one.base_text for one in npc.tell_behaviors if one.category is category)
                    assert cache.tells(npc.id, category) == authored


def test_status_counts_add_up_and_say_what_waits(project: Project) -> None:
    with Workspace.open(project) as workspace:
        plans = [plan_zone(workspace, zone) for zone in workspace.content.zones]
        for status in project_status(workspace, plans):
            assert (status.voiced, status.fallback_base) == (0, status.variants)
            assert status.stale == status.lines
    bake_all(project)
    with Workspace.open(project) as workspace:
        plans = [plan_zone(workspace, zone) for zone in workspace.content.zones]
        for status in project_status(workspace, plans):
            assert status.variants == 6 * status.lines
            assert status.voiced + status.fallback_neutral + status.fallback_base == status.variants
            assert status.pending == status.voiced > 0
            assert status.stale == 0


def test_the_queue_holds_each_waiting_line_with_its_variants(baked: Project) -> None:
    rows = [json.loads(line) for line in queue_path(baked, "test_hub").read_text("utf-8").splitlines()]
    assert [row["npc"]["tier"] for row in rows] == sorted(
        (row["npc"]["tier"] for row in rows), key=["PlotCritical", "SemiUnique", "Ambient"].index
    )
    for row in rows:
        assert [variant["tell_state"] for variant in row["variants"]] == list(TellState)
        assert any(variant["pending"] for variant in row["variants"])
    assert "sign" not in {row["line_id"] for row in rows}


def test_a_second_bake_does_nothing(baked: Project) -> None:
    before = baked.draft_cache.stat().st_mtime_ns
    with Workspace.open(baked) as workspace:
        again = bake(workspace, list(workspace.content.zones), Silent())
        assert workspace.engine.requests == []  # type: ignore[attr-defined]
    assert all(zone.unchanged for zone in again.zones)
    assert again.draft is None
    assert baked.draft_cache.stat().st_mtime_ns == before


@pytest.mark.parametrize("lost", ["queue", "parquet", "draft"])
def test_a_lost_result_is_made_again_without_generating(baked: Project, lost: str) -> None:
    path = {
        "queue": queue_path(baked, "test_hub"),
        "parquet": baked.zone_build("test_hub") / "voiced_lines.parquet",
        "draft": baked.draft_cache,
    }[lost]
    path.unlink()
    with Workspace.open(baked) as workspace:
        bake(workspace, list(workspace.content.zones), Silent())
        assert workspace.engine.requests == []  # type: ignore[attr-defined]
    assert path.is_file()


def test_a_stopped_bake_keeps_its_lines_and_the_next_goes_on(project: Project) -> None:
    with Workspace.open(project) as workspace:
        asked = iter([False, False, True])
        summary = bake(workspace, ["test_hub"], Silent(), lambda: next(asked))
        assert summary.stopped
        assert summary.zones[0].tally.lines == 2
    assert not project.draft_cache.exists()
    with Workspace.open(project) as workspace:
        plan = plan_zone(workspace, "test_hub")
        with BakeStore(project.zone_build("test_hub") / "bake.sqlite") as store:
            generation = generate_zone(workspace, plan, store, Silent())
    assert generation.tally.lines == len(plan.jobs) - 2
