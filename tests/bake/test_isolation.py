"""An edit costs what it touches and no more."""

from __future__ import annotations

from pathlib import Path

from pipeline.cache import VoiceCache
from pipeline.project import Project
from pipeline.store import BakeStore
from tests.project_fixture import bake_all, bakeable_project, batches, digest, edit

IMKE = "test_hub/npcs/imke_dorr.ron"


def test_editing_one_line_generates_exactly_that_line(baked: Project) -> None:
    before = batches(baked)
    edit(baked.zones / IMKE, "Good morning. What do you need?", "Good morning. What do you want?")
    summary = bake_all(baked)
    new = batches(baked) - before
    assert {(npc, line) for npc, line, *_ in new} == {("imke_dorr", "greet")}
    assert [zone.tally.lines for zone in summary.zones] == [1, 0]


def test_reverting_an_edit_generates_nothing(baked: Project) -> None:
    first = digest(baked)
    edit(baked.zones / IMKE, "What do you need?", "What do you want?")
    bake_all(baked)
    assert digest(baked) != first
    edit(baked.zones / IMKE, "What do you want?", "What do you need?")
    before = batches(baked)
    bake_all(baked)
    assert batches(baked) == before
    assert digest(baked) == first


def test_adding_an_npc_touches_no_other_text(baked: Project) -> None:
    before = batches(baked)
    with VoiceCache(baked.draft_cache) as cache:
        texts = {(npc, line.line_id): cache.template(npc, line.line_id, "Guarded") for npc, line in _lines(cache)}
    text = (baked.zones / IMKE).read_text("utf-8")
    for old, new in (("imke_dorr", "anna_dorr"), ("Imke Dorr", "Anna Dorr"), ("sorts pump seals", "counts pump seals")):
        text = text.replace(old, new)
    (baked.zones / "test_hub/npcs/anna_dorr.ron").write_text(text, "utf-8")
    bake_all(baked)
    assert {npc for npc, *_ in batches(baked) - before} <= {"anna_dorr"}
    with VoiceCache(baked.draft_cache) as cache:
        assert {key: cache.template(*key, "Guarded") for key in texts} == texts
        assert "anna_dorr" in cache.npcs("test_hub")


def test_editing_a_word_list_generates_no_existing_candidate_and_changes_choices(baked: Project) -> None:
    before = batches(baked)
    with BakeStore.read_only(baked.zone_build("test_hub") / "bake.sqlite") as store:
        chosen = next(c for c in store.choices() if c.voiced and "Same as ever." in c.voiced)
    guard = min((baked.prompts / "guards").glob("*.ron"))
    text = guard.read_text("utf-8")
    assert text.count("vocabulary: [") == 1
    entry = 'vocabulary: [(term: "same as ever", severity: block, group: "test"), '
    guard.write_text(text.replace("vocabulary: [", entry), "utf-8")
    bake_all(baked)
    assert batches(baked) == before
    with VoiceCache(baked.draft_cache) as cache:
        now = cache.template(chosen.npc_id, chosen.line_id, chosen.tell_state).text
    assert "Same as ever." not in now


def test_a_zone_alone_bakes_the_same_as_among_others(project: Project, tmp_path: Path) -> None:
    from pipeline.bake import Silent, Workspace, bake

    bake_all(project)
    alone = bakeable_project(tmp_path / "alone")
    with Workspace.open(alone) as workspace:
        bake(workspace, ["test_hub"], Silent())
    assert batches(alone) == batches(project)


def _lines(cache: VoiceCache) -> list[tuple[str, object]]:
    return [(npc, line) for npc in cache.npcs() for line in cache.lines(npc)]
