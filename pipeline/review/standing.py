"""What all verdicts together mean for the choice of one variant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from pipeline.review.binding import VariantBase
from pipeline.review.conflicts import Judgements, disputes_at
from pipeline.review.ledger import Ledger
from pipeline.review.verdict import Action, Verdict, age
from pipeline.selection.standing import UNDECIDED, Held, Standing

REQUEST_CAP = 3
"""How often other candidates are made for a variant; after that it keeps what it has, or falls back."""

IsAuthored = Callable[[Verdict], bool]
"""Tells whether the line that a verdict was made on still has the base text of then."""


def standing_of(ledger: Ledger, variant: VariantBase, is_authored: IsAuthored = lambda _verdict: True) -> Standing:
    """What the verdicts mean for the choice of a variant.

    An approved text of a line that is gone (renamed, moved to another NPC) is held where the base text is now.
    """
    own, judged = ledger.at(variant), ledger.judged(variant)
    if not own and not judged:
        return UNDECIDED
    holders = ledger.holders(variant)
    disputed = disputes_at(judged, holders)
    # Of contradictory texts the latest stays, so that nothing moves; being disputed, it does not count as decided.
    held = _held(holders[-1], own=True) if holders else _orphan(judged, disputed, is_authored)
    asked_from = {one.voiced for one in own if one.action is Action.regenerate and one.voiced}
    return Standing(
        held=held,
        approved={
            text: _held(one.approvals[0], own=False)
            for text, one in judged.items()
            if one.approvals and text not in disputed
        },
        rejected=frozenset(text for text, one in judged.items() if one.rejections) - disputed.keys(),
        passed_over=frozenset(asked_from - {held.text if held else None}),
        waived=_waivers(own),
        disputed=disputed,
        attempts=min(REQUEST_CAP, requests(own)),
    )


def requests(own: Iterable[Verdict]) -> int:
    """How often other candidates were asked for: once per rejected text, however many rejected it, and per request."""
    verdicts = list(own)
    rejected = {one.voiced for one in verdicts if one.action is Action.reject}
    return len(rejected) + sum(one.action is Action.regenerate for one in verdicts)


def _held(verdict: Verdict, *, own: bool) -> Held:
    return Held(
        text=verdict.voiced or "",
        edited=verdict.action is Action.edit,
        own=own,
        accepted=frozenset(verdict.findings),
        fingerprint=verdict.fingerprint,
        verdict=verdict.id,
        reviewer=verdict.reviewer,
    )


def _orphan(judged: Mapping[str, Judgements], disputed: Mapping[str, str], is_authored: IsAuthored) -> Held | None:
    """The latest approval of a line that is no longer there."""
    left = [
        approval
        for text, one in judged.items()
        if text not in disputed
        for approval in one.approvals
        if not is_authored(approval)
    ]
    return _held(max(left, key=age), own=False) if left else None


def _waivers(own: Iterable[Verdict]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for one in own:
        if one.action is Action.waive and one.voiced is not None and one.rule:
            found[one.voiced].setdefault(one.rule, one.reason)
    return dict(found)
