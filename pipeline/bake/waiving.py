"""Waivers: a person says that a rule is wrong about a text."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.bake.desk import Case
from pipeline.content.terms import Severity
from pipeline.errors import UserError
from pipeline.review import Action, Verdict
from pipeline.validation.finding import Finding, is_crash

UNWAIVABLE = frozenset({"slots"})
"""Rules whose findings would break the game and not only the tone: all texts of a line have the same slots."""


def waivers(case: Case, text: str, rules: Sequence[str]) -> list[Verdict]:
    """An entry per rule that is not waived for `text` yet.

    Raises `UserError` for a rule that does not exist, cannot be waived or says nothing of the text, and without a
    reason.
    """
    waived = case.line.result.standing(case.state).waived.get(text, {})
    return [_waiver(case, text, rule_id) for rule_id in dict.fromkeys(rules) if rule_id not in waived]


def passing_findings(case: Case, text: str) -> tuple[Finding, ...]:
    """The findings on a text that is to be held. Raises `UserError` when one blocks it that is not waived along."""
    findings = tuple(
        one for one in case.line.findings(case.state, text) if one.rule not in case.decision.waive or is_crash(one)
    )
    blocking = [one for one in findings if one.severity is Severity.block]
    if blocking:
        said = "\n".join(f"  {one.rule}: {one.message}" for one in blocking)
        raise UserError(
            f'{case.decision.what}: the rules block "{text}":\n{said}',
            "Mend the text, or waive the rule with a reason.",
        )
    return findings


def _waiver(case: Case, text: str, rule_id: str) -> Verdict:
    rule, what = case.line.rules.rule(rule_id), case.decision.what
    if rule_id in UNWAIVABLE:
        raise UserError(f"{what}: the rule {rule_id} cannot be waived.", rule.doc.waive)
    if not case.decision.reason.strip():
        raise UserError(f"{what}: a waiver of {rule_id} needs a reason.", "Say why the rule is wrong here.")
    found = {one.rule for one in (*case.line.findings(case.state, text), *case.line.shown_findings(case.state, text))}
    if rule_id not in found:
        raise UserError(
            f"{what}: the rule {rule_id} says nothing of this text.",
            f"What speaks of it: {', '.join(sorted(found)) or 'no rule'}.",
        )
    return case.verdict(text, action=Action.waive, rule=rule_id)
