"""From answers to measures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pipeline.content.terms import TellState
from pipeline.spike.answers import AnswerRow, Answers
from pipeline.spike.criteria import criteria
from pipeline.spike.decision import Verdict, decide
from pipeline.spike.keys import Item, Key
from pipeline.spike.packet import make_key
from pipeline.spike.questions import CONVINCED, LINE, Sheet
from pipeline.spike.result import Result
from pipeline.spike.scoring import Scores, score
from tests.spike.result_factory import CONTROLS, changed, finding, good_lines, perfect, result

MADE = result()
KEY = make_key(MADE, CONTROLS, reviewers=3, per_state=10)
Instead = Callable[[Item], dict[str, str]]


def _answers(key: Key, instead: Instead = lambda _item: {}, left_out: tuple[str, ...] = ()) -> Answers:
    """What the reviewers of `perfect` answered, as an import keeps it; an empty answer is none."""
    codes = {one.code: one for one in key.items}
    rows = []
    for item in key.items:
        for question, answer in (perfect(item, key) | instead(item)).items():
            said = answer if question in ("what", "why") else answer.lower()
            said = "yes" if said == "y" else said
            named = codes.get(answer) if question == LINE else None
            if said:
                rows.append(
                    AnswerRow(
                        reviewer=item.reviewer,
                        sheet=item.sheet,
                        line=item.line,
                        control=item.control,
                        tell=named.tell if named else item.tell,
                        question=question,
                        answer=named.line if named else said,
                    )
                )
    return Answers(packet=key.packet, content_hash=key.content_hash, left_out=left_out, rows=tuple(rows))


def _score(instead: Instead = lambda _item: {}, made: Result = MADE, left_out: tuple[str, ...] = ()) -> Scores:
    key = make_key(made, CONTROLS, reviewers=3, per_state=10)
    return score(key, _answers(key, instead, left_out), made)


def _verdict(scores: Scores, made: Result = MADE) -> Verdict:
    return decide(criteria(made.content, scores.people), made.content).verdict


def test_reviewers_who_find_nothing_wrong_make_it_a_go() -> None:
    scores = _score()
    values = {name: one.value for name, one in scores.people.measures.items()}
    assert values.pop("people-named") == values.pop("people-added") == values.pop("people-register") == 0
    assert values.pop("people-sensed-Neutral") == 0.0
    assert set(values.values()) == {1.0}
    assert scores.missing == dict.fromkeys(KEY.reviewers, 0)
    assert _verdict(scores) is Verdict.go


def _said(reviewers: int, sheet: Sheet, tell: TellState, **answers: str) -> Instead:
    """The first reviewers answer so on the first variant of a state."""
    line = min(one.line for one in KEY.of("reviewer-1", sheet) if one.tell is tell)
    names = KEY.reviewers[:reviewers]
    return lambda item: (
        answers if (item.sheet, item.line, item.tell) == (sheet, line, tell) and item.reviewer in names else {}
    )


@pytest.mark.parametrize(
    ("instead", "measure", "value", "verdict"),
    [
        (_said(1, Sheet.lines, TellState.Nervous, says_what="yes"), "people-named", 0, Verdict.go),
        (_said(2, Sheet.lines, TellState.Nervous, says_what="yes"), "people-named", 1, Verdict.no_go),
        (_said(2, Sheet.checks, TellState.Guarded, added="yes"), "people-added", 1, Verdict.no_go),
        (_said(3, Sheet.lines, TellState.Guarded, careful="no"), "people-sensed-Guarded", 0.9, Verdict.go),
        (_said(1, Sheet.lines, TellState.Guarded, careful="no"), "people-sensed-Guarded", 1.0, Verdict.go),
        (_said(2, Sheet.checks, TellState.Neutral, sounds_like="comic"), "people-register", 1, Verdict.go),
        (_said(2, Sheet.lines, TellState.Neutral, careful="yes"), "people-sensed-Neutral", 0.1, Verdict.go),
    ],
)
def test_the_majority_counts(instead: Instead, measure: str, value: float, verdict: Verdict) -> None:
    scores = _score(instead)
    assert scores.people.measures[measure].value == value
    assert _verdict(scores) is verdict


def test_an_even_split_counts_against_a_text() -> None:
    scores = _score(_said(1, Sheet.lines, TellState.Nervous, says_what="yes"), left_out=("reviewer-3",))
    assert scores.people.measures["people-named"].value == 1
    sensed = _score(_said(1, Sheet.lines, TellState.Nervous, careful="no"), left_out=("reviewer-3",))
    assert sensed.people.measures["people-sensed-Nervous"].value == 0.9


def test_the_lines_behind_a_measure_carry_what_reviewers_said() -> None:
    scores = _score(_said(2, Sheet.lines, TellState.Nervous, careful="no", what="Stops a leak."))
    (one,) = scores.people.measures["people-sensed-Nervous"].lines
    assert "reviewer-1: no (Stops a leak.)" in one.why
    assert "reviewer-3: yes" in one.why
    assert one.text


def test_one_missing_answer_keeps_it_undecided_and_is_counted() -> None:
    scores = _score(_said(1, Sheet.lines, TellState.Guarded, careful=""))
    assert scores.people.measures["people-sensed-Guarded"].value is None
    assert scores.missing == {"reviewer-1": 1, "reviewer-2": 0, "reviewer-3": 0}
    assert _verdict(scores) is Verdict.undecided


def test_a_reviewer_who_sent_nothing_is_waited_for_unless_somebody_says_not_to() -> None:
    def silent(item: Item) -> dict[str, str]:
        return dict.fromkeys(perfect(item, KEY), "") if item.reviewer == "reviewer-2" else {}

    scores = _score(silent)
    assert scores.missing["reviewer-2"] > 0
    assert _verdict(scores) is Verdict.undecided
    without = _score(silent, left_out=("reviewer-2",))
    assert without.reviewers == ("reviewer-1", "reviewer-3")
    assert _verdict(without) is Verdict.go


def test_every_reviewer_has_to_name_a_line_that_convinced() -> None:
    scores = _score(lambda item: {"line": "none"} if (item.reviewer, item.line) == ("reviewer-2", CONVINCED) else {})
    measure = scores.people.measures["people-convinced"]
    assert measure.value == pytest.approx(2 / 3, abs=0.001)
    assert measure.met is False
    assert any("It sounds lived in." in one.why for one in scores.favourites)


def test_people_can_clear_what_a_rule_suspects() -> None:
    made = result(changed(good_lines(), 7, TellState.Friendly, findings=(finding("fidelity"), finding("tell-naming"))))
    assert _verdict(_score(made=made), made) is Verdict.go
    line = made.content.lines[7].id

    def doubt(item: Item) -> dict[str, str]:
        return {"added": "yes"} if (item.line, item.tell) == (line, TellState.Friendly) else {}

    assert _verdict(_score(doubt, made), made) is Verdict.no_go


def test_a_variant_without_a_text_is_missed() -> None:
    asked = next(one for one in KEY.lines if one.tell is TellState.Nervous)
    at = next(number for number, line in enumerate(good_lines()) if line.id == asked.line)
    made = result(changed(good_lines(), at, TellState.Nervous, text=None))
    assert _score(made=made).people.measures["people-sensed-Nervous"].value == 0.9


def test_recognition_counts_controls_too() -> None:
    scores = _score(lambda item: {"of_culture": "yes"} if item.control else {})
    value = scores.people.measures["people-recognised"].value
    controls = sum(one.control for one in KEY.of("reviewer-1", Sheet.culture))
    assert value == pytest.approx(1 - controls / 20, abs=0.001)


def test_agreement_is_cohen_s_kappa_over_pairs() -> None:
    scores = _score(_said(1, Sheet.lines, TellState.Nervous, careful="no"))
    by_question = {(one.sheet, one.question): one for one in scores.agreement}
    careful = by_question["lines", "careful"]
    # 29 yes, 10 no, 1 apart: observed .975, expected (30 * 29 + 10 * 11) / 1600 = .6125 in two of the three pairs
    assert careful.kappa == pytest.approx((1 + 2 * (0.975 - 0.6125) / (1 - 0.6125)) / 3, abs=0.001)
    assert careful.same == pytest.approx((1 + 2 * 0.975) / 3, abs=0.001)
    assert (careful.pairs, careful.items) == (3, 40)
    assert by_question["checks", "kept"].kappa is None
    assert by_question["checks", "kept"].same == 1.0
