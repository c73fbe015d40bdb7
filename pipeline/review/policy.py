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


def zone_policy(zone: Zone) -> ReviewPolicy:
    """The policy that holds for a zone: a hub is always `All`."""
    return ReviewPolicy.All if zone.hub else zone.review_policy


def pending(policy: ReviewPolicy, variant: Variant) -> bool:
    """True when `policy` wants a person to decide on the variant.

    `All`: every chosen text. `Flagged`: those with a `review` finding. An empty variant never waits: none of it ships.
    """
    if variant.voiced is None:
        return False
    return policy is ReviewPolicy.All or any(finding.severity is Severity.review for finding in variant.findings)
