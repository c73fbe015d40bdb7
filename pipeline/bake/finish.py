"""The end of a zone's bake: zone-wide rules, choices, Parquet and the review queue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pipeline.bake.plan import ZonePlan
from pipeline.bake.voice import LineResult
from pipeline.bake.workspace import Workspace
from pipeline.cache import VoicedRow, write_zone_parquet, zone_rows
from pipeline.content.terms import TellState
from pipeline.prompting import VariantKey
from pipeline.review import (
    QueueCandidate,
    QueueLine,
    QueueVariant,
    base_hash,
    pending,
    voiced_hash,
    write_queue,
    zone_policy,
)
from pipeline.selection import Judged, VariantChoice
from pipeline.store import BakeStore, ChoiceRecord
from pipeline.validation.finding import Finding
from pipeline.validation.zone import ChosenText


def zone_findings(workspace: Workspace, results: Sequence[LineResult]) -> dict[VariantKey, tuple[Finding, ...]]:
    """What the rules over the whole zone say of the chosen texts. They never change a choice."""
    found: dict[VariantKey, list[Finding]] = defaultdict(list)
    for key, finding in workspace.rules.validate_zone(list(_chosen_texts(results))):
        found[key].append(finding)
    return {key: tuple(findings) for key, findings in found.items()}


def choice_records(
    results: Iterable[LineResult], zone_wide: Mapping[VariantKey, tuple[Finding, ...]]
) -> list[ChoiceRecord]:
    """One record per variant, the empty ones too, in the order of the jobs."""
    return [
        _record(result, state, choice, zone_wide.get(variant_key(result, state), ()))
        for result in results
        for state, choice in result.choices.items()
    ]


def publish_zone(
    workspace: Workspace, plan: ZonePlan, store: BakeStore, results: Sequence[LineResult]
) -> list[ChoiceRecord]:
    """Writes what a finished zone hands on: the Parquet file for the caches, then the choices with the zone's state.

    The state is written last, so that a kill in between only means that this step runs again.
    """
    records = choice_records(results, zone_findings(workspace, results))
    voiced = [
        VoicedRow(
            VariantKey(one.npc_id, one.line_id, TellState(one.tell_state), one.culture_id),
            result.job.line.kind,
            one.voiced,
        )
        for result, one in _with_results(results, records)
        if one.voiced is not None
    ]
    write_zone_parquet(workspace.project, plan.zone_id, zone_rows(plan.zone, voiced), state=plan.state)
    store.replace_choices(plan.state, records)
    return records


def queue_zone(
    workspace: Workspace, plan: ZonePlan, results: Sequence[LineResult], records: Sequence[ChoiceRecord]
) -> int:
    """Writes the review queue of a zone and gives the number of lines in it."""
    policy = zone_policy(plan.zone.zone)
    position = {(ref.npc.id, ref.line_id): place for place, ref in enumerate(plan.zone.lines)}
    by_line: dict[tuple[str, str], list[QueueVariant]] = defaultdict(list)
    for result, record in _with_results(results, records):
        choice = result.choices[TellState(record.tell_state)]
        by_line[record.npc_id, record.line_id].append(
            QueueVariant(
                choice.tell_state,
                record.voiced,
                pending(policy, record),
                record.score,
                record.findings,
                tuple(_alternative(other) for other in choice.others),
            )
        )
    lines = [
        QueueLine(
            ref.npc,
            ref.line_id,
            ref.kind,
            ref.culture.id,
            ref.line.base_text,
            position[ref.npc.id, ref.line_id],
            tuple(by_line[ref.npc.id, ref.line_id]),
        )
        for ref in (result.job.line for result in results)
    ]
    return write_queue(workspace.project, plan.zone_id, lines)


def _with_results(
    results: Sequence[LineResult], records: Sequence[ChoiceRecord]
) -> Iterable[tuple[LineResult, ChoiceRecord]]:
    by_line = {(result.job.line.npc.id, result.job.line.line_id): result for result in results}
    return ((by_line[record.npc_id, record.line_id], record) for record in records)


def variant_key(result: LineResult, state: TellState) -> VariantKey:
    """What a variant of the result is called everywhere."""
    ref = result.job.line
    return VariantKey(ref.npc.id, ref.line_id, state, ref.culture.id)


def _chosen_texts(results: Iterable[LineResult]) -> Iterable[ChosenText]:
    for result in results:
        ref = result.job.line
        neutral = result.choices[TellState.Neutral].chosen
        for state, choice in result.choices.items():
            if choice.chosen:
                yield ChosenText(
                    ref.npc.id,
                    ref.line_id,
                    state,
                    ref.culture.id,
                    ref.kind,
                    choice.chosen.candidate.voiced,
                    ref.line.base_text,
                    neutral.candidate.voiced if neutral else None,
                )


def _record(
    result: LineResult, state: TellState, choice: VariantChoice, zone_wide: tuple[Finding, ...]
) -> ChoiceRecord:
    ref, chosen = result.job.line, choice.chosen
    text = chosen.candidate if chosen else None
    best = chosen or next(iter(choice.others), None)
    return ChoiceRecord(
        npc_id=ref.npc.id,
        line_id=ref.line_id,
        tell_state=state.value,
        culture_id=ref.culture.id,
        kind=ref.kind.value,
        fingerprint=result.job.fingerprint,
        source="generated" if text else "empty",
        base_hash=base_hash(ref.line.base_text),
        round=text.round if text else None,
        candidate_index=text.index if text else None,
        masked=text.masked if text else None,
        voiced=text.voiced if text else None,
        voiced_hash=voiced_hash(text.voiced) if text else None,
        score=chosen.score.total if chosen else None,
        findings=(best.findings if best else ()) + zone_wide,
    )


def _alternative(judged: Judged) -> QueueCandidate:
    text = judged.candidate
    return QueueCandidate(text.round, text.index, text.voiced, judged.score.total, judged.findings)
