"""A zone's results as the review queue shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pipeline.bake.plan import ZonePlan
from pipeline.bake.verdicts import variant_base
from pipeline.bake.voice import LineResult
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import TellState
from pipeline.review import (
    Action,
    QueueCandidate,
    QueueLine,
    QueueVariant,
    Verdict,
    pending,
    write_queue,
    zone_policy,
)
from pipeline.selection import Judged, VariantChoice
from pipeline.store import ChoiceRecord

_LAST_APPROVED = 3


def queue_zone(
    workspace: Workspace, plan: ZonePlan, results: Sequence[LineResult], records: Sequence[ChoiceRecord]
) -> int:
    """Writes the review queue of a zone and gives the number of lines in it that wait for a person."""
    return write_queue(workspace.project, plan.zone_id, queue_lines(plan, results, records))


def queue_lines(plan: ZonePlan, results: Sequence[LineResult], records: Sequence[ChoiceRecord]) -> list[QueueLine]:
    """All lines of `results` with their variants, whether anything waits or not."""
    by_line: dict[tuple[str, str], dict[str, ChoiceRecord]] = defaultdict(dict)
    for record in records:
        by_line[record.npc_id, record.line_id][record.tell_state] = record
    position = {(ref.npc.id, ref.line_id): place for place, ref in enumerate(plan.zone.lines)}
    lines = []
    for result in results:
        ref = result.job.line
        key = ref.npc.id, ref.line_id
        variants = tuple(
            _variant(plan, result, choice, by_line[key][state.value]) for state, choice in result.choices.items()
        )
        lines.append(
            QueueLine(ref.npc, ref.line_id, ref.kind, ref.culture.id, ref.line.base_text, position[key], variants)
        )
    return lines


def _variant(plan: ZonePlan, result: LineResult, choice: VariantChoice, record: ChoiceRecord) -> QueueVariant:
    state = choice.tell_state
    own = plan.ledger.at(variant_base(result.job.line, state))
    return QueueVariant(
        tell_state=state,
        voiced=record.voiced,
        pending=pending(zone_policy(plan.zone.zone), record),
        score=record.score,
        findings=record.findings,
        others=tuple(_alternative(other) for other in choice.others),
        source=record.source,
        trouble=record.trouble,
        waits_for_bake=record.waits_for_bake,
        offer=_is_offer(result, choice),
        last_approved=_last_approved(plan, result, state, record.voiced),
        verdicts=tuple(one for one in own if one.voiced == record.voiced),
    )


def _is_offer(result: LineResult, choice: VariantChoice) -> bool:
    """True when the decided text has company that its reviewer could not see, and that scores no less."""
    if choice.decided is None or choice.chosen is None:
        return False
    state = choice.tell_state
    seen = result.job.fingerprints[result.standing(state).attempts]
    best = choice.others[0] if choice.others else None
    return (
        choice.decided.own
        and choice.decided.fingerprint not in (None, seen)
        and best is not None
        and best.passes
        and best.score.total >= choice.chosen.score.total
    )


def _last_approved(plan: ZonePlan, result: LineResult, state: TellState, chosen: str | None) -> tuple[Verdict, ...]:
    """Texts that people settled on for this variant before, also for earlier base texts of the line, newest first."""
    ref = result.job.line
    found: dict[str | None, Verdict] = {}
    for one in reversed(plan.ledger.of_line(ref.npc.id, ref.line_id)):
        settled = one.action in (Action.approve, Action.edit) and plan.ledger.is_live(one.id)
        if settled and one.tell_state is state and one.voiced != chosen:
            found.setdefault(one.voiced, one)
    return tuple(found.values())[:_LAST_APPROVED]


def _alternative(judged: Judged) -> QueueCandidate:
    text = judged.candidate
    return QueueCandidate(text.round, text.index, text.voiced, judged.score.total, judged.findings)
