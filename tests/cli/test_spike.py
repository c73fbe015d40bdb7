"""`voicebake spike` as a studio uses it: measure, ask people, decide, compare."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli.app import app
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.spike.keys import Item, read_key
from pipeline.spike.questions import Sheet
from tests.spike.result_factory import Filling

EVALUATION = Path(__file__).parents[2] / "evaluation"
LINES = "8"


@pytest.fixture
def spiked(project: Project) -> Project:
    """The test project with the evaluation set."""
    shutil.copytree(EVALUATION / "v1", project.root / "evaluation" / "v1")
    return project


def spike(project: Project, *words: str) -> Result:
    at = 1 if words and words[0] in ("packet", "score", "compare") else 0
    return CliRunner().invoke(app, ["spike", *words[:at], "--project", str(project.root), *words[at:]])


def answer(project: Project, *words: str) -> Any:
    done = spike(project, *words, "--json")
    assert done.exit_code == 0, done.output
    (line,) = done.stdout.splitlines()
    return json.loads(line)


def test_it_writes_a_report_and_a_result_that_says_undecided(spiked: Project) -> None:
    found = answer(spiked, "--lines", LINES)
    (one,) = found["results"]
    assert one["decision"]["verdict"] == "undecided"
    assert found["files"] == [f"evaluation/results/{one['content_hash']}.json"]
    assert (spiked.root / found["files"][0]).is_file()
    assert "Spike report" in (spiked.root / found["report"]).read_text("utf-8")
    by_id = {each["id"]: each for each in one["criteria"]}
    assert {name for name, each in by_id.items() if each["hard"]} == {"tell-naming", "invented-facts"}
    for each in by_id.values():
        for measure in each["measures"]:
            assert list(measure) == [
                "id", "by", "what", "bar", "value", "cases", "small_sample", "interval", "met", "note", "lines",
            ]  # fmt: skip
            assert measure["by"] in ("rules", "people")
    assert {f"undertone-{state}" for state in ("Nervous", "Angry", "Friendly", "Guarded", "RoutineDeviation")} <= set(
        by_id
    )
    assert [row["arm"] for row in one["ablation"]] == [
        "without the culture injector",
        "without the guards",
        "without the tell context",
        "without the adapter",
    ]


def test_candidates_and_rounds_are_recorded(spiked: Project) -> None:
    (one,) = answer(spiked, "--lines", "2", "--candidates", "2", "--rounds", "1", "--threads", "1")["results"]
    assert (one["settings"]["candidates"], one["settings"]["rounds"]) == (2, 1)
    assert one["run"]["threads"] == 1


def test_people_are_asked_and_their_answers_decide_with_the_rest(spiked: Project) -> None:
    (one,) = answer(spiked, "--lines", LINES)["results"]
    (packet,) = answer(spiked, "packet", one["content_hash"][:8], "--reviewers", "2")
    key = read_key(spiked, packet["packet"])
    sheets = spiked.root / "build/spike/packets" / packet["packet"]
    assert (spiked.root / packet["key"]).parent.name == "keys"
    assert not list(sheets.rglob("*.json"))

    def objection(item: Item) -> dict[str, str]:
        return {"added": "yes"} if item.sheet is Sheet.checks else {}

    Filling(key, objection).fill(sheets)
    scored = answer(spiked, "score", packet["packet"], str(sheets))
    assert scored["people"]["missing"] == {"reviewer-1": 0, "reviewer-2": 0}
    assert {row["question"] for row in scored["people"]["agreement"]} >= {"careful", "of_culture", "kept"}
    (added,) = [each for each in scored["criteria"] if each["id"] == "invented-facts"]
    assert added["met"] is False
    assert scored["decision"]["reasons"][0] == "It can no longer become a go."
    assert scored["decision"]["verdict"] == "undecided"  # eight lines are not the set
    assert (spiked.root / scored["answers"]).is_file()
    again = answer(spiked, "--lines", LINES)["results"][0]
    assert again["people"] == scored["people"]


def test_a_bad_sheet_imports_nothing(spiked: Project) -> None:
    (one,) = answer(spiked, "--lines", LINES)["results"]
    (packet,) = answer(spiked, "packet", one["content_hash"][:8], "--reviewers", "2")
    sheets = spiked.root / "build/spike/packets" / packet["packet"]
    Filling(read_key(spiked, packet["packet"]), lambda _: {"careful": "hm"}).fill(sheets)
    done = spike(spiked, "score", packet["packet"], str(sheets))
    assert done.exit_code == 1
    assert "expected yes or no, found 'hm'" in str(done.exception)
    assert not (spiked.root / "evaluation/answers").exists()


def test_the_history_and_what_a_word_list_changed(spiked: Project) -> None:
    (old,) = answer(spiked, "--lines", "4")["results"]
    words = spiked.root / "prompts/vocabulary/politics.ron"
    words.write_text(words.read_text("utf-8").replace('term: "government"', 'term: "regime"', 1), "utf-8")
    (new,) = answer(spiked, "--lines", "4")["results"]
    listed = answer(spiked, "compare")["results"]
    assert {row["content_hash"] for row in listed} == {old["content_hash"], new["content_hash"]}
    found = answer(spiked, "compare", old["content_hash"][:12], new["content_hash"][:12])
    assert found["comparison"]["changed"] == ["word lists or rules"]
    assert found["comparison"]["lines"] == 4
    assert {row["verdict"] for row in found["comparison"]["outcomes"]} == {"no difference shown"}
    assert (spiked.root / found["report"]).is_file()


def test_a_budget_ends_it_and_the_same_command_goes_on(spiked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICEBAKE_FAKE_DELAY", "0.3")
    done = spike(spiked, "--lines", "6", "--rounds", "1", "--budget", "0.6s")
    assert done.exit_code == 4
    assert "The same command goes on." in done.stderr
    assert not (spiked.root / "evaluation/results").exists()
    monkeypatch.setenv("VOICEBAKE_FAKE_DELAY", "0")
    assert len(answer(spiked, "--lines", "6", "--rounds", "1")["results"]) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "a", "--model", "b", "--model", "c"), "3 models were given"),
        (("--ablate", "verbs"), "There is no ablation 'verbs'"),
        (("--culture", "sovary"), "There is no culture 'sovary'"),
        (("--evaluation", "v7"), "There is no evaluation set 'v7'"),
        (("packet", "abcd"), "names no result"),
        (("score", "abcd", "sheets"), "names no packet"),
        (("compare", "abcd"), "1 results were given"),
        (("compare", "abcd", "bcde"), "names no result"),
    ],
)
def test_a_wrong_word_is_told_without_a_traceback(spiked: Project, words: tuple[str, ...], said: str) -> None:
    done = spike(spiked, *words)
    assert done.exit_code == 1
    assert said in str(done.exception)
    assert isinstance(done.exception, UserError)
