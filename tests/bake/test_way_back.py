"""The way back: measured once, for candidates that pass all other rules; it decides as if it had always been there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.bake import LineResult, Silent, Workspace, bake, judge_stored_zone, judge_zone, plan_zone, rebuild
from pipeline.bake.trial import TrialLine, plan_trial, voice_trial
from pipeline.bake.voice import subject, zone_names
from pipeline.content.terms import Severity
from pipeline.errors import UserError
from pipeline.generation import WayBack
from pipeline.generation.fake_engine import FakeEngine
from pipeline.project import Project
from pipeline.selection import Judged
from pipeline.store import BakeStore
from tests.bake.test_adapters import CULTURE, adapted
from tests.project_fixture import edit

RULE = "way-back"
Measured = list[tuple[str, str]]


@pytest.fixture
def measuring(project: Project) -> Project:
    """The test project with an adapter that has learnt the way back, and a word that blocks some candidates."""
    adapted(project, seed=1)
    exclude(project, "ever")
    return project


def exclude(project: Project, word: str) -> None:
    edit(project.cultures / CULTURE / "culture.ron", 'words: ["sir", "ma\'am"]', f'words: ["sir", "ma\'am", "{word}"]')


def allow(project: Project, word: str) -> None:
    edit(project.cultures / CULTURE / "culture.ron", f', "{word}"]', "]")


def baked_with(project: Project, engine: FakeEngine) -> list[LineResult]:
    """Bakes the hub and gives what was judged."""
    with Workspace.open(project) as workspace:
        workspace._engine = engine
        bake(workspace, ["test_hub"], Silent())
        with BakeStore.read_only(store_path(project)) as store:
            return judge_zone(workspace, plan_zone(workspace, "test_hub"), store)


def store_path(project: Project) -> Path:
    return project.zone_build("test_hub") / "bake.sqlite"


def judged(results: list[LineResult]) -> Iterator[tuple[str, Judged]]:
    for result in results:
        for choice in result.choices.values():
            for one in (*([choice.chosen] if choice.chosen else []), *choice.others):
                yield result.job.fingerprint, one


def blocked_by_others(one: Judged) -> bool:
    return any(finding.severity is Severity.block and finding.rule != RULE for finding in one.findings)


def measured(engine: FakeEngine) -> Measured:
    """What was measured, by the base text that was looked for."""
    return [(way.answer, text) for way, text in engine.measured]


def stored(project: Project) -> list[tuple[str, str, float | None]]:
    query = "SELECT fingerprint, text, way_back FROM candidates ORDER BY fingerprint, round, variant, position"
    with closing(sqlite3.connect(store_path(project))) as db:
        return db.execute(query).fetchall()


def test_only_what_passes_all_other_rules_is_measured_and_no_text_twice(measuring: Project) -> None:
    engine = FakeEngine()
    results = baked_with(measuring, engine)
    assert {blocked_by_others(one) for _, one in judged(results)} == {True, False}
    for _, one in judged(results):
        assert (one.candidate.way_back is None) == blocked_by_others(one)
    passing = {(key, one.candidate.masked) for key, one in judged(results) if not blocked_by_others(one)}
    assert len(engine.measured) == len(passing)
    assert {way.adapter for way, _ in engine.measured} == {str(measuring.cultures / CULTURE / "voice.gguf")}
    assert all(result.complete for result in results)


def test_what_is_measured_decides(measuring: Project) -> None:
    def tails_lose(way: WayBack, text: str) -> float:
        return -3.0 if text.endswith("That's all.") else -0.1

    results = baked_with(measuring, FakeEngine(find=tails_lose))
    lost = [one for _, one in judged(results) if one.candidate.way_back == -3.0]
    assert lost
    assert all(not one.passes and RULE in {finding.rule for finding in one.findings} for one in lost)
    assert {one.score.meaning for one in lost} == {0.0}
    chosen = [choice.chosen for result in results for choice in result.choices.values() if choice.chosen]
    assert chosen
    assert not any(one.candidate.masked.endswith("That's all.") for one in chosen)


def test_measured_findings_are_those_of_a_judgement_from_scratch(measuring: Project) -> None:
    results = baked_with(measuring, FakeEngine(find=lambda way, text: -1.3))
    with Workspace.open(measuring) as workspace:
        plan = plan_zone(workspace, "test_hub")
        names = zone_names(plan.zone)
        for result in results:
            neutral = None
            for state, choice in result.choices.items():
                for one in (*([choice.chosen] if choice.chosen else []), *choice.others):
                    seen = subject(result.job, names, state, one.candidate, neutral)
                    assert workspace.rules.validate(seen) == one.findings
                if choice.chosen and neutral is None:
                    neutral = choice.chosen.candidate.voiced


def test_a_store_without_measures_gets_only_what_is_missing(measuring: Project) -> None:
    first = FakeEngine()
    baked_with(measuring, first)
    before = stored(measuring)
    lost = first.measured[3]
    with closing(sqlite3.connect(store_path(measuring))) as db, db:
        db.execute(
            "UPDATE candidates SET way_back = NULL WHERE text = ? AND fingerprint IN "
            "(SELECT fingerprint FROM candidates WHERE text = ?)",
            (lost[1], lost[1]),
        )
        db.execute("DELETE FROM meta")
        db.execute("DELETE FROM judged_lines")
    again = FakeEngine()
    baked_with(measuring, again)
    assert again.requests == []
    assert set(again.measured) == {one for one in first.measured if one[1] == lost[1]}
    assert stored(measuring) == before


def test_changed_rules_measure_what_newly_passes_and_end_as_a_fresh_bake(measuring: Project, tmp_path: Path) -> None:
    first = FakeEngine()
    baked_with(measuring, first)
    allow(measuring, "ever")
    second = FakeEngine()
    results = baked_with(measuring, second)
    assert second.requests == []
    assert second.measured
    assert all("ever" in text for _, text in second.measured)
    assert set(measured(first)).isdisjoint(measured(second))

    store_path(measuring).unlink()
    fresh = baked_with(measuring, FakeEngine())
    assert [one.choices for one in fresh] == [one.choices for one in results]


def test_a_value_known_of_a_candidate_that_is_blocked_now_is_not_looked_at(measuring: Project) -> None:
    allow(measuring, "ever")
    baked_with(measuring, FakeEngine())
    exclude(measuring, "ever")
    third = FakeEngine()
    kept = baked_with(measuring, third)
    assert third.measured == []
    store_path(measuring).unlink()
    assert [one.choices for one in baked_with(measuring, FakeEngine())] == [one.choices for one in kept]


def test_judging_without_an_engine_says_that_measures_are_missing(measuring: Project) -> None:
    baked_with(measuring, FakeEngine())
    with closing(sqlite3.connect(store_path(measuring))) as db, db:
        db.execute("UPDATE candidates SET way_back = NULL")
        db.execute("DELETE FROM judged_lines")
    with Workspace.open(measuring) as workspace, pytest.raises(UserError, match="measured"):
        judge_stored_zone(workspace, plan_zone(workspace, "test_hub"))


def test_what_measuring_took_is_part_of_the_lines_cost(measuring: Project) -> None:
    with Workspace.open(measuring) as workspace:
        (zone,) = bake(workspace, ["test_hub"], Silent()).zones
        plan = plan_zone(workspace, "test_hub")
        assert zone.tally.measured > 0
        with BakeStore.read_only(store_path(measuring)) as store:
            assert store.cost({job.fingerprint for job in plan.jobs}).prompt_tokens == zone.tally.prompt_tokens


def test_a_tried_line_is_measured_as_in_a_bake(measuring: Project) -> None:
    results = baked_with(measuring, FakeEngine())
    base = "Good morning. What do you need?"
    with Workspace.open(measuring) as workspace:
        tried = voice_trial(workspace, plan_trial(workspace, TrialLine(base, npc_id="imke_dorr")))
    (in_bake,) = (one for one in results if one.job.line.line.base_text == base)
    assert tried.choices == in_bake.choices
    assert {one.candidate.way_back is None for _, one in judged([tried])} == {True, False}


def test_lines_without_an_adapter_are_not_measured(project: Project) -> None:
    engine = FakeEngine()
    results = baked_with(project, engine)
    assert engine.measured == []
    assert {one.candidate.way_back for _, one in judged(results)} == {None}


def test_a_rebuild_keeps_texts_whose_way_back_is_no_longer_known(measuring: Project) -> None:
    baked_with(measuring, FakeEngine())

    def texts() -> list[str | None]:
        with BakeStore.read_only(store_path(measuring)) as store:
            return [choice.voiced for choice in store.choices()]

    before = texts()
    assert sum(text is not None for text in before) > len(before) / 2
    with closing(sqlite3.connect(store_path(measuring))) as db, db:  # as an upgrade from schema 2 leaves it
        db.execute("UPDATE candidates SET way_back = NULL")
        db.execute("DELETE FROM judged_lines")
    with Workspace.open(measuring) as workspace:
        rebuild(workspace, "test_hub")
    assert texts() == before
