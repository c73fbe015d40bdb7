"""Zones with known texts for the cache's tests."""

from __future__ import annotations

from pipeline.cache import BaseRow, TellRow, VoicedRow, ZoneRows
from pipeline.content.terms import Kind, TellState
from pipeline.prompting.jobs import VariantKey

CULTURE = "van_maanens_star"
ANCHOR = "  Counter closes at shift change…\t“No {exceptions left}.” \u200b"
TELL = "drops  the same seal twice\n– 'again' \U0001f527"


def voiced(npc_id: str, line_id: str, state: TellState, text: str, kind: Kind = Kind.dialogue) -> VoicedRow:
    return VoicedRow(VariantKey(npc_id, line_id, state, CULTURE), kind, text)


def base(npc_id: str, line_id: str, text: str, *, kind: Kind = Kind.dialogue, anchor: bool = False) -> BaseRow:
    return BaseRow(npc_id, line_id, CULTURE, kind, text, anchor)


HUB = ZoneRows(
    base=(
        base("imke_dorr", "greet", "Good morning. What do you need?"),
        base("imke_dorr", "price", "The seal costs {price}."),
        base("imke_dorr", "sign", ANCHOR, anchor=True),
        base("imke_dorr", "bare", "Nobody came."),
        base("imke_dorr", "sorts", "sorts pump seals into three trays", kind=Kind.behavior),
    ),
    tells=(
        TellRow("imke_dorr", TellState.Nervous, 0, TELL),
        TellRow("imke_dorr", TellState.Nervous, 1, "counts the trays again"),
        TellRow("silent_ro", TellState.Angry, 0, "sets each tray down flat and hard"),
    ),
    voiced=(
        voiced("imke_dorr", "greet", TellState.Neutral, "Morning. What d'you need?"),
        voiced("imke_dorr", "greet", TellState.Guarded, "Morning. Need something."),
        voiced("imke_dorr", "price", TellState.Neutral, "Seal's {price}."),
        voiced("imke_dorr", "bare", TellState.Angry, "Nobody. Came."),
        voiced("imke_dorr", "sorts", TellState.Neutral, "sorts pump seals, three trays", Kind.behavior),
    ),
)

YARD = ZoneRows(
    base=(base("tam_orley", "greet", "Hello."),),
    tells=(),
    voiced=(voiced("tam_orley", "greet", TellState.Neutral, "Hey."),),
)
