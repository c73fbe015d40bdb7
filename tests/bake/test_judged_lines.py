"""A bake judges the lines that an edit changes, and ends as if it had judged all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.bake import LineResult, Silent, Workspace, bake, decide, generate_zone, judge_zone, plan_zone
from pipeline.content.terms import TellState
from pipeline.project import Project
from pipeline.review import Action, Decision, log_path
from pipeline.store import BakeStore
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Subject
from pipeline.validation.ruleset import RuleSet
from tests.project_fixture import bake_all, digest, edit

IMKE = "zones/test_hub/npcs/imke_dorr.ron"
ZONE = "zones/test_hub/zone.ron"
CULTURE = "cultures/van_maanens_star/culture.ron"
GREETING = "Good morning. What do you need?"


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The base texts whose candidates the rules are shown from now on."""
    seen: set[str] = set()
    validate = RuleSet.validate

    def watched(rules: RuleSet, subject: Subject) -> Sequence[Finding]:
        seen.add(subject.base)
        return validate(rules, subject)

    monkeypatch.setattr(RuleSet, "validate", watched)
    return seen


def base_texts(project: Project, npc_id: str | None = None) -> set[str]:
    with Workspace.open(project) as workspace:
        jobs = plan_zone(workspace, "test_hub").jobs
    return {job.line.line.base_text for job in jobs if npc_id in (None, job.line.npc.id)}


def from_scratch(project: Project) -> list[LineResult]:
    """Every line of the hub, judged from its stored candidates."""
    with Workspace.open(project) as workspace, BakeStore(store_path(project)) as store:
        store.keep_judged_lines([], [(one.npc_id, one.line_id) for one in store.judged_lines()])
        return judge_zone(workspace, plan_zone(workspace, "test_hub"), store)


def kept(project: Project) -> list[LineResult]:
    with Workspace.open(project) as workspace, BakeStore.read_only(store_path(project)) as store:
        return judge_zone(workspace, plan_zone(workspace, "test_hub"), store)


def store_path(project: Project) -> Path:
    return project.zone_build("test_hub") / "bake.sqlite"


def test_an_edited_line_is_judged_alone(baked: Project, judged: set[str]) -> None:
    edit(baked.root / IMKE, GREETING, "Good morning. What brings you here?")
    bake_all(baked)
    assert judged == {"Good morning. What brings you here?"}


@pytest.mark.parametrize(
    ("file", "old", "new", "npc_id"),
    [
        pytest.param(IMKE, '["look", "right"]', '["look", "yeah"]', "imke_dorr", id="a person's pause words"),
        pytest.param(IMKE, 'name: "Imke Dorr"', 'name: "Imke Torr"', None, id="a name that all lines may use"),
        pytest.param(ZONE, '["Ilsa Renn"]', '["Ilsa Renn", "Well"]', None, id="a glossary"),
        pytest.param(CULTURE, '"ma\'am"]', '"ma\'am", "yeah"]', None, id="a word that the culture refuses"),
        pytest.param(CULTURE, 'farewells: ["gotta move"', 'farewells: ["so long"', None, id="a culture's farewells"),
    ],
)
def test_what_a_rule_can_see_is_judged_again_when_it_changes(
    baked: Project, judged: set[str], file: str, old: str, new: str, npc_id: str | None
) -> None:
    edit(baked.root / file, old, new)
    bake_all(baked)
    assert judged >= base_texts(baked, npc_id)
    assert [one.choices for one in kept(baked)] == [one.choices for one in from_scratch(baked)]


def test_another_number_of_rounds_is_another_judgement(baked: Project, judged: set[str]) -> None:
    (baked.root / "voicebake.toml").write_text("[sampling]\nrounds = 1\n", "utf-8")
    bake_all(baked)
    assert judged >= base_texts(baked)


def approve(project: Project, reviewer: str) -> None:
    """Approves the Guarded text of Imke's greeting."""
    with Workspace.open(project) as workspace:
        decision = Decision(Action.approve, "imke_dorr", "greet", TellState.Guarded)
        decide(workspace, "test_hub", [decision], reviewer)


def test_a_decision_judges_its_line_and_who_decided_is_not_remembered_wrongly(baked: Project, judged: set[str]) -> None:
    approve(baked, "Ada")
    judged.clear()
    bake_all(baked)
    assert judged <= {GREETING}
    assert [one.choices for one in kept(baked)] == [one.choices for one in from_scratch(baked)]
    log_path(baked, "test_hub").unlink()
    approve(baked, "Bob")
    bake_all(baked)
    (greeting,) = (one for one in kept(baked) if one.job.line.line_id == "greet")
    decided = greeting.choices[TellState.Guarded].decided
    assert decided is not None
    assert decided.reviewer == "Bob"


def test_a_lost_result_is_made_again_without_judging(baked: Project, judged: set[str]) -> None:
    before = digest(baked)
    (baked.zone_build("test_hub") / "voiced_lines.parquet").unlink()
    baked.draft_cache.unlink()
    bake_all(baked)
    assert judged == set()
    assert digest(baked) == before


def test_what_is_kept_is_what_judging_gives(baked: Project, judged: set[str]) -> None:
    remembered = kept(baked)
    assert judged == set()
    again = from_scratch(baked)
    assert judged == base_texts(baked)
    assert any(choice.others for one in again for choice in one.choices.values())
    assert any(other.findings for one in again for choice in one.choices.values() for other in choice.others)
    assert remembered == again
    assert [list(one.choices) for one in remembered] == [list(one.choices) for one in again]


def test_a_line_that_is_gone_is_forgotten(baked: Project) -> None:
    edit(baked.root / IMKE, f'(id: "greet", base_text: "{GREETING}"),', "")
    bake_all(baked)
    with BakeStore.read_only(store_path(baked)) as store:
        lines = {(one.npc_id, one.line_id) for one in store.judged_lines()}
    with Workspace.open(baked) as workspace:
        assert lines == {(job.line.npc.id, job.line.line_id) for job in plan_zone(workspace, "test_hub").jobs}
    assert ("imke_dorr", "greet") not in lines


def test_a_stopped_bake_keeps_what_it_judged(project: Project, judged: set[str]) -> None:
    with Workspace.open(project) as workspace:
        asked = iter([False, False, True])
        bake(workspace, ["test_hub"], Silent(), lambda: next(asked))
    first = set(judged)
    assert len(first) == 2
    judged.clear()
    with Workspace.open(project) as workspace, BakeStore(store_path(project)) as store:
        generate_zone(workspace, plan_zone(workspace, "test_hub"), store, Silent())
    assert judged == base_texts(project) - first


def test_a_line_that_is_not_complete_is_not_kept(project: Project) -> None:
    with Workspace.open(project) as workspace, BakeStore(store_path(project)) as store:
        plan = plan_zone(workspace, "test_hub")
        assert not any(one.complete for one in judge_zone(workspace, plan, store))
        generated = generate_zone(workspace, plan, store, Silent())
    assert all(one.complete for one in generated.results)
