"""Authored texts against the word lists, at the word itself; names that open a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.content import load_content_with_sources
from pipeline.content.lint import Level, Remark, lint_content
from pipeline.project import Project
from pipeline.prompting import load_profile
from pipeline.prompting.content_lints import ExampleFigures, InjectorSize, LeakedText
from pipeline.validation.content_lints import is_english, vocabulary_lints
from pipeline.validation.ruleset import RuleSet, build_rules
from tests.content.test_loading import CULTURE, HUB, IMKE, JORA, TAM, edit
from tests.project_fixture import bakeable_project

VOCABULARY = ("line-vocabulary", "example-vocabulary", "example-wording", "name-not-in-glossary")


@pytest.fixture
def small(tmp_path: Path) -> Project:
    return bakeable_project(tmp_path / "project")


def remarks_of(project: Project) -> list[Remark]:
    content, sources = load_content_with_sources(project)
    rules: RuleSet = build_rules(content, project.build)
    found = lint_content(content, sources, more=vocabulary_lints(rules))
    return [each for each in found if each.lint in VOCABULARY]


# Lint, file, what to replace, by what (‹ marks where the remark must stand), part of its message.
CASES = [
    ("line-vocabulary", IMKE, "The lift is broken again", "The lift is broken, ‹sergeant", "sergeant"),
    ("line-vocabulary", IMKE, "The lift is broken again", "The ‹senate is broken again", "senate"),
    ("line-vocabulary", IMKE, "The lift is broken again", "‹Sir, the lift is broken", "Sir"),
    ("line-vocabulary", TAM, "I cannot let you through", "I cannot let you through on ‹Monday", "Monday"),
    ("line-vocabulary", JORA, "stacks empty crates", "‹nervously stacks empty crates", "nervously"),
    ("line-vocabulary", IMKE, "drops the same seal twice", "drops the seal ‹nervously", "nervously"),
    ("example-vocabulary", CULTURE, "Gate's shut till next shift.", "Gate's shut, ‹sergeant.", "sergeant"),
    ("example-vocabulary", CULTURE, "Gate's shut till next shift.", "Gate's shut, ‹sir.", "sir"),
    ("example-vocabulary", CULTURE, "The gate is closed until", "The ‹senate's gate is closed until", "senate"),
    ("example-vocabulary", CULTURE, '"hey", "morning"', '"hey", "good morning ‹sergeant"', "sergeant"),
    ("example-vocabulary", CULTURE, '"stars", "cold vacuum"', '"stars", "‹goddamn"', "goddamn"),
    ("example-vocabulary", CULTURE, 'word: "shift lead"', 'word: "‹navy"', "navy"),
    ("name-not-in-glossary", IMKE, "Good morning. What", "Good morning. ‹Kelverin asks what", "the name Kelverin"),
    ("name-not-in-glossary", TAM, "I cannot let you through", "‹Kelverin's men cannot go through", "the name Kelverin"),
]


@pytest.mark.parametrize(("lint", "file", "old", "new", "message"), CASES)
def test_lint_finds_its_case(small: Project, lint: str, file: str, old: str, new: str, message: str) -> None:
    edit(small, file, old, new)
    before, mark, after = (small.root / file).read_text(encoding="utf-8").partition("‹")
    (small.root / file).write_text(before + after, encoding="utf-8")
    assert mark
    places = [
        (each.lint, each.problem.file, each.problem.line, each.problem.col)
        for each in remarks_of(small)
        if message in each.problem.message
    ]
    assert (lint, file, before.count("\n") + 1, len(before) - before.rfind("\n")) in places


def test_ordinary_openings_are_no_names(small: Project) -> None:
    edit(
        small, IMKE, "Good morning. What do you need?", "Everyone waits. Don't. Won't they? Rotors. Imke's here. Each."
    )
    edit(small, HUB, '"Ilsa Renn"', '"Ilsa Renn", "Kelverin"')
    edit(small, TAM, "I cannot let you through", "Kelverin said no. I cannot let you through")
    assert [str(each) for each in remarks_of(small)] == []


def test_a_waiver_names_its_reason(small: Project) -> None:
    edit(small, JORA, "stacks empty crates", "nervously stacks empty crates")
    edit(small, JORA, 'mood: "busy"', 'mood: "busy", waive: [(lint: "line-vocabulary", reason: "a test of nerves")]')
    assert {each.waived for each in remarks_of(small)} == {"a test of nerves"}


@pytest.mark.parametrize(
    ("word", "known"), [("someone", True), ("rotors", True), ("half-finished", True), ("ok", True), ("kelverin", False)]
)
def test_is_english(word: str, *, known: bool) -> None:
    assert is_english(word) is known


def test_the_demo_has_nothing_to_mend(small: Project) -> None:
    root = Project(Path(__file__).parents[2])
    content, sources = load_content_with_sources(root)
    injector = load_profile(root.prompts / "profiles", "base").injector
    later = (InjectorSize(injector), ExampleFigures(), LeakedText())
    more = (*later, *vocabulary_lints(build_rules(content, small.build)))
    remarks = lint_content(content, sources, more=more)
    assert [str(each) for each in remarks if each.level is not Level.note and each.waived is None] == []
