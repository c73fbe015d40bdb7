"""`npc-traits` and `guarded-row`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.lint.lint import Level, View
from pipeline.content.problems import Problem
from pipeline.content.terms import TellState


@dataclass(frozen=True, slots=True)
class NpcTraits:
    """An NPC with no trait, or with more than a prompt can use."""

    most: int = 3
    id: str = "npc-traits"
    level: Level = Level.note
    explanation: str = (
        "One to three traits colour a voice. None leaves a person without one; more than three cancel each other out "
        "in a prompt of about ten tokens."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for zone in view.content.zones:
            for npc in view.npcs(zone):
                count = len(npc.value.traits)
                if not 1 <= count <= self.most:
                    hint = f"Name one to {self.most} words that colour the speech."
                    yield npc.problem(("traits",), f"{npc.value.id} has {count or 'no'} traits", hint=hint)


@dataclass(frozen=True, slots=True)
class GuardedRow:
    """An NPC that asks for a Guarded row which its culture does not have."""

    id: str = "guarded-row"
    level: Level = Level.warning
    explanation: str = (
        "`guarded_towards_one: true` uses the culture's second Guarded row, towards one person. Without such a row the "
        "common Guarded row is used, and the field has no effect. Add the row to the culture, or drop the field."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for zone_id, zone in view.content.zones.items():
            for npc in view.npcs(zone_id):
                culture = view.content.cultures[npc.value.culture or zone.zone.default_culture]
                rows = {(row.category, row.towards_one) for row in culture.tell_tones}
                if npc.value.guarded_towards_one and (TellState.Guarded, True) not in rows:
                    message = f"{culture.id} has no Guarded row towards one person"
                    hint = "Add the row to the culture's tell_tones with `towards_one: true`, or drop the field."
                    yield npc.problem(("guarded_towards_one",), message, hint=hint)
