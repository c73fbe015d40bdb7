"""Go, no-go, undecided; and the better of two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.content.terms import TellState
from pipeline.spike.criteria import criteria, rule_criteria
from pipeline.spike.decision import Verdict, choose, decide
from pipeline.spike.measure import PEOPLE, Criterion, Measure
from pipeline.spike.people import PEOPLE_MEASURES, People
from pipeline.spike.result import Result
from pipeline.spike.rule_measures import suspects
from tests.spike.result_factory import changed, finding, good_lines, result


def _people(**values: float | None) -> People:
    """Everybody is content, but for `values` by measure id (with underscores)."""
    made = {}
    for name, (what, bar, at_most) in PEOPLE_MEASURES.items():
        value = values.get(name.replace("-", "_"), 0.0 if at_most else 1.0)
        made[name] = Measure(name, PEOPLE, what, bar, at_most, value, 10)
    return People(made)


def _criteria(made: Result, **values: float | None) -> list[Criterion]:
    return criteria(made.content, _people(**values))


@pytest.mark.parametrize(
    ("values", "verdict", "soft"),
    [
        ({}, Verdict.go, 5),
        ({"people_convinced": 0.5}, Verdict.go, 4),
        ({"people_kept_behavior": 0.89}, Verdict.go, 4),
        ({"people_kept_behavior": 0.9}, Verdict.go, 5),
        ({"people_sensed_Guarded": 0.7}, Verdict.go, 4),
        ({"people_recognised": 0.7, "people_register": 1}, Verdict.go, 4),
        ({"people_convinced": 0.5, "people_kept_dialogue": 0.5}, Verdict.no_go, 3),
        ({"people_named": 1}, Verdict.no_go, 5),
        ({"people_added": 1}, Verdict.no_go, 5),
        ({"people_explained": 0.0, "people_sensed_Neutral": 1.0}, Verdict.go, 5),
        ({"people_convinced": None}, Verdict.undecided, 4),
        ({"people_added": None, "people_named": 3}, Verdict.undecided, 5),
    ],
)
def test_the_rule(values: dict[str, float | None], verdict: Verdict, soft: int) -> None:
    made = result()
    decision = decide(_criteria(made, **values), made.content)
    assert (decision.verdict, decision.soft_met) == (verdict, soft)
    assert decision.reasons


def test_without_people_it_is_undecided_whatever_rules_say() -> None:
    for made in (result(), result(changed(good_lines(), 5, TellState.Angry, findings=(finding("tell-naming"),)))):
        decision = decide(rule_criteria(made), made.content)
        assert decision.verdict is Verdict.undecided
        assert any("nobody was asked" in reason for reason in decision.reasons)


def test_a_part_of_the_set_decides_nothing() -> None:
    made = result(set_lines=61)
    decision = decide(_criteria(made), made.content)
    assert decision.verdict is Verdict.undecided
    assert "Only 60 of the set's 61 lines were voiced." in decision.reasons


@pytest.mark.parametrize(
    ("rule", "criterion"),
    [("tell-naming", "tell-naming"), ("fidelity", "invented-facts"), ("new-names", "invented-facts")],
)
def test_a_suspicion_counts_until_people_clear_it(rule: str, criterion: str) -> None:
    made = result(changed(good_lines(), 5, TellState.Guarded, findings=(finding(rule),)))
    case = (made.content.lines[5].id, TellState.Guarded)
    (questions,) = suspects(made.content).values()
    assert decide(_criteria(made), made.content).verdict is Verdict.no_go
    cleared = replace(_people(), cleared={question: frozenset({case}) for question in questions})
    found = criteria(made.content, cleared)
    assert decide(found, made.content).verdict is Verdict.go
    (before,) = [one for one in _criteria(made) if one.id == criterion]
    assert [one.line for one in before.measures[0].lines] == [case[0]]


def test_a_cleared_suspicion_is_told() -> None:
    made = result(changed(good_lines(), 5, TellState.Guarded, findings=(finding("fidelity"),)))
    case = (made.content.lines[5].id, TellState.Guarded)
    cleared = replace(_people(), cleared=dict.fromkeys(("added",), frozenset({case})))
    (added,) = [one for one in criteria(made.content, cleared) if one.id == "invented-facts"]
    assert added.measures[0].value == 0
    assert added.measures[0].note.startswith("1 of 1 suspected texts were cleared by people; ")


def test_six_variants_of_a_line_make_no_large_sample() -> None:
    few = {one.id: one.measures[0] for one in rule_criteria(result(good_lines(10)))}
    assert few["information-behaviors"].cases == 60
    assert few["information-behaviors"].small
    many = {one.id: one.measures[0] for one in rule_criteria(result(good_lines(30)))}
    assert not many["information-behaviors"].small


def test_what_is_lost_is_no_addition() -> None:
    made = result(changed(good_lines(), 5, TellState.Guarded, findings=(finding("fidelity", points=False),)))
    assert suspects(made.content) == {}


def test_a_variant_without_a_text_keeps_nothing_and_shows_no_state() -> None:
    lines = good_lines()
    for at in range(13):
        lines = changed(lines, at, TellState.Nervous, text=None)
    found = {one.id: one for one in _criteria(result(lines))}
    assert found["undertone-Nervous"].met is False
    measure = found["undertone-Nervous"].measures[0]
    assert measure.value == pytest.approx(47 / 60, abs=0.001)
    assert "no candidate passed" in measure.lines[0].why


def test_the_bar_of_exclamations_and_institution_words() -> None:
    lines = changed(good_lines(), 0, TellState.Neutral, text="No oath at all")
    lines = changed(lines, 1, TellState.Angry, text="the council, angry")
    found = {one.id: one for one in _criteria(result(lines))}
    assert found["exclamations"].met is False
    assert found["institution-words"].met is False
    assert found["institution-words"].measures[0].value == pytest.approx(5 / 6, abs=0.001)


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ({}, {}, None),
        ({"people_convinced": 0.5}, {}, 1),
        ({}, {"people_named": 1}, 0),
        ({"people_named": 1}, {"people_added": 1}, None),
        ({"people_kept_behavior": 0.95, "people_kept_dialogue": 0.95}, {"people_convinced": 0.0}, 1),
        ({"people_convinced": None}, {}, None),
    ],
)
def test_the_better_of_two(first: dict[str, float | None], second: dict[str, float | None], winner: int | None) -> None:
    made = result()
    found = [_criteria(made, **values) for values in (first, second)]
    choice = choose(found[0], found[1], (decide(found[0], made.content), decide(found[1], made.content)))
    assert choice.winner == winner
    assert choice.reason
