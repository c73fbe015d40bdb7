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
