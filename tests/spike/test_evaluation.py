"""The shipped evaluation set, and what is said of a broken one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.content.problems import ContentErrors
from pipeline.content.terms import Affect, Kind
from pipeline.content.voice_bank import load_bank
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.spike.evaluation import AUTHORITY, About, Register, load_evaluation
from tests.project_fixture import edit

ROOT = Project(Path(__file__).parents[2])


def test_the_shipped_set_has_what_the_spike_needs() -> None:
    evaluation = load_evaluation(ROOT)
    lines = evaluation.set.lines
    kinds = Counter(line.kind for line in lines)
    assert kinds[Kind.behavior] >= 30
    assert kinds[Kind.dialogue] >= 30
    assert {(line.kind, line.about) for line in lines} == {(kind, about) for kind in Kind for about in About}
    assert len({line.base for line in lines}) == len(lines)
    calling = [line for line in lines if line.exclamation]
    assert len(calling) >= 5
    assert {line.affect for line in calling} == {Affect.high}
    assert sum(AUTHORITY in line.base for line in lines) >= 5
    assert {one.register_ for one in evaluation.controls} == set(Register)
    assert len(evaluation.controls) >= 12


def test_no_line_of_the_set_stands_in_a_zone_or_a_voice_bank() -> None:
    content = load_content(ROOT)
    bases = {ref.line.base_text for zone in content.zones.values() for ref in zone.lines}
    for culture in content.cultures:
        loaded = load_bank(ROOT, culture)
        bases |= {line.base for line in loaded.bank.lines} if loaded else set()
    assert [line.id for line in load_evaluation(ROOT).set.lines if line.base in bases] == []


def test_authority_words_are_the_culture_s_own_and_do_not_depend_on_how_many_lines_are_picked() -> None:
    evaluation = load_evaluation(ROOT)
    for culture in load_content(ROOT).cultures.values():
        words = evaluation.authority_words(culture)
        assert set(words.values()) == {each.word for each in culture.institutions.use}
        assert set(words) == {line.id for line in evaluation.set.lines if AUTHORITY in line.base}


def test_a_few_lines_are_some_of_each_kind_and_the_first_of_more() -> None:
    evaluation = load_evaluation(ROOT)
    few = evaluation.picked(14)
    assert Counter(line.kind for line in few) == {Kind.behavior: 7, Kind.dialogue: 7}
    assert {line.about for line in few} == set(About)
    assert evaluation.picked(20)[:14] == few
    assert sorted(line.id for line in evaluation.picked(None)) == sorted(line.id for line in evaluation.set.lines)


def test_the_digest_is_of_what_the_lines_say(spike_project: Project) -> None:
    before = load_evaluation(spike_project).digest
    path = spike_project.root / "evaluation/v1/lines.ron"
    path.write_text(path.read_text("utf-8") + "// a remark\n", "utf-8")
    assert load_evaluation(spike_project).digest == before
    edit(path, "opens the drain valve", "closes the drain valve")
    assert load_evaluation(spike_project).digest != before


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("lines.ron", 'version: "v1"', 'version: "v2"', "the folder's name is v1"),
        ("lines.ron", 'id: "b_ledger"', 'id: "b_valve"', "the id 'b_valve' is there already"),
        ("lines.ron", 'speaker: "fitter", base: "opens', 'speaker: "nobody", base: "opens', "no speaker 'nobody'"),
        ("lines.ron", "opens the drain valve", "opens {the drain valve", "`{` stands alone"),
        ("lines.ron", "opens the drain valve", "opens the [authority] [authority]", "more than one [authority]"),
        ("lines.ron", "opens the drain valve", "opens <start_of_turn>", "a mark that steers a model"),
        ("controls.ron", "register: comic, text: \"Oh great", "register: funny, text: \"Oh great", "funny"),
    ],
)  # fmt: skip
def test_a_mistake_is_shown_with_its_place(spike_project: Project, file: str, old: str, new: str, said: str) -> None:
    edit(spike_project.root / "evaluation/v1" / file, old, new)
    with pytest.raises(ContentErrors) as error:
        load_evaluation(spike_project)
    assert said in str(error.value)
    assert f"evaluation/v1/{file}:" in str(error.value)


def test_an_unknown_version_and_a_missing_set_say_what_to_do(spike_project: Project, project: Project) -> None:
    with pytest.raises(UserError, match="There are: v1"):
        load_evaluation(spike_project, "v9")
    (project.root / "evaluation").rename(project.root / "elsewhere")
    with pytest.raises(UserError, match="no evaluation set"):
        load_evaluation(project)
