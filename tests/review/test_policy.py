"""Which variants wait for a person."""

from __future__ import annotations

import pytest

from pipeline.content.models import Zone
from pipeline.content.terms import ReviewPolicy, Severity, TellState
from pipeline.review import QueueVariant, pending, zone_policy
from pipeline.validation.finding import Finding

REVIEW = Finding("shape", Severity.review, "Look.")
INFO = Finding("shape", Severity.info, "Know.")


@pytest.mark.parametrize(
    ("policy", "voiced", "findings", "waits"),
    [
        (ReviewPolicy.All, "Lift's out.", (), True),
        (ReviewPolicy.All, "Lift's out.", (REVIEW,), True),
        (ReviewPolicy.All, None, (REVIEW,), False),
        (ReviewPolicy.Flagged, "Lift's out.", (), False),
        (ReviewPolicy.Flagged, "Lift's out.", (INFO,), False),
        (ReviewPolicy.Flagged, "Lift's out.", (INFO, REVIEW), True),
        (ReviewPolicy.Flagged, None, (REVIEW,), False),
    ],
)
def test_pending(policy: ReviewPolicy, voiced: str | None, findings: tuple[Finding, ...], waits: bool) -> None:
    assert pending(policy, QueueVariant(TellState.Guarded, voiced, pending=False, findings=findings)) is waits


@pytest.mark.parametrize("policy", ReviewPolicy)
@pytest.mark.parametrize("source", ["approved", "edited"])
def test_what_a_person_decided_on_does_not_wait_again(policy: ReviewPolicy, source: str) -> None:
    decided = QueueVariant(TellState.Guarded, "Lift's out.", pending=False, findings=(REVIEW,), source=source)
    assert pending(policy, decided) is False


@pytest.mark.parametrize("policy", ReviewPolicy)
@pytest.mark.parametrize("voiced", ["Lift's out.", None])
def test_a_decision_in_question_waits_under_any_policy(policy: ReviewPolicy, voiced: str | None) -> None:
    assert pending(policy, QueueVariant(TellState.Guarded, voiced, pending=False, trouble="Two texts.")) is True


@pytest.mark.parametrize(
    ("hub", "asked", "holds"),
    [
        (True, ReviewPolicy.Flagged, ReviewPolicy.All),
        (False, ReviewPolicy.Flagged, ReviewPolicy.Flagged),
        (False, ReviewPolicy.All, ReviewPolicy.All),
    ],
)
def test_a_hub_is_always_all(hub: bool, asked: ReviewPolicy, holds: ReviewPolicy) -> None:
    zone = Zone(id="z", name="Z", hub=hub, default_culture="c", review_policy=asked)
    assert zone_policy(zone) is holds
