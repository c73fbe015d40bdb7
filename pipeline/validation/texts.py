"""Any line, human-written ones too, against all rules."""

from __future__ import annotations

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

    Raises `UserError` for an unknown culture or NPC.
    """
    zone, facts, own = _speaker(content, npc)
    chosen = _culture(content, culture or own)
    names = _names(zone) if zone else frozenset().union(*(_names(each) for each in content.zones.values()))
    return rules.validate(Subject(base, voiced, kind, tell, chosen, facts, affect, names))


def _speaker(content: Content, npc_id: str | None) -> tuple[ZoneContent | None, NpcFacts | None, str | None]:
    if npc_id is None:
        return None, None, None
    for zone in content.zones.values():
        for npc in zone.npcs:
            if npc.id == npc_id:
                facts = NpcFacts(npc.id, npc.name, npc.cultural_markers.filler_words)
                return zone, facts, npc.culture or zone.zone.default_culture
    raise UserError(f"There is no NPC {npc_id!r}.", "Leave `npc` out, or name one of the project's NPCs.")


def _culture(content: Content, culture_id: str | None) -> Culture:
    hubs = [zone.zone.default_culture for zone in content.zones.values() if zone.zone.hub]
    wanted = culture_id or (hubs or sorted(content.cultures))[0]
    if wanted not in content.cultures:
        raise UserError(
            f"There is no culture {wanted!r}.", "The cultures are " + ", ".join(sorted(content.cultures)) + "."
        )
    return content.cultures[wanted]


def _names(zone: ZoneContent) -> frozenset[str]:
    glossary = zone.zone.glossary
    people = (npc.name for npc in zone.npcs)
    return frozenset((*glossary.places, *glossary.people, *glossary.terms, *people))
