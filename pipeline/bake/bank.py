"""From review to bank: lines whose six variants people settled become examples that adapters learn from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.bake.workspace import Workspace
from pipeline.content.bank_writing import add_to_bank, bank_lacks
from pipeline.content.models import LineRef
from pipeline.content.terms import Kind, TellState
from pipeline.content.voice_bank import FIELDS, BankLine, VoicedForms, load_bank
from pipeline.errors import UserError
from pipeline.prompting import mask_line
from pipeline.review import base_hash
from pipeline.store import STORE_NAME, BakeStore, ChoiceRecord
from pipeline.validation.normalise import words


@dataclass(frozen=True, slots=True)
class Harvest:
    """What the review of a zone gave to the bank of one culture."""

    culture_id: str
    path: Path
    added: int
    known: int
    """Settled lines whose base text the bank has already."""
    unsettled: int
    """Lines of the culture with a variant that nobody has approved or edited yet."""


def bank_from_review(workspace: Workspace, zone_id: str) -> list[Harvest]:
    """Adds the settled lines of a zone to the banks of their cultures; gives what became of each culture's lines.

    A line is settled when all of its six variants were approved or edited, for the base text as it is now. Which lines
    are held out is decided by the hash of the base text, as for all bank lines. Raises `StoreMissing` for a zone that
    was never baked, `ContentErrors` for a bank with mistakes, and `UserError` when no line is settled.
    """
    zone = workspace.content.zones[workspace.check_zone(zone_id)]
    with BakeStore.read_only(workspace.project.zone_build(zone_id) / STORE_NAME) as store:
        settled = _settled(store.choices())
    found: dict[str, list[tuple[LineRef, dict[TellState, str]]]] = defaultdict(list)
    unsettled: dict[str, int] = defaultdict(int)
    for ref in zone.lines:
        forms = settled.get((ref.npc.id, ref.line_id, base_hash(ref.line.base_text)), {})
        if len(forms) == len(TellState):
            found[ref.culture.id].append((ref, forms))
        elif not ref.line.anchor_line:
            unsettled[ref.culture.id] += 1
    if not found:
        raise UserError(
            f"zone {zone_id}: no line has all six variants approved or edited.", f"Next: voicebake review {zone_id}"
        )
    return [
        _harvest(workspace, zone_id, culture_id, lines, unsettled[culture_id]) for culture_id, lines in found.items()
    ]


def _settled(records: list[ChoiceRecord]) -> dict[tuple[str, str, str], dict[TellState, str]]:
    found: dict[tuple[str, str, str], dict[TellState, str]] = defaultdict(dict)
    for one in records:
        if one.decided and one.voiced is not None:
            found[one.npc_id, one.line_id, one.base_hash][TellState(one.tell_state)] = one.voiced
    return found


def _harvest(
    workspace: Workspace,
    zone_id: str,
    culture_id: str,
    settled: list[tuple[LineRef, dict[TellState, str]]],
    unsettled: int,
) -> Harvest:
    bank = load_bank(workspace.project, culture_id)
    lines = [_bank_line(ref, forms) for ref, forms in settled]
    fresh = bank_lacks(bank, lines)
    added = {(line.kind, line.base) for line in fresh}
    glossary = workspace.content.zones[zone_id].zone.glossary
    names = {
        name
        for ref, _ in settled
        if (ref.kind, ref.line.base_text) in added
        for slot, name in mask_line(ref, glossary).slots.items()
        if slot.startswith("P")
    }
    path = workspace.project.cultures / culture_id / "voice_bank.ron"
    if fresh:
        path = add_to_bank(workspace.project, culture_id, fresh, names)
    return Harvest(culture_id, path, len(fresh), len(lines) - len(fresh), unsettled)


def _bank_line(ref: LineRef, forms: dict[TellState, str]) -> BankLine:
    spoken = tuple(_fillers_in(ref, forms))
    return BankLine(
        kind=ref.kind,
        base=ref.line.base_text,
        affect=ref.line.affect,
        traits=ref.npc.traits,
        mood=ref.npc.mood,
        fillers=spoken,
        voiced=VoicedForms(**{FIELDS[state]: text for state, text in forms.items()}),
    )


def _fillers_in(ref: LineRef, forms: dict[TellState, str]) -> Iterator[str]:
    """The NPC's pause words that the forms use; the bank allows a line no others."""
    if ref.kind is Kind.behavior:
        return
    said = " ".join(f" {' '.join(words(text))} " for text in forms.values())
    for filler in ref.npc.cultural_markers.filler_words:
        if f" {' '.join(words(filler))} " in said:
            yield filler
