"""Which chosen variants wait for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pipeline.content.models import Zone
from pipeline.content.terms import ReviewPolicy, Severity
from pipeline.validation.finding import Finding


class Variant(Protocol):
    """What a policy looks at."""

    @property
    def voiced(self) -> str | None:
        """The chosen text; None where the variant stayed empty."""
        ...

    @property
    def findings(self) -> Sequence[Finding]:
        """What the rules say of the chosen text."""
        ...

    @property
    def decided(self) -> bool:
        """True when a person approved or wrote the chosen text."""
        ...

    @property
    def trouble(self) -> str | None:
        """Why an earlier decision does not count; None where none is in question."""
        ...


def zone_policy(zone: Zone) -> ReviewPolicy:
    """The policy that holds for a zone: a hub is always `All`."""
    return ReviewPolicy.All if zone.hub else zone.review_policy


def pending(policy: ReviewPolicy, variant: Variant) -> bool:
    """True when `policy` wants a person to decide on the variant.

    `All`: every chosen text. `Flagged`: those with a `review` finding. What a person decided on does not wait again,
    unless the decision is in question: then the variant waits under any policy, even without a text. Other empty
    variants never wait: none of them ships.
    """
    if variant.trouble is not None:
        return True
    if variant.voiced is None or variant.decided:
        return False
    return policy is ReviewPolicy.All or any(finding.severity is Severity.review for finding in variant.findings)
