"""Which zones a change touches."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from pipeline.bake import Workspace, plan_zone, project_status
from pipeline.bake.changed import touched_zones
from pipeline.content import load_content
from pipeline.project import Project
from tests.content_factory import CULTURE
from tests.generation.gguf_files import write_adapter
from tests.git_fixture import commit, git, make_repository
from tests.project_fixture import bake_all, edit

HUB, YARD = "test_hub", "test_yard"
IMKE, JORA = "zones/test_hub/npcs/imke_dorr.ron", "zones/test_yard/npcs/jora_vant.ron"
STAR = "cultures/van_maanens_star/culture.ron"
OTHER = "cultures/other_star/culture.ron"


@pytest.fixture
def repository(project: Project) -> Project:
    """The test project with a second culture, which the yard speaks, under git."""
    folder = project.cultures / "other_star"
    folder.mkdir()
    (folder / "culture.ron").write_text(CULTURE.replace("van_maanens_star", "other_star"), encoding="utf-8")
    edit(project.zones / "test_yard/zone.ron", "van_maanens_star", "other_star")
    for culture in ("van_maanens_star", "other_star"):
        edit(project.cultures / culture / "culture.ron", 'name: "Van', 'adapter: "voice.gguf",\n    name: "Van')
        write_adapter(project.cultures / culture / "voice.gguf", seed=1)
    make_repository(project)
    return project


def _edit(path: str, old: str, new: str) -> Callable[[Project], None]:
    return lambda project: edit(project.root / path, old, new)


def _write(path: str, text: str) -> Callable[[Project], None]:
    def write(project: Project) -> None:
        (project.root / path).parent.mkdir(parents=True, exist_ok=True)
        (project.root / path).write_text(text, encoding="utf-8")

    return write


def _remove_yard(project: Project) -> None:
    shutil.rmtree(project.zones / "test_yard")
    edit(project.zones / "test_hub/zone.ron", '"test_yard"', "")


CASES: dict[str, tuple[Callable[[Project], object], dict[str, list[str]]]] = {
    "nothing": (lambda project: None, {}),
    "a line": (_edit(IMKE, "need?", "need today?"), {HUB: ["npc imke_dorr"]}),
    "a remark": (_edit(IMKE, "Npc(", "// a remark\nNpc("), {}),
    "a line of the other zone": (_edit(JORA, "Mind the loader.", "Mind the new loader."), {YARD: ["npc jora_vant"]}),
    "a glossary": (_edit("zones/test_hub/zone.ron", "Dock Nine", "Dock Ten"), {HUB: ["zone.ron"]}),
    "a culture": (_edit(STAR, "Show skill", "Show your skill"), {HUB: ["culture van_maanens_star"]}),
    "the other culture": (_edit(OTHER, "Show skill", "Show your skill"), {YARD: ["culture other_star"]}),
    "an oath": (
        _edit(STAR, '"stars"', '"black stars"'),
        {HUB: ["culture van_maanens_star", "oaths"], YARD: ["oaths foreign to other_star"]},
    ),
    "an adapter": (_write("cultures/other_star/voice.gguf", "GGUF2"), {YARD: ["adapter of other_star"]}),
    "a voice bank": (_write("cultures/other_star/notes.txt", "to be trained"), {}),
    "a guard": (
        _edit(
            "prompts/guards/ni1_religion.ron",
            "vocabulary: [",
            'vocabulary: [(term: "quorbletide", severity: block, group: "x"),',
        ),
        {HUB: ["guards"], YARD: ["guards"]},
    ),
    "a word list": (
        _edit(
            "prompts/vocabulary/politics.ron",
            "vocabulary: [",
            'vocabulary: [(term: "quorbletide", severity: block, group: "x"),',
        ),
        {HUB: ["word lists"], YARD: ["word lists"]},
    ),
    "a template": (
        _write("prompts/profiles/base.j2", "{{ line }}"),
        {HUB: ["prompt templates"], YARD: ["prompt templates"]},
    ),
    "settings": (_write("voicebake.toml", "[sampling]\nrounds = 2\n"), {HUB: ["voicebake.toml"], YARD: ["voicebake"]}),
    "the code": (_write("pipeline/any.py", ""), {HUB: ["voicebake itself"], YARD: ["voicebake itself"]}),
    "verdicts": (_write("review_queue/test_hub.verdicts.jsonl", "{}\n"), {HUB: ["verdicts"]}),
    "other files": (_write("docs/notes.md", "hello"), {}),
    "an NPC removed": (lambda project: (project.root / IMKE).unlink(), {HUB: ["npc imke_dorr"]}),
    "a zone removed": (_remove_yard, {HUB: ["zone.ron"]}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_change_touches_the_zones_that_depend_on_it(repository: Project, case: str) -> None:
    before = git(repository.root, "rev-parse", "HEAD")
    change, wanted = CASES[case]
    change(repository)
    commit(repository, case)
    touched = touched_zones(repository, load_content(repository), before)
    assert {zone.zone: len(zone.why) for zone in touched} == {zone: len(why) for zone, why in wanted.items()}
    for zone in touched:
        for said, expected in zip(zone.why, wanted[zone.zone], strict=True):
            assert said.startswith(expected)


def test_after_a_commit_with_mistakes_every_zone_is_touched(repository: Project) -> None:
    good = (repository.root / IMKE).read_text("utf-8")
    (repository.root / IMKE).write_text("Npc(", encoding="utf-8")
    before = commit(repository, "a mistake")
    (repository.root / IMKE).write_text(good, encoding="utf-8")
    touched = touched_zones(repository, load_content(repository), before)
    assert [zone.zone for zone in touched] == [HUB, YARD]
    assert all("cannot be read" in why for zone in touched for why in zone.why)


def test_a_zone_that_nothing_touches_stays_finished(repository: Project) -> None:
    bake_all(repository)
    _edit(STAR, '"hey"', '"hoy"')(repository)
    touched = touched_zones(repository, load_content(repository), "HEAD")
    with Workspace.open(repository) as workspace:
        stale = {
            one.zone
            for one in project_status(workspace, [plan_zone(workspace, zone) for zone in (HUB, YARD)])
            if one.stale
        }
    assert stale == {zone.zone for zone in touched} == {HUB}
