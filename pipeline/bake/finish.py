"""The end of a zone's bake: zone-wide rules, choices and Parquet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pipeline.bake.plan import ZonePlan
from pipeline.bake.voice import LineResult
from pipeline.bake.workspace import Workspace
from pipeline.cache import VoicedRow, write_zone_parquet, zone_rows
from pipeline.content.terms import Severity, TellState
from pipeline.prompting import VariantKey
from pipeline.review import base_hash, voiced_hash
from pipeline.selection import Standing, VariantChoice
from pipeline.store import BakeStore, ChoiceRecord
from pipeline.validation.finding import Finding
from pipeline.validation.zone import ChosenText


def zone_findings(workspace: Workspace, results: Sequence[LineResult]) -> dict[VariantKey, tuple[Finding, ...]]:
    """What the rules over the whole zone say of the chosen texts. They never change a choice."""
    found: dict[VariantKey, list[Finding]] = defaultdict(list)
    for key, finding in workspace.rules.validate_zone(list(_chosen_texts(results))):
        found[key].append(finding)
    by_line = {(result.job.line.npc.id, result.job.line.line_id): result for result in results}
    return {key: _waived(by_line[key.npc_id, key.line_id], key, findings) for key, findings in found.items()}


def _waived(result: LineResult, key: VariantKey, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    chosen = result.choices[key.tell_state].chosen
    return result.standing(key.tell_state).waive(chosen.candidate.voiced if chosen else "", findings)


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

    The state is written last, so that a kill in between only means that this step runs again. Where candidates are
    missing that a person asked for, it is one that the next bake does not take for finished.
    """
    state = plan.state if all(result.complete for result in results) else plan.unfinished_state
    records = choice_records(results, zone_findings(workspace, results))
    voiced = [
        VoicedRow(
            VariantKey(one.npc_id, one.line_id, TellState(one.tell_state), one.culture_id),
            result.job.line.kind,
            one.voiced,
            one.source,
            one.reviewer,
        )
        for result, one in _with_results(results, records)
        if one.voiced is not None
    ]
    write_zone_parquet(workspace.project, plan.zone_id, zone_rows(plan.zone, voiced), state=state)
    store.replace_choices(state, records)
    return records


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
    standing, decided = result.standing(state), choice.decided
    text = chosen.candidate if chosen else None
    generated = text if text and text.masked is not None else None
    best = chosen or next(iter(choice.others), None)
    return ChoiceRecord(
        npc_id=ref.npc.id,
        line_id=ref.line_id,
        tell_state=state.value,
        culture_id=ref.culture.id,
        kind=ref.kind.value,
        fingerprint=result.job.fingerprints[generated.attempt if generated else standing.attempts],
        source=_source(choice),
        base_hash=base_hash(ref.line.base_text),
        round=generated.round if generated else None,
        candidate_index=generated.index if generated else None,
        masked=generated.masked if generated else None,
        voiced=text.voiced if text else None,
        voiced_hash=voiced_hash(text.voiced) if text else None,
        score=chosen.score.total if chosen else None,
        findings=(best.findings if best else ()) + zone_wide,
        verdict=decided.verdict if decided else None,
        reviewer=decided.reviewer if decided else None,
        trouble=_trouble(choice, standing),
        waits_for_bake=state in result.missing,
    )


def _source(choice: VariantChoice) -> str:
    if choice.chosen is None:
        return "empty"
    if choice.decided is None:
        return "generated"
    return "edited" if choice.decided.edited else "approved"


def _trouble(choice: VariantChoice, standing: Standing) -> str | None:
    """Why an earlier decision does not count."""
    if choice.lapsed is not None:
        blocked = next(one for one in choice.lapsed.findings if one.severity is Severity.block)
        text = choice.lapsed.candidate.voiced
        return f'"{text}", which a person decided on, is blocked by today\'s rule {blocked.rule}: {blocked.message}'
    if choice.chosen is None:
        return None
    return standing.disputed.get(choice.chosen.candidate.voiced)
