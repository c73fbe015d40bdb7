"""Packets are blind, shuffled by hash, and say nothing of what they measure."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.content.terms import Kind, TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.spike.keys import Key, read_key, write_key
from pipeline.spike.packet import STATES, make_key
from pipeline.spike.questions import QUESTIONS, Sheet
from pipeline.spike.result import Result
from pipeline.spike.sheets import ITEM, write_sheets
from tests.spike.result_factory import CONTROLS, changed, finding, good_lines, result

ROOT = Project(Path(__file__).parents[2])
CULTURE = load_content(ROOT).cultures["van_maanens_star"]


def _key(made: Result, reviewers: int = 3) -> Key:
    return make_key(made, CONTROLS, reviewers=reviewers, per_state=10)


def test_each_state_is_asked_for_ten_times_half_of_them_behaviors_and_no_line_twice() -> None:
    made = result()
    key = _key(made)
    kinds = {line.id: line.kind for line in made.content.lines}
    assert Counter(one.tell for one in key.lines) == dict.fromkeys(STATES, 10)
    assert Counter((one.tell, kinds[one.line]) for one in key.lines) == {(s, k): 5 for s in STATES for k in Kind}
    assert len({one.line for one in key.lines}) == len(key.lines)


def test_ten_lines_of_which_some_are_controls() -> None:
    key = _key(result())
    for reviewer in key.reviewers:
        groups = Counter((one.group, one.control) for one in key.of(reviewer, Sheet.culture))
        assert {group: groups[group, True] + groups[group, False] for group in (1, 2)} == {1: 10, 2: 10}
        assert all(4 <= groups[group, False] <= 6 for group in (1, 2))
    assert {one.tell for one in key.recognised} == {TellState.Neutral}


def test_it_is_the_same_each_time_and_another_order_for_each_reviewer() -> None:
    made = result()
    assert _key(made) == _key(made)
    key = _key(made)
    orders = [[(one.line, one.tell) for one in key.of(name, Sheet.lines)] for name in key.reviewers]
    assert orders[0] != orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2])
    assert len({one.code for one in key.items}) == len(key.items)


def test_other_controls_make_another_packet() -> None:
    made = result()
    assert make_key(made, CONTROLS[1:], reviewers=3, per_state=10).packet != _key(made).packet


def test_packets_of_two_models_ask_for_the_same_variants() -> None:
    first, second = _key(result()), _key(result(model="another"))
    assert first.packet != second.packet
    assert first.lines == second.lines
    assert first.recognised == second.recognised


def test_a_variant_without_a_text_is_asked_for_and_not_shown() -> None:
    asked = _key(result()).lines[0]
    at = next(number for number, line in enumerate(good_lines()) if line.id == asked.line)
    key = _key(result(changed(good_lines(), at, asked.tell, text=None)))
    assert asked in key.lines
    assert (asked.line, asked.tell) not in {(one.line, one.tell) for one in key.items}


def test_what_rules_suspect_is_checked_by_people() -> None:
    suspect = next(
        number
        for number, line in enumerate(good_lines())
        if (line.id, "Angry") not in {(one.line, one.tell) for one in _key(result()).lines}
    )
    key = _key(result(changed(good_lines(), suspect, TellState.Angry, findings=(finding("tell-naming"),))))
    checks = {(one.line, one.tell) for one in key.of("reviewer-1", Sheet.checks)}
    assert (good_lines()[suspect].id, TellState.Angry) in checks


def test_sheets_name_no_state_no_model_and_no_answer(tmp_path: Path) -> None:
    made = result()
    key = _key(made)
    texts = [one.text for line in made.content.lines for one in line.variants if one.text]
    write_sheets(tmp_path, key, CULTURE, {line.id: line.kind.value for line in made.content.lines})
    for path in tmp_path.rglob("*.*"):
        shown = path.read_text("utf-8-sig")
        for text in texts:  # the texts of the factory name their state
            shown = shown.replace(text, "")
        for secret in (
            "a model",
            "adapter",
            "Nervous",
            "Guarded",
            "Neutral",
            "RoutineDeviation",
            "control",
            made.short,
        ):
            assert secret not in shown, (path, secret)
    for number, sheet in enumerate(Sheet, 1):
        with (tmp_path / "reviewer-1" / f"{number}-{sheet}.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == len(key.of("reviewer-1", sheet))
        assert set(rows[0]) >= {ITEM, *(question.id for question in QUESTIONS[sheet])}
        assert {row[question.id] for row in rows for question in QUESTIONS[sheet]} == {""}


def test_base_texts_come_only_after_the_first_sheet(tmp_path: Path) -> None:
    made = result()
    write_sheets(tmp_path, _key(made), CULTURE, {})
    for path in tmp_path.rglob("*.csv"):
        assert ("base of" in path.read_text("utf-8-sig")) is path.name.startswith("4-")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@SUM(A1)", "\t=1"])
def test_no_text_is_a_formula(tmp_path: Path, text: str) -> None:
    lines = good_lines()
    for at in range(len(lines)):
        for state in TellState:
            lines = changed(lines, at, state, text=text)
    write_sheets(tmp_path, _key(result(lines)), CULTURE, {})
    with (tmp_path / "reviewer-1" / "1-lines.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {row["text"] for row in csv.DictReader(file)} == {f"'{text}"}


def test_sheets_are_never_written_over(tmp_path: Path) -> None:
    key = _key(result())
    write_sheets(tmp_path, key, CULTURE, {})
    with pytest.raises(UserError, match="may hold answers"):
        write_sheets(tmp_path, key, CULTURE, {})


def test_a_key_is_read_again_by_the_start_of_its_name(project: Project) -> None:
    key = _key(result())
    write_key(project, key)
    assert read_key(project, key.packet[:6]) == key
    with pytest.raises(UserError, match=f"The packets are: {key.packet}"):
        read_key(project, "zz")
    with pytest.raises(UserError, match="no packet"):
        read_key(project, "../results/x")


def test_nothing_voiced_makes_no_packet() -> None:
    lines = good_lines(2)
    for at in range(len(lines)):
        for state in TellState:
            lines = changed(lines, at, state, text=None)
    with pytest.raises(UserError, match="no voiced line to show"):
        _key(result(lines))
