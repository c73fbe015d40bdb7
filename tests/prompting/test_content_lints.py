"""`injector-budget` and `example-figures` stand at the place that is to be mended."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.content import load_content_with_sources
from pipeline.content.lint import Level, Remark, View, lint_content
from pipeline.prompting import load_profile
from pipeline.prompting.content_lints import ExampleFigures, InjectorSize, LeakedText
from tests.content.test_loading import CULTURE, IMKE, JORA, TAM, edit
from tests.content_factory import write_project

BUDGET = load_profile(Path(__file__).parents[2] / "prompts/profiles", "base").injector


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def remarks_of(root: Path, old: str, new: str, *, counted: bool = True) -> list[Remark]:
    project = write_project(root)
    edit(project, CULTURE, old, new)
    more = (InjectorSize(BUDGET), ExampleFigures())
    remarks = lint_content(*load_content_with_sources(project), count_tokens=words if counted else None, more=more)
    return [each for each in remarks if each.lint in ("injector-budget", "example-figures")]


def test_a_block_that_is_too_long_is_named_at_its_own_place(tmp_path: Path) -> None:
    remarks = remarks_of(tmp_path, '"Direct and short.', '"' + "Direct and short. " * 20)
    assert [each.problem.message for each in remarks if "register" in each.problem.message] == [
        "register takes 72 tokens"
    ]
    (block,) = (each for each in remarks if "register" in each.problem.message)
    assert (block.level, block.problem.line, block.problem.hint) == (
        Level.error,
        6,
        "Shorten it: its budget is 45 tokens.",
    )


def test_an_injector_that_is_too_short(tmp_path: Path) -> None:
    (total,) = remarks_of(tmp_path, "Everyone is pressed for time; say what is needed and stop.", "No.")
    assert total.problem.message == "the injector with its institutions takes 109 tokens"
    assert (total.problem.hint or "").startswith("Lengthen it: its budget is 150 to 250 tokens. Now: register 5, ")


def test_an_estimate_says_so(tmp_path: Path) -> None:
    remarks = remarks_of(tmp_path, "Direct and short.", "Direct and short. " * 60, counted=False)
    assert [each.problem.message.partition(" takes ")[0] for each in remarks] == [
        "the injector with its institutions",
        "register",
    ]
    assert all("(estimated)" in each.problem.message for each in remarks)


def test_an_estimate_only_remarks_on_clear_cases(tmp_path: Path) -> None:
    assert remarks_of(tmp_path, "Direct and short.", "Direct and short.", counted=False) == []


def test_an_example_keeps_its_figures(tmp_path: Path) -> None:
    remarks = remarks_of(tmp_path, "Gate's shut till next shift.", "Gate's shut for eleven shifts.", counted=False)
    assert [(each.lint, each.problem.message) for each in remarks] == [
        ("example-figures", "'eleven' does not stand in the base text")
    ]
    assert remarks[0].problem.excerpt.splitlines()[0].lstrip().startswith("19 |")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (JORA, "stacks empty crates by the wall", "Drops the SAME seal, twice", "a tell behavior of imke_dorr"),
        (TAM, "Did Ilsa Renn send you?", "The counter closes at shift change, you know.", "an anchor of imke_dorr"),
        (CULTURE, "gives the gate a hard look", "keeps one hand on the gate lever", "a tell behavior of tam_orley"),
        (CULTURE, "Even and measured;", "Leaves the third tray unsorted;", "a tell behavior of imke_dorr"),
    ],
)
def test_what_must_never_reach_a_model_is_found_where_it_is_repeated(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    project = write_project(tmp_path)
    content = load_content_with_sources(project)
    assert list(LeakedText().check(View(*content))) == []
    edit(project, file, old, new)
    (problem,) = LeakedText().check(View(*load_content_with_sources(project)))
    assert (problem.file, problem.message) == (file, f"this repeats {said}")
    assert "authored here" in problem.excerpt


def test_a_short_anchor_may_be_repeated(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, IMKE, "Counter closes at shift change.", "Counter closes.")
    edit(project, TAM, "Did Ilsa Renn send you?", "The counter closes.")
    assert list(LeakedText().check(View(*load_content_with_sources(project)))) == []
