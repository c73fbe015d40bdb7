"""From what is in front of a person to the decisions that the core takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.cli.review_terminal.tray import Line, Tray, Variant, approvable, is_flagged, place_of
from pipeline.content.terms import TellState
from pipeline.review import Action, Decision

BULK_LINES = 100
"""How many lines one bulk step approves at most: what a person can still take back in one step."""


def decision(action: Action, line: Line, variant: Variant, **more: Any) -> Decision:
    """A decision on the variant as it is shown: one that has changed since is refused as stale."""
    npc_id, line_id = place_of(line)
    state = TellState(variant["tell_state"])
    seen = {"seen_hash": variant["voiced_hash"], "base_hash": line["base_hash"]}
    return Decision(action, npc_id, line_id, state, **seen, **more)


def approvals(items: Iterable[tuple[Line, Variant]]) -> list[Decision]:
    """Approvals of all texts that can be approved as they stand."""
    return [decision(Action.approve, line, variant) for line, variant in items if approvable(variant)]


def left_over(line: Line) -> list[str]:
    """The tell states of waiting variants that an approval of the line leaves, each with why."""
    return [
        f"{variant['tell_state']} ({variant['trouble'] or ('no text' if variant['voiced'] is None else 'blocked')})"
        for variant in line["variants"]
        if variant["pending"] and not approvable(variant)
    ]


def bulk_items(tray: Tray, *, clean_only: bool) -> tuple[list[tuple[Line, Variant]], bool]:
    """The waiting variants for one bulk step, of at most `BULK_LINES` lines, and whether that left some out."""
    items = [item for item in tray.waiting() if approvable(item[1]) and not (clean_only and is_flagged(item[1]))]
    places = list(dict.fromkeys(place_of(line) for line, _ in items))
    taken = set(places[:BULK_LINES])
    return [item for item in items if place_of(item[0]) in taken], len(places) > BULK_LINES


def count_words(items: Sequence[tuple[Line, Variant]]) -> str:
    """`37 variants of 21 lines`."""
    lines = len({place_of(line) for line, _ in items})
    variants = "1 variant" if len(items) == 1 else f"{len(items)} variants"
    return f"{variants} of {'1 line' if lines == 1 else f'{lines} lines'}"


def settled(line: Line, states: Iterable[str]) -> Line:
    """The line with the texts of these states approved: what is shown until it is read anew."""
    done = set(states)
    variants = [
        {**variant, "pending": False, "source": "approved"} if variant["tell_state"] in done else variant
        for variant in line["variants"]
    ]
    return {**line, "variants": variants, "pending": sum(variant["pending"] for variant in variants)}
