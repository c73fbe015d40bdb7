"""What people decided, in the choice: held texts stay, rejected ones go, waivers and requests count."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.selection import CandidateText, Held, Standing, VariantFacts, choose_variant
from pipeline.validation.finding import CRASHED, Finding

FACTS = VariantFacts("The lift is broken again and nobody came.", Kind.dialogue, TellState.Neutral)
BEST = "The lift's broken again, and nobody came."
NEXT = "The lift's out again, and nobody came."
WORSE = "Broken, the lift, once more, and still nobody at all came round here to see to it, not a single one"


def validate(state: TellState, candidate: CandidateText, neutral: str | None) -> Sequence[Finding]:
    """`shape` blocks texts with an exclamation mark and asks about those with a question mark."""
    if "!" in candidate.voiced:
        return [Finding("shape", Severity.block, "Loud.", (0, 1), "Calm down.")]
    if "?" in candidate.voiced:
        return [Finding("shape", Severity.review, "A question.")]
    return []


def at(index: int, voiced: str, *, round: int = 0, attempt: int = 0) -> CandidateText:
    return CandidateText(round, index, voiced, voiced, not voiced.endswith(" to"), attempt=attempt)


CANDIDATES = [at(0, BEST), at(1, NEXT), at(2, WORSE)]


def chosen(standing: Standing, candidates: Sequence[CandidateText] = CANDIDATES) -> str | None:
    choice = choose_variant(FACTS, candidates, validate, standing)
    return choice.chosen.candidate.voiced if choice.chosen else None


@pytest.mark.parametrize(
    ("standing", "text", "is_decided"),
    [
        pytest.param(Standing(), BEST, False, id="nothing decided"),
        pytest.param(Standing(held=Held(WORSE)), WORSE, True, id="an approved candidate"),
        pytest.param(Standing(held=Held("My own.", edited=True)), "My own.", True, id="a text of no candidate"),
        pytest.param(Standing(held=Held("Own?")), "Own?", True, id="a review finding was seen on the own line"),
        pytest.param(Standing(held=Held("Loud!")), BEST, False, id="blocked by today's rules"),
        pytest.param(Standing(rejected=frozenset({BEST})), NEXT, False, id="the best one is rejected"),
        pytest.param(Standing(rejected=frozenset({BEST, NEXT, WORSE})), None, False, id="all are rejected"),
        pytest.param(Standing(approved={WORSE: Held(WORSE, own=False)}), WORSE, True, id="approved elsewhere"),
        pytest.param(Standing(approved={"Not here.": Held("Not here.", own=False)}), BEST, False, id="not a candidate"),
        pytest.param(Standing(passed_over=frozenset({BEST})), NEXT, False, id="others were asked for"),
        pytest.param(Standing(passed_over=frozenset({BEST, NEXT, WORSE})), BEST, False, id="there are no others"),
        pytest.param(Standing(held=Held(NEXT), disputed={NEXT: "who?"}), NEXT, False, id="in question: stays, waits"),
        pytest.param(
            Standing(approved={WORSE: Held(WORSE, own=False)}, disputed={WORSE: "who?"}), BEST, False, id="disputed"
        ),
    ],
)
def test_what_stands_decides(standing: Standing, text: str | None, is_decided: bool) -> None:
    choice = choose_variant(FACTS, CANDIDATES, validate, standing)
    assert (choice.chosen.candidate.voiced if choice.chosen else None) == text
    assert (choice.decided is not None) is is_decided


def test_a_blocked_decision_is_handed_on_with_its_findings() -> None:
    choice = choose_variant(FACTS, CANDIDATES, validate, Standing(held=Held("Loud!")))
    assert choice.lapsed is not None
    assert [one.rule for one in choice.lapsed.findings] == ["shape"]
    assert choose_variant(FACTS, CANDIDATES, validate, Standing(held=Held("Fine."))).lapsed is None


def test_a_waiver_turns_findings_on_its_text_into_remarks() -> None:
    waived = {"Loud!": {"shape": "he shouts"}}
    choice = choose_variant(FACTS, [at(0, "Loud!"), at(1, "Louder!")], validate, Standing(waived=waived))
    assert choice.chosen is not None
    assert choice.chosen.candidate.voiced == "Loud!"
    [finding] = choice.chosen.findings
    assert (finding.severity, finding.span, finding.suggestion) == (Severity.info, (0, 1), None)
    assert finding.message == "Loud. Waived: he shouts"
    assert choice.decided is None  # a waiver is no approval
    assert not choice.others[0].passes


def test_a_rule_that_failed_cannot_be_waived() -> None:
    failed = Finding("shape", Severity.block, f"{CRASHED}KeyError: 'x'")
    standing = Standing(waived={"Text.": {"shape": "so"}})
    assert standing.waive("Text.", [failed]) == (failed,)


@pytest.mark.parametrize(
    ("accepted", "counts"), [(frozenset({"shape"}), True), (frozenset(), False), (frozenset({"tics"}), False)]
)
def test_an_approval_from_elsewhere_counts_where_no_new_rule_asks(accepted: frozenset[str], counts: bool) -> None:
    standing = Standing(approved={"Out?": Held("Out?", own=False, accepted=accepted)})
    choice = choose_variant(FACTS, [at(0, "Out?")], validate, standing)
    assert choice.chosen is not None
    assert (choice.decided is not None) is counts


def test_what_was_asked_for_last_is_looked_at_first() -> None:
    candidates = [at(0, BEST), at(0, NEXT, round=1, attempt=1), at(0, WORSE, round=1, attempt=2)]
    assert chosen(Standing(), candidates) == WORSE
    assert chosen(Standing(rejected=frozenset({WORSE})), candidates) == NEXT
    assert chosen(Standing(rejected=frozenset({WORSE, NEXT})), candidates) == BEST


def test_the_others_hold_neither_the_held_text_nor_a_rejected_one() -> None:
    standing = Standing(held=Held(NEXT), rejected=frozenset({WORSE}))
    choice = choose_variant(FACTS, [*CANDIDATES, at(3, NEXT)], validate, standing)
    assert [one.candidate.voiced for one in choice.others] == [BEST]


def test_who_decided_makes_no_difference() -> None:
    assert Held("A.", verdict="1", reviewer="Ada") == Held("A.", verdict="2", reviewer="Bo")
