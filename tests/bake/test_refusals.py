"""What must stop a bake does so before anything is generated, and the earlier draft stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pipeline.bake import CanaryError, Silent, Workspace, bake
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.prompting import LeakError
from pipeline.validation.ruleset import RuleSet
from tests.project_fixture import bake_all, batches, digest, edit

IMKE = "test_hub/npcs/imke_dorr.ron"
CULTURE = "van_maanens_star/culture.ron"


def _plant_tell(project: Project) -> None:
    edit(project.zones / IMKE, "sorts pump seals into three trays", "sorts seals, turns the order screen face down")


def _plant_tell_of_another_zone(project: Project) -> None:
    path = next((project.zones / "test_yard/npcs").glob("*.ron"))
    edit(path, "stacks empty crates by the wall", "Keeps one hand on the gate-lever")


def _plant_anchor(project: Project) -> None:
    edit(project.zones / IMKE, "Good morning. What do you need?", "The counter closes at shift change, you know.")


@pytest.mark.parametrize("plant", [_plant_tell, _plant_tell_of_another_zone, _plant_anchor])
def test_a_leak_stops_the_bake_and_names_the_text(baked: Project, plant: Callable[[Project], None]) -> None:
    before, made = digest(baked), batches(baked)
    plant(baked)
    with pytest.raises(LeakError, match="stands in block 'task'"):
        bake_all(baked)
    assert (digest(baked), batches(baked)) == (before, made)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (f"zones/{IMKE}", 'id: "imke_dorr",', 'id: "imke_dorr"', "imke_dorr.ron:"),
        ("zones/test_hub/zone.ron", '"van_maanens_star"', '"van_manens_star"', "van_maanens_star"),
        (f"cultures/{CULTURE}", "(category: Angry,", "(category: Nervous,", "Angry"),
        (f"cultures/{CULTURE}", "Direct and short.", "Direct and short. " * 80, "injector"),
        (f"zones/{IMKE}", "nobody came.", "nobody came. " * 80, f"zones/{IMKE}:18:"),
    ],
    ids=["broken RON", "unknown culture", "missing tone row", "over-long injector", "over-long line"],
)
def test_broken_content_is_refused_with_the_earlier_draft_untouched(
    baked: Project, file: str, old: str, new: str, said: str
) -> None:
    before = digest(baked)
    edit(baked.root / file, old, new)
    with pytest.raises(UserError) as refused:
        bake_all(baked)
    assert said in str(refused.value)
    assert digest(baked) == before


def test_a_missed_canary_stops_the_bake(project: Project) -> None:
    with Workspace.open(project) as workspace:
        whole = workspace.rules
        for rule in whole.rules:
            blind = _Blind(rule)
            workspace.__dict__["rules"] = replace(whole, rules=(*(r for r in whole.rules if r is not rule), blind))
            with pytest.raises(CanaryError, match=f"canary missed by rule {rule.id}"):
                bake(workspace, ["test_hub"], Silent())
        assert workspace.engine.requests == []  # type: ignore[attr-defined]


def test_a_rule_that_crashes_blocks_every_candidate(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline.validation.rules.shape import Shape

    with Workspace.open(project) as workspace:
        rules: RuleSet = workspace.rules
        crashing = Shape()

        def crash(_subject: object) -> list[object]:
            raise RuntimeError("out of paper")

        object.__setattr__(crashing, "check", crash) if hasattr(crashing, "__dict__") else monkeypatch.setattr(
            Shape, "check", lambda _self, _subject: crash(None)
        )
        workspace.__dict__["rules"] = replace(rules, rules=(crashing,))
        monkeypatch.setattr("pipeline.bake.run.check_canaries", lambda _rules: 0)
        summary = bake(workspace, ["test_hub"], Silent())
    assert summary.zones[0].status.voiced == 0
    assert summary.zones[0].status.fallback_base == summary.zones[0].status.variants


class _Blind:
    """A rule that has gone blind: its canaries stay, but it finds nothing."""

    def __init__(self, rule: object) -> None:
        self.id = rule.id  # type: ignore[attr-defined]
        self.canaries = rule.canaries  # type: ignore[attr-defined]
        self.doc = rule.doc  # type: ignore[attr-defined]

    def check(self, _subject: object) -> list[object]:
        return []
