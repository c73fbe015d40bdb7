"""What a rule says about a text."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.content.terms import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark of one rule on one voiced text."""

    rule: str
    severity: Severity
    message: str
    """One sentence for a reviewer: what is wrong."""
    span: tuple[int, int] | None = None
    """Start and end in code points of the voiced text; None: the whole."""
    suggestion: str | None = None


CRASHED = "The rule failed with "
"""How the message of a rule that failed begins."""


def is_crash(finding: Finding) -> bool:
    """True when the finding says that its rule failed, and nothing of the text."""
    return finding.message.startswith(CRASHED)


Fault = tuple[Severity, str, tuple[int, int] | None]
"""What is wrong, before a rule puts its name to it: severity, message, span."""
