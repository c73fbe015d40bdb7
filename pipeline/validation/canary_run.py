"""The rules on their known-bad texts, as every bake runs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.validation.checking import checked, zone_checked
from pipeline.validation.finding import is_crash
from pipeline.validation.rule import Rule
from pipeline.validation.zone import ZoneRule


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """One canary of one rule: was it caught?"""

    rule: str
    why: str
    text: str
    caught: bool


def run_canaries(rules: Iterable[Rule], zone_rules: Iterable[ZoneRule]) -> tuple[CanaryResult, ...]:
    """Every rule on its canaries. A crash catches nothing, and a rule without canaries caught nothing."""
    return (*_on_texts(rules), *_on_zones(zone_rules))


def _on_texts(rules: Iterable[Rule]) -> Iterator[CanaryResult]:
    for rule in rules:
        if not rule.canaries:
            yield _without(rule.id)
        for canary in rule.canaries:
            caught = any(f.rule == rule.id and not is_crash(f) for f in checked((rule,), canary.subject))
            yield CanaryResult(rule.id, canary.why, canary.subject.voiced, caught)


def _on_zones(rules: Iterable[ZoneRule]) -> Iterator[CanaryResult]:
    for rule in rules:
        if not rule.canaries:
            yield _without(rule.id)
        for canary in rule.canaries:
            caught = any(not is_crash(finding) for _, finding in zone_checked((rule,), canary.chosen))
            yield CanaryResult(rule.id, canary.why, canary.chosen[-1].text, caught)


def _without(rule_id: str) -> CanaryResult:
    return CanaryResult(rule_id, "the rule has no canary", "", False)
