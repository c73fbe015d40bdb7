"""One check per rule: do the texts that were chosen carry findings of it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import dagster as dg

from assets.presentation import markdown_table

if TYPE_CHECKING:
    from pipeline.bake import JudgedText

_WORST = 10


def rule_check_specs(asset: str) -> list[dg.AssetCheckSpec]:
    """One spec per rule; the description is the rule's own explanation. Builds no matcher."""
    from pipeline.validation.ruleset import rule_docs

    return [dg.AssetCheckSpec(check_name(rule), asset=asset, description=doc.text) for rule, doc in rule_docs().items()]


def check_name(rule: str) -> str:
    """A rule's id as a name that Dagster accepts."""
    return rule.replace("-", "_")


def rule_checks(judged: Sequence[JudgedText]) -> list[dg.AssetCheckResult]:
    """One result per rule: an error when a chosen text is blocked, a warning when one should be looked at."""
    from pipeline.validation.ruleset import rule_docs

    return [_result(rule, judged) for rule in rule_docs()]


def _result(rule: str, judged: Sequence[JudgedText]) -> dg.AssetCheckResult:
    chosen = Counter(f.severity.value for one in judged if one.chosen for f in one.findings if f.rule == rule)
    hit = [one for one in judged if any(f.rule == rule for f in one.findings)]
    hit.sort(key=lambda one: (not one.chosen, not one.blocked, one.key))
    return dg.AssetCheckResult(
        check_name=check_name(rule),
        passed=not (chosen["block"] or chosen["review"]),
        severity=dg.AssetCheckSeverity.ERROR if chosen["block"] else dg.AssetCheckSeverity.WARN,
        metadata={
            "chosen_blocked": chosen["block"],
            "chosen_to_review": chosen["review"],
            "candidates_with_findings": len(hit),
            "worst_lines": markdown_table(("variant", "text", "chosen", "message"), list(_rows(rule, hit[:_WORST]))),
        },
    )


def _rows(rule: str, texts: Sequence[JudgedText]) -> Iterator[tuple[str, str, str, str]]:
    for one in texts:
        message = next(f.message for f in one.findings if f.rule == rule)
        key = one.key
        yield f"{key.npc_id} {key.line_id} {key.tell_state}", one.text, "yes" if one.chosen else "no", message
