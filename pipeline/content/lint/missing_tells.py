"""`missing-tells`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.lint.lint import Level, View
from pipeline.content.problems import Problem
from pipeline.content.terms import TELL_CATEGORIES, Tier


@dataclass(frozen=True, slots=True)
class MissingTells:
    """A PlotCritical NPC without a tell behavior for each category."""

    id: str = "missing-tells"
    level: Level = Level.warning
    explanation: str = (
        "A PlotCritical person can come to any tell state, so the game needs something to show for each of the five "
        "categories. Write a tell behavior for every category that is named, or lower the tier."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for zone in view.content.zones:
            for npc in view.npcs(zone):
                have = {tell.category for tell in npc.value.tell_behaviors}
                missing = [each for each in TELL_CATEGORIES if each not in have]
                if npc.value.tier is Tier.PlotCritical and missing:
                    message = f"{npc.value.id} is PlotCritical and has no tell behavior for {', '.join(missing)}"
                    yield npc.problem(("tell_behaviors",), message, hint="Add one for each category.")
