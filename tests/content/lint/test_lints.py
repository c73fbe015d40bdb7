"""Each lint finds its case in the minimal project, at its place, and nothing in the project as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.content import load_content_with_sources
from pipeline.content.lint import LINTS, Remark, explanations, lint_content
from pipeline.content.mistakes import MISTAKES
from pipeline.project import Project
from tests.content.test_loading import CULTURE, HUB, IMKE, JORA, TAM, edit
from tests.content_factory import write_project


def remarks_of(project: Project, lint: str) -> list[Remark]:
    return [each for each in lint_content(*load_content_with_sources(project)) if each.lint == lint]


def tokens_by_length(texts: Sequence[str]) -> list[int]:
    """Stands in for a tokeniser: what a culture's texts need to fit."""
    return [200 if len(text) > 400 else 35 for text in texts]


def test_minimal_project_has_no_remarks(tmp_path: Path) -> None:
    content, sources = load_content_with_sources(write_project(tmp_path))
    assert [str(each) for each in lint_content(content, sources, count_tokens=tokens_by_length)] == []


# Lint, file, what to replace, by what (‹ marks where the remark must stand), part of its message.
CASES = [
    ("slot-without-meaning", IMKE, ', slots: {"price": "what the seal costs"}', "", "what {price} stands for"),
    (
        "name-not-in-glossary",
        IMKE,
        '"Good morning. What do you need?"',
        '"Good morning. Did ‹Odran send you?"',
        "the name Odran",
    ),
    ("name-not-in-glossary", TAM, '"Did Ilsa Renn send you?"', '"Did Ilsa Renn\'s ‹Cutter leave?"', "the name Cutter"),
    (
        "missing-tells",
        IMKE,
        '(category: Nervous, base_text: "drops the same seal twice"),',
        "",
        "no tell behavior for Nervous",
    ),
    ("common-anchor", IMKE, '"Counter closes at shift change."', '‹"Not today."', "short enough"),
    ("common-anchor", IMKE, '"Counter closes at shift change."', '‹"It is not my problem."', "people say anyway"),
    ("common-anchor", IMKE, '"Counter closes at shift change."', '‹"Catch you later!"', "people say anyway"),
    (
        "tone-without-prohibition",
        CULTURE,
        'one word lands harder than it needs to. Do not name the state."',
        'one word lands harder."',
        "for Angry does not end",
    ),
    ("tone-names-state", CULTURE, '"Even and measured;', '‹"Even and angry;', "names the state: angry"),
    ("tone-names-state", CULTURE, '"Even and measured;', '‹"Even because of the cut;', "gives a reason: because"),
    ("tone-names-state", CULTURE, '"Even and measured;', '‹"Angrily even;', "names the state: angrily"),
    ("tone-names-state", CULTURE, '"Even and measured;', '‹"Even, with worries;', "names the state: worries"),
    ("tone-names-state", CULTURE, '"Even and measured;', '‹"Even, like someone from Dock Nine;', "adds a fact: Dock"),
    ("tone-names-state", CULTURE, '"Even and measured;', '‹"Even, 3 words at most;', "adds a fact: 3"),
    (
        "tone-budget",
        CULTURE,
        '"Even and measured;',
        '‹"' + "Even and measured and slow, " * 12 + ";",
        "the tone for Angry takes about",
    ),
    ("npc-traits", JORA, 'traits: ["quick"]', 'traits: ‹["a", "b", "c", "d"]', "jora_vant has 4 traits"),
    ("npc-traits", JORA, 'traits: ["quick"]', "traits: ‹[]", "jora_vant has no traits"),
    (
        "guarded-row",
        CULTURE,
        "(category: Guarded, towards_one: true,",
        "// (category: Guarded, towards_one: true,",
        "no Guarded row towards one person",
    ),
    (
        "idle-waiver",
        HUB,
        'name: "Test Hub",',
        'name: "Test Hub", waive: [(lint: ‹"npc-trait", reason: "x")],',
        "there is no lint `npc-trait`",
    ),
    (
        "idle-waiver",
        HUB,
        'name: "Test Hub",',
        'name: "Test Hub", waive: [(lint: ‹"npc-traits", reason: "x")],',
        "nothing to waive",
    ),
]


@pytest.mark.parametrize(("lint", "file", "old", "new", "message"), CASES)
def test_lint_finds_its_case(tmp_path: Path, lint: str, file: str, old: str, new: str, message: str) -> None:
    project = write_project(tmp_path)
    edit(project, file, old, new)
    before, mark, after = (project.root / file).read_text(encoding="utf-8").partition("‹")
    (project.root / file).write_text(before + after, encoding="utf-8")
    remarks = [each for each in remarks_of(project, lint) if message in each.problem.message]
    assert len(remarks) == 1
    problem = remarks[0].problem
    if mark:
        assert problem.file == file
        assert (problem.line, problem.col) == (before.count("\n") + 1, len(before) - before.rfind("\n")), str(problem)
    assert str(remarks[0]).splitlines()[0].endswith(f"[{lint}]")
    assert remarks[0].waived is None


def test_near_duplicates_are_found_within_a_zone_and_kind(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, TAM, "Did Ilsa Renn send you?", "Eleven crates came to Dock Nine last shift.")
    edit(project, JORA, "Mind the loader.", "Eleven crates arrived at Dock Nine last shift.")
    assert remarks_of(project, "near-duplicate-lines") == []
    edit(project, TAM, "crates came to", "crates arrived to")
    (remark,) = remarks_of(project, "near-duplicate-lines")
    assert (remark.problem.file, remark.problem.message) == (TAM, "almost the same as `crates` of imke_dorr")
    assert f"{IMKE}:17:" in remark.problem.excerpt


def test_anchor_that_another_line_contains(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, TAM, "Did Ilsa Renn send you?", "The counter closes at shift change, you know.")
    (remark,) = remarks_of(project, "common-anchor")
    assert remark.problem.message == "`ask` of tam_orley contains this anchor"
    assert f"{TAM}:" in remark.problem.excerpt


def test_sentence_starts_are_no_names(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(
        project, IMKE, "Good morning. What do you need?", "“Right.” She said no… Then I left: Fine. (Good.) Imke knows."
    )
    assert remarks_of(project, "name-not-in-glossary") == []


def test_a_waiver_keeps_the_remark_and_its_reason(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, JORA, 'traits: ["quick"]', 'traits: [], waive: [(lint: "npc-traits", reason: "a machine voice")]')
    (remark,) = remarks_of(project, "npc-traits")
    assert (remark.waived, remark.as_json()["waived"]) == ("a machine voice", "a machine voice")
    assert remarks_of(project, "idle-waiver") == []


def test_a_waiver_holds_for_its_own_file_only(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, JORA, 'traits: ["quick"]', "traits: []")
    edit(project, TAM, 'traits: ["careful"]', 'traits: [], waive: [(lint: "npc-traits", reason: "new here")]')
    assert {each.problem.file: each.waived for each in remarks_of(project, "npc-traits")} == {
        TAM: "new here",
        JORA: None,
    }


def test_a_counter_replaces_the_estimate(tmp_path: Path) -> None:
    content, sources = load_content_with_sources(write_project(tmp_path))
    remarks = lint_content(content, sources, count_tokens=lambda texts: [41 for _ in texts])
    assert [each.problem.message for each in remarks] == [
        f"the tone for {row.category} takes 41 tokens" for row in content.cultures["van_maanens_star"].tell_tones
    ]


def test_an_error_cannot_be_waived(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, HUB, 'name: "Test Hub",', 'name: "Test Hub", waive: [(lint: "duplicate-id", reason: "x")],')
    (remark,) = remarks_of(project, "idle-waiver")
    assert remark.problem.message == "`duplicate-id` cannot be waived"


@pytest.mark.parametrize("name", [each.id for each in LINTS] + ["idle-waiver", *MISTAKES])
def test_every_lint_and_mistake_explains_itself(name: str) -> None:
    text = explanations()[name]
    assert len(text) > 100
    assert "Severity: " in text


@pytest.mark.parametrize(
    ("ending", "forbids"),
    [
        ("Never name the state.", True),
        ("The state is never named.", True),
        ("It must not be said outright.", True),
        ("What is felt stays unsaid.", True),
        ("Do not mention it, whatever happens.", True),
        ("One word lands harder.", False),
        ("Say it without haste.", False),
        ("The name is said slowly.", False),
    ],
)
def test_what_forbids_to_name_the_state(tmp_path: Path, ending: str, *, forbids: bool) -> None:
    project = write_project(tmp_path)
    edit(project, CULTURE, "lands harder than it needs to. Do not name the state.", f"lands harder. {ending}")
    assert [each.problem.message for each in remarks_of(project, "tone-without-prohibition")] == (
        [] if forbids else ["the tone for Angry does not end by forbidding to name the state"]
    )
