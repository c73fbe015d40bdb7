"""What people decided, brought to the lines of a zone's bake."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from pipeline.content.models import Content, LineRef
from pipeline.content.terms import TellState
from pipeline.review import IsAuthored, Ledger, VariantBase, base_hash, standing_of
from pipeline.selection import UNDECIDED, Held, Standing

LineKey = tuple[str, str]
"""NPC id and line id."""

Standings = Mapping[LineKey, Mapping[TellState, Standing]]
"""The variants of a zone on which there is a verdict; all others are undecided."""


def variant_base(ref: LineRef, state: TellState) -> VariantBase:
    """A variant of a line as verdicts speak of it."""
    return VariantBase(ref.npc.id, ref.line_id, ref.kind, ref.culture.id, state, ref.line.base_text)


def zone_standings(content: Content, ledger: Ledger, lines: Sequence[LineRef]) -> Standings:
    """The standing of every variant of `lines` on which there is a verdict."""
    authored = authored_in(content)
    found: dict[LineKey, dict[TellState, Standing]] = {}
    for ref in lines:
        for state in TellState:
            standing = standing_of(ledger, variant_base(ref, state), authored)
            if standing is not UNDECIDED:
                found.setdefault((ref.npc.id, ref.line_id), {})[state] = standing
    return found


def authored_in(content: Content) -> IsAuthored:
    """Tells of a verdict whether the line that it was made on still has its base text."""
    texts = {
        (ref.npc.id, ref.line_id): base_hash(ref.line.base_text)
        for zone in content.zones.values()
        for ref in zone.lines
    }
    return lambda verdict: texts.get((verdict.npc_id, verdict.line_id)) == verdict.base_hash


def line_attempts(standings: Standings) -> dict[LineKey, int]:
    """By line, how often other candidates were asked for, for any one of its variants."""
    return {line: max(one.attempts for one in states.values()) for line, states in standings.items()}


def standings_digest(standings: Standings) -> str:
    """sha256 over what the verdicts mean for the choice; who made them, and when, is no part of it."""
    rows = [
        [*line, state.value, _plain(states[state])]
        for line, states in sorted(standings.items())
        for state in sorted(states)
    ]
    return hashlib.sha256(json.dumps(rows, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _plain(standing: Standing) -> dict[str, object]:
    return {
        "held": standing.held and _text(standing.held),
        "approved": {text: _text(held) for text, held in standing.approved.items()},
        "rejected": sorted(standing.rejected),
        "passed_over": sorted(standing.passed_over),
        "waived": {text: dict(reasons) for text, reasons in standing.waived.items()},
        "disputed": sorted(standing.disputed),
        "attempts": standing.attempts,
    }


def _text(held: Held) -> list[object]:
    return [held.text, held.edited, held.own, sorted(held.accepted), held.fingerprint]
