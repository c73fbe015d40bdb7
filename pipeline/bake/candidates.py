"""A zone's candidates: read from its bake store, generated where they are missing, committed line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pipeline.bake.plan import ZonePlan
from pipeline.bake.progress import BakeProgress
from pipeline.bake.voice import Fetch, LineResult, voice_line, zone_names
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import TellState
from pipeline.generation import Candidate, GenerationStats, LineRequest, VariantRequest, WayBack
from pipeline.prompting import LineJob
from pipeline.store import WHOLE_LINE, BakeStore, BatchRecord


@dataclass(slots=True)
class Tally:
    """What a run generated."""

    lines: int = 0
    batches: int = 0
    candidates: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def add(self, candidates: Sequence[Candidate], stats: GenerationStats) -> None:
        """Counts a batch."""
        self.batches += 1
        self.candidates += len(candidates)
        self.prompt_tokens += stats.prompt_tokens
        self.output_tokens += stats.output_tokens
        self.seconds += stats.seconds


@dataclass(slots=True)
class Generation:
    """What `generate_zone` did."""

    results: list[LineResult] = field(default_factory=list)
    """One per line that was reached, in order."""
    tally: Tally = field(default_factory=Tally)
    stopped: bool = False
    """True: it was asked to stop before the last line."""


def generate_zone(
    workspace: Workspace,
    plan: ZonePlan,
    store: BakeStore,
    progress: BakeProgress,
    should_stop: Callable[[], bool] = lambda: False,
) -> Generation:
    """Generates what is missing and chooses each line's variants as it goes. Loads no model when nothing is missing.

    `should_stop` is asked between lines; what was generated until then is kept.
    """
    known = store.known({job.fingerprint for job in plan.jobs})
    progress.zone_started(plan.zone_id, len(plan.jobs), sum(job.fingerprint not in known for job in plan.jobs))
    generation = Generation()
    names = zone_names(plan.zone)
    for job in plan.jobs:
        if should_stop():
            generation.stopped = True
            break
        before = generation.tally.batches
        fetch = generating(workspace, store, job, generation.tally)
        result = voice_line(job, names, workspace.rules.validate, fetch, workspace.settings.sampling.rounds)
        generated = generation.tally.batches > before
        generation.tally.lines += generated
        generation.results.append(result)
        progress.line_done(job, generated=generated, voiced=result.voiced)
    return generation


def judge_zone(workspace: Workspace, plan: ZonePlan, store: BakeStore) -> list[LineResult]:
    """Judges and chooses from what is stored, one result per line; a line without candidates is not complete."""
    names = zone_names(plan.zone)
    rounds = workspace.settings.sampling.rounds
    return [voice_line(job, names, workspace.rules.validate, stored(store, job), rounds) for job in plan.jobs]


def stored(store: BakeStore, job: LineJob) -> Fetch:
    """Candidates of a line from its store alone."""

    def fetch(round: int, state: TellState) -> list[Candidate] | None:
        batch = store.batch(job.fingerprint, round, WHOLE_LINE if round == 0 else state.value)
        return None if batch is None else [one for one in batch if one.variant == state.value]

    return fetch


def generating(workspace: Workspace, store: BakeStore, job: LineJob, tally: Tally) -> Fetch:
    """Candidates of a line from its store, generated and committed first where they are missing.

    Round 0 is one batch of all variants; a further round is a batch of its own for each variant that needs it.
    """
    look = stored(store, job)

    def fetch(round: int, state: TellState) -> Sequence[Candidate] | None:
        found = look(round, state)
        if found is None:
            _generate(workspace, store, job, tally, round, None if round == 0 else state)
            found = look(round, state)
        return found

    return fetch


def line_request(workspace: Workspace, job: LineJob, round: int, state: TellState | None) -> LineRequest:
    """What the engine is asked for a round of a line; `state` names the only variant of a further round."""
    adapter = workspace.adapter_path(job.line.culture)
    return LineRequest(
        fingerprint=job.fingerprint,
        round=round,
        variants=tuple(
            VariantRequest(one.key.tell_state.value, tuple(segment.text for segment in one.segments))
            for one in job.jobs
            if state in (None, one.key.tell_state)
        ),
        candidates=workspace.settings.sampling.candidates,
        max_tokens=job.max_tokens,
        chat=job.jobs[0].chat,
        adapter=str(adapter) if adapter else None,
        repeats=job.masked.text,
        way_back=WayBack(*job.way_back, job.masked.text) if job.way_back else None,
    )


def _generate(
    workspace: Workspace, store: BakeStore, job: LineJob, tally: Tally, round: int, state: TellState | None
) -> None:
    request = line_request(workspace, job, round, state)
    candidates, stats = workspace.engine.generate(request)
    tally.add(candidates, stats)
    ref = job.line
    record = BatchRecord(
        fingerprint=job.fingerprint,
        round=round,
        variant=state.value if state else WHOLE_LINE,
        npc_id=ref.npc.id,
        line_id=ref.line_id,
        culture_id=ref.culture.id,
        base_text=ref.line.base_text,
        prompt_tokens=stats.prompt_tokens,
        output_tokens=stats.output_tokens,
        seconds=stats.seconds,
        generated_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    store.add_batch(record, candidates)
