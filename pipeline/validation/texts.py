"""Any line, human-written ones too, against all rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pipeline.content.models import Content, Culture, ZoneContent
from pipeline.content.terms import Affect, Kind, TellState
from pipeline.errors import UserError
from pipeline.validation.finding import Finding
from pipeline.validation.rule import NpcFacts, Subject
from pipeline.validation.ruleset import RuleSet


def validate_text(
    rules: RuleSet,
    content: Content,
    *,
    base: str,
    voiced: str,
    kind: Kind,
    tell: TellState,
    culture: str | None = None,
    npc: str | None = None,
    affect: Affect | None = None,
) -> tuple[Finding, ...]:
    """The findings on one text. `culture` defaults to the NPC's, else to the hub's; without `npc` rules on the speaker
    are silent.

    Raises `UserError` for an unknown culture or NPC. For many texts keep one `Speakers`.
    """
    return rules.validate(
        Speakers(content).subject(
            base=base, voiced=voiced, kind=kind, tell=tell, culture=culture, npc=npc, affect=affect
        )
    )


@dataclass(frozen=True)
class Speakers:
    """Who may say a line in a project: turns the ids of an NPC and a culture into what rules know of them."""

    content: Content

    def subject(
        self,
        *,
        base: str,
        voiced: str,
        kind: Kind,
        tell: TellState,
        culture: str | None = None,
        npc: str | None = None,
        affect: Affect | None = None,
    ) -> Subject:
        """The text beside what is known of its speaker. Raises `UserError` for an unknown culture or NPC."""
        facts, own, names = None, None, self._all_names
        if npc is not None:
            facts, own, names = self._npc(npc)
        return Subject(base, voiced, kind, tell, self._culture(culture or own), facts, affect, names)

    def _npc(self, npc_id: str) -> tuple[NpcFacts, str, frozenset[str]]:
        if npc_id not in self._npcs:
            raise UserError(
                f"There is no NPC {npc_id!r}.", "Leave `npc` out, or name one of the project's NPCs by its id."
            )
        return self._npcs[npc_id]

    @cached_property
    def _npcs(self) -> dict[str, tuple[NpcFacts, str, frozenset[str]]]:
        return {
            npc.id: (
                NpcFacts(npc.id, npc.name, npc.cultural_markers.filler_words),
                npc.culture or zone.zone.default_culture,
                _names(zone),
            )
            for zone in self.content.zones.values()
            for npc in zone.npcs
        }

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return frozenset().union(*(_names(zone) for zone in self.content.zones.values()))

    def _culture(self, culture_id: str | None) -> Culture:
        cultures = self.content.cultures
        wanted = culture_id or self._default_culture
        if wanted not in cultures:
            known = ", ".join(sorted(cultures))
            raise UserError(f"There is no culture {wanted!r}.", f"The cultures are {known}.")
        return cultures[wanted]

    @cached_property
    def _default_culture(self) -> str:
        hubs = [zone.zone.default_culture for zone in self.content.zones.values() if zone.zone.hub]
        return (hubs or sorted(self.content.cultures))[0]


def _names(zone: ZoneContent) -> frozenset[str]:
    glossary = zone.zone.glossary
    people = (npc.name for npc in zone.npcs)
    return frozenset((*glossary.places, *glossary.people, *glossary.terms, *people))
