"""From review to bank: only settled lines, once, without touching what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.bake import Workspace, decide
from pipeline.bake.bank import Harvest, bank_from_review
from pipeline.content.bank_writing import add_to_bank, bank_entry
from pipeline.content.problems import ContentErrors
from pipeline.content.terms import Affect, Kind, TellState
from pipeline.content.voice_bank import BankLine, VoiceBank, VoicedForms, load_bank
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.review import Action, Decision
from tests.bank_factory import bank_text, write_bank

HUB, CULTURE = "test_hub", "van_maanens_star"
FORMS = {
    TellState.Neutral: 'Eleven crates came in at Dock Nine: "last shift".',
    TellState.Nervous: "Eleven crates. Dock Nine, last shift.",
    TellState.Angry: "Eleven crates arrived, last shift, at Dock Nine. Eleven.",
    TellState.Friendly: "Look, eleven crates came in at Dock Nine over last shift.",
    TellState.Guarded: "At Dock Nine, last shift, there were eleven crates.",
    TellState.RoutineDeviation: "Last shift. At Dock Nine, eleven crates arrived, last shift.",
}


def settle(project: Project, line: str = "crates", *, states: tuple[TellState, ...] = tuple(TellState)) -> None:
    with Workspace.open(project) as workspace:
        decisions = [Decision(Action.edit, "imke_dorr", line, state, text=FORMS[state]) for state in states]
        decide(workspace, HUB, decisions, "Ada")


def harvest(project: Project) -> Harvest:
    with Workspace.open(project) as workspace:
        [one] = bank_from_review(workspace, HUB)
    return one


def bank(project: Project) -> VoiceBank:
    found = load_bank(project, CULTURE)
    assert found is not None
    return found.bank


def test_a_settled_line_is_added_once_and_the_rest_stays_byte_for_byte(baked: Project) -> None:
    before = bank_text([("dialogue", "The lift is down."), ("behavior", "checks the seal")], ["Ilsa Renn"])
    before = before.replace("    ],\n)", "    ], // the end\n)")
    path = write_bank(baked, before)
    held_out = {line.base: line.held_out for line in bank(baked).lines}
    settle(baked)
    assert harvest(baked) == Harvest(CULTURE, path, added=1, known=0, unsettled=8)
    line = bank(baked).lines[-1]
    assert (line.kind, line.base) == (Kind.dialogue, "Eleven crates arrived at Dock Nine last shift.")
    assert {state: line.voiced.of(state) for state in TellState} == FORMS
    assert (line.traits, line.mood, line.fillers) == (("blunt", "patient"), "tired but steady", ("look",))
    assert bank(baked).names == ("Ilsa Renn", "Dock Nine")
    assert {one.base: one.held_out for one in bank(baked).lines[:-1]} == held_out
    after = path.read_text("utf-8")
    for kept in (*before.splitlines()[2:5], "// the end"):
        assert kept in after
    assert harvest(baked) == Harvest(CULTURE, path, added=0, known=1, unsettled=8)
    assert path.read_text("utf-8") == after


def test_a_culture_without_a_bank_gets_one(baked: Project) -> None:
    settle(baked)
    assert harvest(baked).added == 1
    assert [line.base for line in bank(baked).lines] == ["Eleven crates arrived at Dock Nine last shift."]
    assert bank(baked).names == ("Dock Nine",)


def test_a_line_with_five_settled_variants_is_no_example(baked: Project) -> None:
    settle(baked, states=tuple(TellState)[:5])
    with pytest.raises(UserError, match="no line has all six variants"):
        harvest(baked)


def test_a_bank_with_mistakes_is_told_and_left_alone(baked: Project) -> None:
    settle(baked)
    path = write_bank(baked, "(lines: [(kind: dialogue)])")
    with pytest.raises(ContentErrors):
        harvest(baked)
    assert path.read_text("utf-8") == "(lines: [(kind: dialogue)])"


LINE = BankLine(
    kind=Kind.dialogue,
    base='A "base" \\ text\u200b.',
    affect=Affect.high,
    voiced=VoicedForms(**dict.fromkeys(VoicedForms.model_fields, "Fine – “yes”.")),
)


@pytest.mark.parametrize(
    "text",
    [
        "(lines: [{entry}])",
        "(lines: [{entry},], names: [])",
        "(names: [], lines: [\n{entry}, // with, commas ]\n],)",
        'VoiceBank(lines: [{entry}], names: ["A",])',
        "// a comment (\n(lines: [{entry} /* last, */ , ])",
    ],
)
def test_whatever_the_file_looks_like_it_is_read_again(tmp_path: Path, text: str) -> None:
    project = Project(tmp_path)
    first = LINE.model_copy(update={"base": "First.", "affect": Affect.even})
    (tmp_path / "cultures" / CULTURE).mkdir(parents=True)
    write_bank(project, text.replace("{entry}", bank_entry(first)))
    names = set(bank(project).names)
    add_to_bank(project, CULTURE, [LINE, LINE.model_copy(update={"base": "Third."})], ["Dock Nine"])
    assert bank(project).lines == (first, LINE, LINE.model_copy(update={"base": "Third."}))
    assert set(bank(project).names) == names | {"Dock Nine"}
