"""Did a change help? Line by line, and only what a test shows is called better."""

from __future__ import annotations

import pytest

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.spike.comparison import ablation_table, compare_lines, compare_results, figures
from pipeline.spike.outcomes import OUTCOME, drift, is_distinct, keeps_authority
from pipeline.spike.result import AblationRow, ArmRow, LineRow, Result, content_hash
from tests.spike.result_factory import changed, finding, good_lines, result


def _worse(lines: tuple[LineRow, ...], count: int, **changes: object) -> tuple[LineRow, ...]:
    for at in range(count):
        lines = changed(lines, at, TellState.Nervous, **changes)
    return lines


def _verdicts(first: tuple[LineRow, ...], second: tuple[LineRow, ...]) -> dict[str, str]:
    return {one.id: one.verdict for one in compare_lines(first, second).differences}


def test_the_same_lines_show_no_difference() -> None:
    found = compare_lines(good_lines(), good_lines())
    assert found.texts == ()
    assert {one.verdict for one in found.differences} == {"no difference shown"}
    assert {one.paired.difference for one in found.differences} == {0.0}


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"text": None}, "voiced"),
        ({"findings": (finding("fidelity"),)}, "fidelity"),
        ({"findings": (finding("fidelity"),)}, "invented"),
        ({"findings": (finding("tell-naming"),)}, "naming"),
        ({"text": "base of b0"}, "distinctness"),
        ({"blocked": 4}, "passing"),
        ({"hits": {"franchise-bleed": 2}}, "franchise"),
        ({"hits": {"earth-idiom": 1, "guard-vocabulary/NI-5": 1}}, "earth"),
    ],
)
def test_what_many_lines_lose_is_worse_and_what_one_loses_is_not_shown(
    changes: dict[str, object], outcome: str
) -> None:
    lines = good_lines()
    if outcome == "distinctness":
        pairs = [(line, line.variants[0].text) for line in lines[:12]]
        many = tuple(changed((line,), 0, TellState.Nervous, text=neutral)[0] for line, neutral in pairs) + lines[12:]
        one = (many[0], *lines[1:])
    else:
        many, one = _worse(lines, 12, **changes), _worse(lines, 1, **changes)
    assert _verdicts(lines, many)[outcome] == "worse"
    assert _verdicts(many, lines)[outcome] == "better"
    assert _verdicts(lines, one)[outcome] == "no difference shown"


def test_two_results_say_what_was_changed() -> None:
    first = result()
    content = first.content.model_copy(update={"inputs": first.content.inputs.model_copy(update={"rules": "other"})})
    second = Result(content_hash=content_hash(content), content=content, run=first.run)
    assert compare_results(first, second).changed == ("word lists or rules",)
    assert compare_results(first, result(model="another")).changed == ()


def test_lines_whose_base_text_changed_are_not_compared() -> None:
    lines = good_lines(3)
    other = (lines[0].model_copy(update={"base": "something else"}), *lines[1:])
    assert compare_lines(lines, other).lines == len(lines) - 1
    with pytest.raises(UserError, match="share no line"):
        compare_results(result(lines[:1]), result(other[:1]))


def test_an_ablation_is_compared_on_its_own_lines_and_others_are_explained() -> None:
    lines = good_lines()
    made = result(lines)
    arms = (*made.content.arms, ArmRow(arm="guards", lines=_worse(lines, 10, hits={"franchise-bleed": 4})[:12]))
    rows = (
        AblationRow(arm="injector", applies=True, why="not run: --ablate injector"),
        AblationRow(arm="guards", applies=True, why=""),
        AblationRow(arm="adapter", applies=False, why="no adapter is in use"),
    )
    content = made.content.model_copy(update={"arms": arms, "ablations": rows})
    injector, guards, adapter = ablation_table(content)
    assert injector == ("without the culture injector", "not run: --ablate injector", None)
    assert adapter == ("without the adapter", "not applicable: no adapter is in use", None)
    assert guards[2] is not None
    (franchise,) = [one for one in guards[2].differences if one.id == "franchise"]
    assert guards[2].lines == 12
    assert franchise.verdict == "worse"
    assert franchise.paired.small


def test_outcomes_leave_out_what_is_no_case() -> None:
    line = changed(good_lines(), 0, TellState.Angry, text=None)[0]
    assert OUTCOME["invented"].of(line, line.variant(TellState.Angry)) is None
    assert OUTCOME["distinctness"].of(line, line.variant(TellState.Neutral)) is None
    assert not is_distinct(line, line.variant(TellState.Angry))
    assert drift(line.variants[0].model_copy(update={"candidates": 0}), frozenset({"x"})) is None


@pytest.mark.parametrize(
    ("text", "findings", "right"),
    [
        ("Commission's late.", (), True),
        ("commission, late", (), True),
        ("Boss is late.", (), False),
        ("The Commission, and the senate.", (finding("politics"),), False),
        (None, (), False),
    ],
)
def test_an_institution_word_is_kept_or_it_is_wrong(
    text: str | None, findings: tuple[object, ...], right: bool
) -> None:
    line = changed(good_lines(), 1, TellState.Neutral, text=text, findings=findings)[1]
    assert keeps_authority(line, line.variant(TellState.Neutral)) is right


def test_the_figures_of_one_result_are_means_over_lines() -> None:
    made = result(_worse(good_lines(), 6, hits={"franchise-bleed": 4}))
    found = {one.id: one for one in figures(made.content)}
    assert set(found) == set(OUTCOME)
    drift_of = found["franchise"]
    assert drift_of.mean == pytest.approx(6 / 60 / 6, abs=0.001)  # all candidates of one variant of six, on six lines
    assert drift_of.interval is not None
    assert drift_of.interval[0] < drift_of.mean < drift_of.interval[1]
    assert not drift_of.small
