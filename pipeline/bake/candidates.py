"""A zone's candidates: read from its bake store, generated where they are missing, committed line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime

from pipeline.bake.judged_lines import JudgedLines
from pipeline.bake.plan import ZonePlan
from pipeline.bake.progress import BakeProgress
from pipeline.bake.voice import LineResult, Supply, voice_line, zone_names
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import TellState
from pipeline.generation import Candidate, GenerationStats, LineRequest, VariantRequest, WayBack
from pipeline.prompting import LineJob
from pipeline.store import WHOLE_LINE, BakeStore, BatchKey, BatchRecord


@dataclass(slots=True)
class Tally:
    """What a run generated."""

    lines: int = 0
    batches: int = 0
    candidates: int = 0
    measured: int = 0
    """Texts whose way back was measured."""
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def add(self, candidates: Sequence[Candidate], stats: GenerationStats) -> None:
        """Counts a batch."""
        self.batches += 1
        self.candidates += len(candidates)
        self._add_cost(stats)

    def add_measured(self, texts: int, stats: GenerationStats) -> None:
        """Counts a measuring."""
        self.measured += texts
        self._add_cost(stats)

    def _add_cost(self, stats: GenerationStats) -> None:
        self.prompt_tokens += stats.prompt_tokens
        self.output_tokens += stats.output_tokens
        self.seconds += stats.seconds

    def plus(self, other: Tally) -> Tally:
        """Both runs together."""
        return Tally(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Tally)))


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

    A line of which nothing changed is not judged again. `should_stop` is asked between lines; what was generated until
    then is kept.
    """
    known = store.known({fingerprint for job in plan.jobs for fingerprint in job.fingerprints})
    missing = sum(not known.issuperset(job.fingerprints) for job in plan.jobs)
    progress.zone_started(plan.zone_id, len(plan.jobs), missing)
    generation = Generation()
    names = zone_names(plan.zone)
    judged = JudgedLines(workspace, plan, names, store)
    for job in plan.jobs:
        if should_stop():
            generation.stopped = True
            break
        before = (generation.tally.batches, generation.tally.measured)
        result = judged.find(job)
        if result is None:
            result = _voice(workspace, plan, names, GeneratingSupply(workspace, store, job, generation.tally), job)
            judged.keep(result)
        generated = (generation.tally.batches, generation.tally.measured) != before
        generation.tally.lines += generated
        generation.results.append(result)
        progress.line_done(job, generated=generated, voiced=result.voiced)
    judged.save()
    return generation


def judge_zone(workspace: Workspace, plan: ZonePlan, store: BakeStore) -> list[LineResult]:
    """Judges and chooses from what is stored, one result per line; a line that lacks something is not complete."""
    names = zone_names(plan.zone)
    judged = JudgedLines(workspace, plan, names, store)
    return [judged.find(job) or _voice(workspace, plan, names, StoredSupply(store, job), job) for job in plan.jobs]


def judge_line(workspace: Workspace, plan: ZonePlan, store: BakeStore, job: LineJob) -> LineResult:
    """Judges one line of a zone as `judge_zone` judges all of them."""
    return _voice(workspace, plan, zone_names(plan.zone), StoredSupply(store, job), job)


def _voice(workspace: Workspace, plan: ZonePlan, names: frozenset[str], supply: Supply, job: LineJob) -> LineResult:
    standings = plan.standings.get((job.line.npc.id, job.line.line_id), {})
    return voice_line(job, names, workspace.rules, supply, workspace.settings.sampling.rounds, standings)


class StoredSupply:
    """What a line's store has."""

    def __init__(self, store: BakeStore, job: LineJob) -> None:
        self._store = store
        self._job = job

    def batch_key(self, attempt: int, round: int, state: TellState) -> BatchKey:
        """Round 0 is one batch of all variants; a further round is a batch of its own for each that needs it."""
        return self._job.fingerprints[attempt], round, WHOLE_LINE if round == 0 else state.value

    def candidates(self, attempt: int, round: int, state: TellState) -> list[Candidate] | None:
        """As stored; None when the batch was never generated."""
        batch = self._store.batch(*self.batch_key(attempt, round, state))
        return None if batch is None else [one for one in batch if one.variant == state.value]

    def known_ways_back(self, attempt: int, round: int, state: TellState) -> dict[str, float]:
        """Of the texts that were measured."""
        found = self.candidates(attempt, round, state) or []
        return {one.text: one.way_back for one in found if one.way_back is not None}

    def ways_back(self, attempt: int, round: int, state: TellState, texts: Sequence[str]) -> Mapping[str, float] | None:
        """As stored; None when one of the texts was never measured."""
        if self._job.way_back is None or not texts:
            return {}
        known = self.known_ways_back(attempt, round, state)
        return known if all(text in known for text in texts) else None


class GeneratingSupply(StoredSupply):
    """What a line's store has; what is missing is generated or measured, and committed, first."""

    def __init__(self, workspace: Workspace, store: BakeStore, job: LineJob, tally: Tally) -> None:
        super().__init__(store, job)
        self._workspace = workspace
        self._tally = tally

    def candidates(self, attempt: int, round: int, state: TellState) -> list[Candidate] | None:
        """Never None."""
        found = super().candidates(attempt, round, state)
        if found is None:
            _generate(
                self._workspace, self._store, self._job, self._tally, attempt, round, None if round == 0 else state
            )
            found = super().candidates(attempt, round, state)
        return found

    def ways_back(self, attempt: int, round: int, state: TellState, texts: Sequence[str]) -> Mapping[str, float] | None:
        """Never None."""
        way = way_back(self._workspace, self._job)
        if way is None or not texts:
            return {}
        known = self.known_ways_back(attempt, round, state)
        if missing := [text for text in texts if text not in known]:
            values, stats = self._workspace.engine.measure(way, missing)
            self._tally.add_measured(len(missing), stats)
            found = dict(zip(missing, values, strict=True))
            self._store.add_ways_back(self.batch_key(attempt, round, state), found, stats.prompt_tokens, stats.seconds)
            known |= found
        return known


def way_back(workspace: Workspace, job: LineJob) -> WayBack | None:
    """What a line's candidates are measured by; None where they are not."""
    adapter = workspace.adapter_path(job.line.culture)
    if job.way_back is None:
        return None
    return WayBack(*job.way_back, job.masked.text, str(adapter) if adapter else None)


def line_request(
    workspace: Workspace, job: LineJob, round: int, state: TellState | None, attempt: int = 0
) -> LineRequest:
    """What the engine is asked for a round of a line; `state` names the only variant of a further round.

    `attempt` counts how often a person had asked for other candidates.
    """
    adapter = workspace.adapter_path(job.line.culture)
    return LineRequest(
        fingerprint=job.fingerprints[attempt],
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
    )


def _generate(
    workspace: Workspace,
    store: BakeStore,
    job: LineJob,
    tally: Tally,
    attempt: int,
    round: int,
    state: TellState | None,
) -> None:
    request = line_request(workspace, job, round, state, attempt)
    candidates, stats = workspace.engine.generate(request)
    tally.add(candidates, stats)
    ref = job.line
    record = BatchRecord(
        fingerprint=request.fingerprint,
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
