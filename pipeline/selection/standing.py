"""What people have decided on one variant, as far as it bears on the choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from pipeline.content.terms import Severity
from pipeline.validation.finding import Finding, is_crash

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Held:
    """A text that a person approved or wrote.

    Verdict, reviewer and time stand beside the content: two holdings of the same text are equal whoever decided.
    """

    text: str
    edited: bool = False
    """True: a person wrote it; False: a person approved it."""
    own: bool = True
    """True: decided on this very line. False: on another one with the same base text, culture and state."""
    accepted: frozenset[str] = frozenset()
    """Rules whose `review` findings the person saw and accepted."""
    fingerprint: str | None = None
    """Of the candidates that the person could choose from."""
    verdict: str = field(default="", compare=False)
    reviewer: str = field(default="", compare=False)

    def covers(self, findings: Iterable[Finding]) -> bool:
        """True when the decision holds beside today's findings.

        On the line that it was made for, any `review` finding gives way. On another line the rules are asked again:
        a finding of a rule that was silent when the person decided, such as one on the NPC's own fillers, counts.
        """
        asked = {finding.rule for finding in findings if finding.severity is Severity.review}
        return self.own or asked <= self.accepted


@dataclass(frozen=True, slots=True)
class Standing:
    """All live verdicts on one variant. Texts are compared as they are, byte for byte."""

    held: Held | None = None
    """The text that stays chosen while the rules pass it."""
    approved: Mapping[str, Held] = field(default_factory=dict)
    """Texts that were approved for the same base text, culture and state on other lines."""
    rejected: frozenset[str] = frozenset()
    """Never chosen."""
    passed_over: frozenset[str] = frozenset()
    """Other candidates were asked for instead: chosen only where nothing else passes."""
    waived: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By text, then by rule: why the rule's finding does not count here."""
    disputed: Mapping[str, str] = field(default_factory=dict)
    """Texts that people decided on in contradictory ways, with what is wrong: no decision on them counts."""
    attempts: int = 0
    """How often other candidates were asked for, and may still be made."""

    def waive(self, text: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings on `text`, those of waived rules as `info`. A rule that crashed cannot be waived."""
        reasons = self.waived.get(text, _NONE)
        return tuple(
            _waived(finding, reasons[finding.rule]) if finding.rule in reasons and not is_crash(finding) else finding
            for finding in findings
        )


UNDECIDED = Standing()


def _waived(finding: Finding, reason: str) -> Finding:
    if finding.severity is Severity.info:
        return finding
    return replace(finding, severity=Severity.info, message=f"{finding.message} Waived: {reason}", suggestion=None)
