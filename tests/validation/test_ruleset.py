"""All rules together: canaries, crashes, explanations, digest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from pipeline.content.models import Content
from pipeline.content.terms import Affect, Kind, Severity, TellState
from pipeline.errors import UserError
from pipeline.validation.all_rules import OF_CANDIDATE, OF_STATE
from pipeline.validation.digest import rules_digest
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Canary, Rule, RuleDoc, Subject
from pipeline.validation.ruleset import RuleSet, rule_docs
from pipeline.validation.texts import validate_text
from pipeline.validation.zone import ChosenText

RULES = tuple(rule_docs())


def test_every_canary_is_caught(rules: RuleSet) -> None:
    assert [result for result in rules.run_canaries() if not result.caught] == []


@pytest.mark.parametrize("rule_id", RULES)
def test_every_rule_has_canaries_and_an_explanation(rule_id: str, rules: RuleSet) -> None:
    rule = rules.rule(rule_id)
    assert len(rule.canaries) >= 3
    text = rule.doc.text
    assert rule.doc.catches in text
    assert rule.doc.bad
    assert rule.doc.good
    assert rule.doc.waive in text


@dataclass(frozen=True)
class _Off:
    """A rule switched off: it keeps its canaries and finds nothing."""

    id: str
    doc: RuleDoc
    canaries: tuple[Canary, ...]

    def check(self, subject: Subject) -> Iterable[Finding]:
        return ()

    def check_zone(self, chosen: object) -> Iterable[tuple[object, Finding]]:
        return ()


@pytest.mark.parametrize("rule_id", RULES)
def test_a_rule_switched_off_is_noticed(rule_id: str, rules: RuleSet) -> None:
    def off(rule: Rule) -> Rule:
        return _Off(rule.id, rule.doc, tuple(rule.canaries)) if rule.id == rule_id else rule

    broken = replace(
        rules,
        rules=tuple(off(rule) for rule in rules.rules),
        zone_rules=tuple(off(rule) for rule in rules.zone_rules),  # type: ignore[arg-type, type-var]
    )
    missed = {result.rule for result in broken.run_canaries() if not result.caught}
    assert missed == {rule_id}


@dataclass(frozen=True)
class _Crashing(_Off):
    def check(self, subject: Subject) -> Iterable[Finding]:
        raise ZeroDivisionError("by zero")


def test_a_crash_blocks_and_catches_no_canary(rules: RuleSet) -> None:
    doc = rules.rules[0].doc
    subject = Subject("The lift is down.", "Lift's down.", Kind.dialogue, TellState.Neutral)
    crashing = replace(rules, rules=(_Crashing("crashing", doc, (Canary(subject, "any"),)),), zone_rules=())
    (finding,) = crashing.validate(subject)
    assert finding.severity is Severity.block
    assert "ZeroDivisionError: by zero" in finding.message
    assert [result.caught for result in crashing.run_canaries()] == [False]


def test_a_rule_without_canaries_is_noticed(rules: RuleSet) -> None:
    bare = replace(rules, rules=(_Off("bare", rules.rules[0].doc, ()),), zone_rules=())
    assert [(result.rule, result.caught) for result in bare.run_canaries()] == [("bare", False)]


def test_an_unknown_rule_is_a_user_error(rules: RuleSet) -> None:
    with pytest.raises(UserError, match="no rule 'nonsense'"):
        rules.rule("nonsense")


def test_findings_are_ordered_by_severity(rules: RuleSet) -> None:
    subject = Subject(
        "The cargo is late.", "His implant says the Commander holds it.", Kind.dialogue, TellState.Neutral
    )
    severities = [finding.severity for finding in rules.validate(subject)]
    assert severities == sorted(severities, key=["block", "review", "info"].index)
    assert Severity.block in severities


def test_words_of_the_base_are_exempt(rules: RuleSet) -> None:
    subject = Subject("The Commander is nervous.", "Commander's nervous.", Kind.dialogue, TellState.Nervous)
    assert not [f for f in rules.validate(subject) if f.rule in {"guard-vocabulary", "tell-naming"}]


def test_digest_follows_the_words(content: Content) -> None:
    assert rules_digest(content) == rules_digest(content)
    fewer = replace(content, word_lists=content.word_lists[:-1])
    assert rules_digest(fewer) != rules_digest(content)


def test_validate_text_defaults_to_the_hubs_culture(rules: RuleSet, content: Content) -> None:
    line = {
        "base": "The seal is weak.",
        "voiced": "Seal's weak, sir.",
        "kind": Kind.dialogue,
        "tell": TellState.Neutral,
    }
    assert "exclusions" in {finding.rule for finding in validate_text(rules, content, **line)}  # type: ignore[arg-type]
    with pytest.raises(UserError, match="no culture 'nowhere'"):
        validate_text(rules, content, culture="nowhere", **line)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="no NPC 'nobody'"):
        validate_text(rules, content, npc="nobody", **line)  # type: ignore[arg-type]


@pytest.mark.parametrize(("affect", "found"), [(Affect.even, True), (Affect.high, False), (None, False)])
def test_oaths_need_high_affect(affect: Affect | None, found: bool, rules: RuleSet, content: Content) -> None:
    findings = validate_text(
        rules,
        content,
        base="The seal is weak.",
        voiced="Void take it, seal's weak.",
        kind=Kind.dialogue,
        tell=TellState.Neutral,
        affect=affect,
    )
    assert ("exclamations" in {finding.rule for finding in findings}) is found


def test_zone_rules_leave_a_varied_zone_alone(rules: RuleSet) -> None:
    texts = ["Lift's down.", "Pump needs a seal, and soon.", "Who took the blue crate?"]
    chosen = [
        ChosenText("npc", f"line{at}", TellState.Neutral, "c", Kind.dialogue, text, f"The base text {at}.")
        for at, text in enumerate(texts)
    ]
    assert rules.validate_zone(chosen) == ()


@pytest.mark.parametrize("rule_id", RULES)
def test_what_is_kept_for_doubles_depends_on_nothing_else(rule_id: str, rules: RuleSet) -> None:
    """A rule on a text alone says the same in every state; one that sees the state, whatever the masks and measures."""
    rule = rules.rule(rule_id)
    if rule in rules.zone_rules or rule_id in OF_CANDIDATE:
        assert rule_id in {"repeats", "tics", *OF_CANDIDATE}
        return
    for canary in rule.canaries:
        subject = canary.subject
        other = replace(subject, masked_voiced="{N1} gates", masked_slots={"N1": "Two"}, way_back=-3.0)
        if rule_id not in OF_STATE:
            other = replace(other, tell_state=TellState.Guarded, neutral="Gate's shut.", finished=False)
        assert list(rule.check(other)) == list(rule.check(subject))


def test_doubles_are_told_apart_by_all_that_stands_beside_them(rules: RuleSet, content: Content) -> None:
    subject = Subject("The lift is down.", "Lift's down, sir.", Kind.dialogue, TellState.Neutral)
    at_home = replace(subject, culture=content.cultures["van_maanens_star"])
    for each in (subject, at_home, replace(subject, base="Yes, sir, the lift is down."), subject, at_home):
        fresh = replace(rules)
        assert rules.validate(each) == fresh.validate(each)
    assert rules.validate(subject) != rules.validate(at_home)
