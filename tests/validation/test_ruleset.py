"""All rules together on the demo's own word lists: canaries, crashes, exemptions, spans, traps and good lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.content import load_content
from pipeline.content.models import Content
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.ruleset import RuleSet, build_rules, rule_docs

ROOT = Path(__file__).parents[2]
CORPORA = ROOT / "tests" / "corpora"
STATES = ("neutral", "nervous", "angry", "friendly", "guarded", "routine_deviation")


@cache
def content() -> Content:
    return load_content(Project(ROOT))


@cache
def rules() -> RuleSet:
    return build_rules(content())


def subject(
    voiced: str, base: str = "Hand me the other one, it is on the shelf by the door.", **facts: object
) -> Subject:
    known = {"kind": Kind.dialogue, "tell_state": TellState.Neutral, **facts}
    return Subject(base=base, voiced=voiced, **known)  # type: ignore[arg-type]


def vocabulary(sentence: str) -> list[Finding]:
    """The findings of the rules over word lists on a sentence, whatever its base text."""
    listed = {"guard-vocabulary", "franchise-bleed", "politics", "earth-idiom", "tell-naming"}
    return [finding for finding in rules().validate(subject(sentence)) if finding.rule in listed]


def test_every_rule_catches_each_of_its_canaries() -> None:
    results = rules().run_canaries()
    assert [result for result in results if not result.caught] == []
    for rule in rule_docs():
        assert sum(result.rule == rule for result in results) >= 3, rule


def test_every_rule_explains_itself() -> None:
    for rule_id, doc in rule_docs().items():
        assert rules().rule(rule_id).doc == doc
        assert doc.catches
        assert doc.waive
        assert doc.bad
        assert doc.good
    with pytest.raises(UserError, match="tell-naming"):
        rules().rule("tell-namin")


@dataclass(frozen=True)
class _Crashing:
    id: str = "crashing"
    canaries: tuple[Canary, ...] = ()

    @property
    def doc(self) -> RuleDoc:
        return RuleDoc("Nothing.", "block", (), (), "Mend it.")

    def check(self, subject: Subject) -> Iterable[Finding]:
        raise ZeroDivisionError(subject.voiced)


def test_a_crash_in_a_rule_is_a_block_finding() -> None:
    found = replace(rules(), rules=(_Crashing(),)).validate(subject("Fine."))
    assert [(one.rule, one.severity) for one in found] == [("crashing", Severity.block)]
    assert "ZeroDivisionError" in found[0].message


def test_a_rule_without_a_canary_counts_as_missed() -> None:
    results = replace(rules(), rules=(_Crashing(),), zone_rules=()).run_canaries()
    assert [result.caught for result in results] == [False]


@pytest.mark.parametrize("word", ["hell", "Tuesday", "hyperdrive", "sergeant", "beltalowda", "government"])
def test_a_hit_points_at_the_word_and_is_exempt_when_the_base_has_it(word: str) -> None:
    text = f"That {word} again, over by the lift."
    found = vocabulary(text)
    assert found
    for finding in found:
        assert finding.span is not None
        assert word.lower() in text[slice(*finding.span)].lower()
    again = rules().validate(subject(text, base=f"That {word} again, over by the lift."))
    assert not [finding for finding in again if finding.rule in {one.rule for one in found}]


def _traps() -> Iterator[tuple[str, str, str]]:
    with (CORPORA / "vocabulary_traps.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["id"], row["sentence"], row["verdict"]


def test_every_vocabulary_trap_gets_its_verdict() -> None:
    wrong = []
    for trap, sentence, verdict in _traps():
        severities = {finding.severity.value for finding in vocabulary(sentence)} - {"info"}
        got = "block" if "block" in severities else "review" if severities else "pass"
        if got != verdict:
            wrong.append((trap, sentence, verdict, got))
    assert wrong == []


def _good_lines() -> Iterator[Subject]:
    with (CORPORA / "voice_pairs.jsonl").open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            for state, field in zip(TellState, STATES, strict=True):
                yield Subject(row["base"], row[field], Kind(row["kind"]), state, content().cultures["van_maanens_star"])


def _blocking_rules(one: Subject) -> list[str]:
    return [finding.rule for finding in rules().validate(one) if finding.severity is Severity.block]


def test_lines_that_writers_voiced_are_hardly_ever_blocked() -> None:
    lines = list(_good_lines())
    blocked = [(one.voiced, names) for one in lines if (names := _blocking_rules(one))]
    assert len(lines) >= 400
    assert len(blocked) <= 0.005 * len(lines), blocked


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(list(Kind)), st.sampled_from(list(TellState)))
def test_no_text_makes_a_rule_crash_and_spans_lie_inside(base: str, voiced: str, kind: Kind, state: TellState) -> None:
    one = Subject(base, voiced, kind, state, content().cultures["van_maanens_star"], neutral=base)
    for finding in rules().validate(one):
        assert not finding.message.startswith("The rule failed with ")
        if finding.span is not None:
            start, end = finding.span
            assert 0 <= start <= end <= len(voiced)
