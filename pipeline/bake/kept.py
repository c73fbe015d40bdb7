"""Lines whose candidates were made in another way than now: what was chosen stands until the next bake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.bake.plan import ZonePlan
from pipeline.bake.voice import LineResult, voice_line, zone_names
from pipeline.bake.workspace import Workspace
from pipeline.content.models import LineRef
from pipeline.content.terms import TellState
from pipeline.generation import Candidate
from pipeline.prompting import LineJob, Masked
from pipeline.review import base_hash
from pipeline.store import ChoiceRecord

Kept = Mapping[tuple[str, str, str], ChoiceRecord]
"""Earlier choices by NPC id, line id and tell state."""


def kept_choices(records: Sequence[ChoiceRecord]) -> Kept:
    """Earlier choices, to be looked up."""
    return {(one.npc_id, one.line_id, one.tell_state): one for one in records}


def judge_kept(workspace: Workspace, plan: ZonePlan, job: LineJob, kept: Kept) -> LineResult:
    """Chooses a line's variants from the texts that stood before, under today's rules and verdicts.

    Texts that were made for another base text, kind or culture are no choice. No variant is complete.
    """
    ref = job.line
    # What the slots of the earlier candidate stood for is not known: the finished text is taken as it is.
    plain = replace(job, masked=Masked(ref.line.base_text, {}))
    standings = plan.standings.get((ref.npc.id, ref.line_id), {})
    rounds = workspace.settings.sampling.rounds
    supply = _KeptSupply(ref, kept)
    result = voice_line(plain, zone_names(plan.zone), workspace.rules, supply, rounds, standings)
    return replace(result, job=job, missing=frozenset(TellState))


class _KeptSupply:
    """What was chosen for a line before, as its only candidates."""

    def __init__(self, ref: LineRef, kept: Kept) -> None:
        self._ref = ref
        self._kept = kept

    def candidates(self, attempt: int, round: int, state: TellState) -> list[Candidate] | None:
        """The text of a variant as round 0; None where it has none for the base text of now."""
        ref = self._ref
        one = self._kept.get((ref.npc.id, ref.line_id, state.value))
        if attempt or round or one is None or one.voiced is None:
            return None
        if (one.base_hash, one.kind, one.culture_id) != (base_hash(ref.line.base_text), ref.kind, ref.culture.id):
            return None
        return [Candidate(state.value, one.candidate_index or 0, one.voiced, True, 0)]

    def ways_back(self, attempt: int, round: int, state: TellState, texts: Sequence[str]) -> dict[str, float]:
        """Nothing is measured: the model that wrote the text is not at hand."""
        return {}
