"""Vocabulary adherence: what counts as a culture's word used rightly, and what as one used wrongly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content.terms import Severity
from pipeline.validation.adherence import VOCABULARY_RULES, adherence
from pipeline.validation.finding import Finding
from pipeline.validation.rules.culture_words import sample_culture
from pipeline.validation.ruleset import rule_docs


def test_its_rules_exist() -> None:
    assert rule_docs().keys() >= VOCABULARY_RULES


@pytest.mark.parametrize(
    ("base", "voiced", "used"),
    [
        ("Good morning.", "Morning.", ["morning"]),
        ("It is late.", "It's late every morning.", []),
        ("I must go.", "Gotta move. Late already.", ["gotta move"]),
        ("The seal is gone!", "Void take it, seal’s gone. Look, gone.", ["void take it", "look"]),
        ("Look at the seal.", "Look at that seal.", []),
        ("The stars are out.", "Stars are out.", []),
        ("The Commission wants its share.", "Commission wants its cut.", ["commission"]),
        ("Commissions take their share.", "Commissions, they take it.", ["commission"]),
        ("The council wants its share.", "Commission wants its cut.", ["commission"]),
        ("Hey. The Commission closed it.", "Hey, look, Commission closed it.", ["hey", "look", "commission"]),
    ],
)
def test_words_used_rightly(base: str, voiced: str, used: list[str]) -> None:
    measured = adherence(base, voiced, sample_culture(), ["look"], ())
    assert (list(measured.used), measured.wrong, measured.score) == (used, (), 1.0)


@pytest.mark.parametrize(
    ("base", "voiced", "findings", "used", "wrong"),
    [
        ("The Commission shut it.", "They shut it.", (), 0, '"commission" of the base text is gone.'),
        ("The gate is shut.", "Commission shut the gate.", (), 0, '"commission" has no cause in the base text.'),
        (
            "The gate is shut.",
            "Morning. Void take it, gate's shut.",
            (Finding("exclamations", Severity.review, "calm", (9, 21)),),
            1,
            "calm",
        ),
        (
            "It is shut.",
            "It's shut. Hello.",
            (Finding("greetings", Severity.review, "no greeting", (11, 16)),),
            0,
            "no",
        ),
    ],
)
def test_words_used_wrongly(base: str, voiced: str, findings: tuple[Finding, ...], used: int, wrong: str) -> None:
    measured = adherence(base, voiced, sample_culture(), ["look"], findings)
    assert len(measured.used) == used
    assert len(measured.wrong) == 1
    assert measured.wrong[0].startswith(wrong)
    assert measured.score == used / (used + 1)


def test_remarks_of_other_rules_and_mere_notes_do_not_count() -> None:
    findings = [
        Finding("fidelity", Severity.review, "a fact is gone", (0, 7)),
        Finding("fillers", Severity.info, "a plain filler", (0, 7)),
    ]
    assert adherence("Good morning.", "Morning.", sample_culture(), (), findings).used == ("morning",)


@settings(deadline=None, max_examples=100)
@given(st.text(), st.text(), st.lists(st.text(min_size=1), max_size=3))
def test_any_text_gets_a_score(base: str, voiced: str, fillers: list[str]) -> None:
    measured = adherence(base, voiced, sample_culture(), fillers, ())
    assert 0 <= measured.score <= 1
    assert measured == adherence(base, voiced, sample_culture(), fillers, ())
