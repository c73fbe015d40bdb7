from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from pipeline.content import load_content
from pipeline.content.models import Content
from pipeline.content.terms import TellState
from pipeline.content.voice_bank import load_bank
from pipeline.generation.vocabulary import Tokens, Vocabulary
from pipeline.project import Project
from pipeline.prompting import LineJob, load_profile, zone_jobs
from pipeline.training.examples import ExampleMaker, toned_cultures
from tests.bank_factory import bank_text, write_bank
from tests.project_fixture import bakeable_project


class Letters:
    """A vocabulary of letters: what is encoded can be read back."""

    leading: Tokens = (0,)

    def encode(self, text: str, *, special: bool = False) -> Tokens:
        return tuple(map(ord, text))


def read(tokens: Tokens) -> str:
    return "".join(chr(token) for token in tokens if token)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return bakeable_project(tmp_path)


def maker(project: Project, lines: list[tuple[str, str]], names: tuple[str, ...] = ()) -> ExampleMaker:
    write_bank(project, bank_text(lines, names))
    content = load_content(project)
    loaded = load_bank(project, "van_maanens_star")
    assert loaded is not None
    folder = project.prompts / "profiles"
    return ExampleMaker(
        content,
        content.cultures["van_maanens_star"],
        loaded.bank,
        load_profile(folder, "adapter"),
        load_profile(folder, "reverse"),
        cast(Vocabulary, Letters()),
    )


def test_training_and_bake_send_the_same_prompt(project: Project) -> None:
    """The prompt of a zone's line, and the one that its twin in the bank is trained with, are one text."""
    content = load_content(project)
    zone_id = next(zone for zone in content.zones if content.zones[zone].lines)
    job = _jobs(content, project, zone_id)[0]
    ref = job.line
    make = maker(project, [(ref.kind.value, ref.line.base_text)])
    entry = make.bank.lines[0].model_copy(
        update={
            "traits": ref.npc.traits,
            "mood": ref.npc.mood,
            "fillers": ref.npc.cultural_markers.filler_words,
            "affect": ref.line.affect,
        }
    )
    own_rows = [make._cultures[0]]
    make._cultures[:] = own_rows
    tree = next(iter(make.trees(entry, 0, 0)))
    trained = {branch.name.split()[1]: read(tree.trunk) + read(branch.prompt) for branch in tree.branches}
    assert trained == {one.key.tell_state.value: one.text for one in job.jobs}


def _jobs(content: Content, project: Project, zone_id: str) -> tuple[LineJob, ...]:
    profile = load_profile(project.prompts / "profiles", "adapter")
    unbounded = replace(profile, injector=replace(profile.injector, at_least=0))
    return zone_jobs(content, zone_id, unbounded, {}, lambda texts: [1] * len(texts))


def test_facts_are_masked_alike_on_both_sides(project: Project) -> None:
    make = maker(project, [("dialogue", "Orla has 12 crates.")], names=("Orla",))
    trees = list(make.trees(make.bank.lines[0], 0, 1))
    assert "{P1} has {N1} crates." in read(trees[0].trunk)
    answers = {read(branch.answer) for branch in trees[0].branches}
    assert answers == {f" {{P1}} has {{N1}} crates. {state.value}\n" for state in TellState}
    assert read(trees[1].branches[0].answer) == " {P1} has {N1} crates.\n"


def test_a_form_that_loses_a_figure_is_left_out_and_noted(project: Project) -> None:
    make = maker(project, [("dialogue", "It has 12 crates.")])
    line = make.bank.lines[0]
    bad = line.model_copy(update={"voiced": line.voiced.model_copy(update={"angry": "It has crates."})})
    names = [branch.name for branch in next(iter(make.trees(bad, 0, 0))).branches]
    assert "dialogue Angry" not in names
    assert len(names) == 5
    assert make.left_out == {(line.base, "Angry")}


def test_wordings_change_with_the_turn_and_never_by_chance(project: Project) -> None:
    make = maker(project, [("dialogue", f"The pump on deck {letter} is broken.") for letter in "abcdefgh"])
    turns = [
        [read(b.prompt) for line in make.bank.lines for t in make.trees(line, turn, 0) for b in t.branches]
        for turn in (0, 1)
    ]
    again = [read(b.prompt) for line in make.bank.lines for t in make.trees(line, 0, 0) for b in t.branches]
    assert turns[0] == again
    assert turns[0] != turns[1]


def test_every_wording_of_a_row_is_used_and_short_lists_start_again(project: Project) -> None:
    culture = load_content(project).cultures["van_maanens_star"]
    toned = toned_cultures(culture, ())
    assert len(toned) == 2  # Guarded has a row towards one person
    assert {one.tone(TellState.Guarded) for one in toned} == {
        row.text for row in culture.tell_tones if row.category is TellState.Guarded
    }
    assert {one.tone(TellState.Angry) for one in toned} == {culture.tone(TellState.Angry)}
