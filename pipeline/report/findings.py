"""What the rules say of the texts as they stand, counted by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.content.terms import Severity
from pipeline.report.facts import ZoneFacts


@dataclass(frozen=True, slots=True)
class RuleCount:
    """One rule over all zones."""

    rule: str
    review: int
    """Chosen texts that a person should look at because of it."""
    info: int
    """Chosen texts with a remark of it."""
    empty: int
    """Variants without a text whose best candidate it blocks."""
    example: str
    """The first message."""


def count_rules(zones: Sequence[ZoneFacts]) -> list[RuleCount]:
    """Rules with findings, those with most texts first. A text counts once per rule."""
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[str, str] = {}
    for record in (record for zone in zones for record in zone.records):
        for rule, severity in {(finding.rule, finding.severity) for finding in record.findings}:
            kind = severity.value if record.voiced is not None else "empty" if severity is Severity.block else "other"
            counts[rule, kind] += 1
        for finding in record.findings:
            examples.setdefault(finding.rule, finding.message)
    found = [
        RuleCount(rule, counts[rule, "review"], counts[rule, "info"], counts[rule, "empty"], examples[rule])
        for rule in examples
    ]
    return sorted(
        (one for one in found if one.review or one.info or one.empty),
        key=lambda one: (-one.review - one.empty, -one.info, one.rule),
    )
