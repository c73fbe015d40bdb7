"""Rules run on texts: a rule that crashes gives a `block` finding, never a pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.content.terms import Severity
from pipeline.prompting.jobs import VariantKey
from pipeline.validation.finding import CRASHED, Finding
from pipeline.validation.rule import Rule, Subject
from pipeline.validation.zone import ChosenText, ZoneRule

_ORDER = {Severity.block: 0, Severity.review: 1, Severity.info: 2}


def checked(rules: Iterable[Rule], subject: Subject) -> tuple[Finding, ...]:
    """What some rules find on a text, in the order of the rules."""
    found: list[Finding] = []
    for rule in rules:
        try:
            found.extend(rule.check(subject))
        except Exception as crash:  # noqa: BLE001 - a crash is a block finding, never a pass
            found.append(_crash(rule.id, crash))
    return tuple(found)


def zone_checked(rules: Iterable[ZoneRule], chosen: Sequence[ChosenText]) -> list[tuple[VariantKey, Finding]]:
    """What some rules over a zone find, in the order of the rules."""
    found: list[tuple[VariantKey, Finding]] = []
    for rule in rules:
        try:
            found.extend(rule.check_zone(chosen))
        except Exception as crash:  # noqa: BLE001 - a crash must show as a finding on every text, never pass
            found.extend((text.key, _crash(rule.id, crash)) for text in chosen)
    return found


def gravest_first(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The same findings, the gravest first, then by rule and place."""
    return tuple(sorted(found, key=_place)) if len(found) > 1 else found


def _place(finding: Finding) -> tuple[int, str, tuple[int, int], str]:
    return _ORDER[finding.severity], finding.rule, finding.span or (-1, -1), finding.message


def _crash(rule_id: str, crash: Exception) -> Finding:
    message = f"{CRASHED}{type(crash).__name__}: {crash}"
    return Finding(
        rule_id, Severity.block, message, None, "This is a fault of the rule, not of the line; please report it."
    )
