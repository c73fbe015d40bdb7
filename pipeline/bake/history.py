"""Every text and every verdict that a line has had."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipeline.bake.workspace import Workspace
from pipeline.content.models import Glossary, Line, LineRef
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.generation import Candidate
from pipeline.prompting import mask, mask_line, unmask
from pipeline.review import Action, Ledger, Verdict
from pipeline.store import STORE_NAME, BakeStore, BatchRecord, ChoiceRecord


@dataclass(frozen=True, slots=True)
class PastText:
    """A text that was generated for the line."""

    tell_state: str
    voiced: str
    round: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a line; either texts were generated or a person decided."""

    time: str
    """ISO 8601, UTC."""
    base: str
    """The line's base text at that time."""
    texts: tuple[PastText, ...] = ()
    verdict: Verdict | None = None
    live: bool = True
    """False: a verdict that was withdrawn."""


@dataclass(frozen=True, slots=True)
class LineHistory:
    """A line's way up to now."""

    npc_id: str
    line_id: str
    base: str | None
    """The base text as authored now; None for a line that is no longer there."""
    events: tuple[Event, ...]
    """Oldest first."""
    choices: tuple[ChoiceRecord, ...]
    """What is chosen now, by tell state; empty before the first bake."""


def line_history(workspace: Workspace, npc_id: str, line_id: str) -> LineHistory:
    """The history of a line from all bake stores and verdict logs; the line may be gone by now.

    Texts are shown with today's glossary names in place of their slots. Raises `UserError` for a line that nobody
    knows.
    """
    ref, glossary = _authored(workspace, npc_id, line_id)
    ledger = workspace.ledger()
    events = [*_decided(ledger, npc_id, line_id)]
    choices: list[ChoiceRecord] = []
    for path in sorted(workspace.project.build.glob(f"zones/*/{STORE_NAME}")):
        with BakeStore.read_only(path) as store:
            choices += store.choices((npc_id, line_id))
            events += [_generated(batch, found, ref, glossary) for batch, found in store.batches_of(npc_id, line_id)]
    if ref is None and not events:
        raise UserError(
            f"Nothing is known of a line {line_id!r} of an NPC {npc_id!r}.", "The files under zones/*/npcs name them."
        )
    base = ref.line.base_text if ref else None
    return LineHistory(npc_id, line_id, base, tuple(sorted(events, key=_age)), tuple(choices))


def _authored(workspace: Workspace, npc_id: str, line_id: str) -> tuple[LineRef | None, Glossary]:
    for zone in workspace.content.zones.values():
        for ref in zone.lines:
            if (ref.npc.id, ref.line_id) == (npc_id, line_id):
                return ref, zone.zone.glossary
    return None, Glossary()


def _decided(ledger: Ledger, npc_id: str, line_id: str) -> Iterator[Event]:
    for one in ledger.of_line(npc_id, line_id):
        yield Event(one.time, one.base, verdict=one, live=ledger.is_live(one.id) or one.action is Action.withdraw)


def _generated(batch: BatchRecord, candidates: list[Candidate], ref: LineRef | None, glossary: Glossary) -> Event:
    then = Line(base_text=batch.base_text)
    slots = mask_line(replace(ref, line=then), glossary).slots if ref else mask(batch.base_text, ()).slots
    texts = tuple(PastText(one.variant, unmask(one.text, slots), batch.round) for one in candidates)
    return Event(batch.generated_at, batch.base_text, texts)


def _age(event: Event) -> tuple[str, int, str]:
    if event.verdict is None:
        return event.time, -1, ""
    return event.time, list(TellState).index(event.verdict.tell_state), event.verdict.id
