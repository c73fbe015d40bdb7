"""Voices the evaluation set by the very path of a bake: its prompts, seeds, batches, rules, rounds and score.

Candidates are kept in a bake store of the spike's own, `build/spike/bake.sqlite`, by fingerprint: a run goes on where
the last one stopped, and a change of rules or words generates nothing anew. No zone's store is touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.bake import BakeProgress, LineResult, Tally, Workspace
from pipeline.bake.candidates import GeneratingSupply
from pipeline.bake.plan import line_jobs
from pipeline.bake.voice import voice_line, zone_names
from pipeline.content.models import Content, Culture, Line, LineRef, Npc, Zone, ZoneContent
from pipeline.content.terms import Tier
from pipeline.project import Project
from pipeline.prompting import LineJob, Profile, audit
from pipeline.selection import Judged, VariantChoice
from pipeline.settings import Settings
from pipeline.spike.evaluation import AUTHORITY, Evaluation, EvaluationLine
from pipeline.spike.result import FindingRow, LineRow, VariantRow
from pipeline.store import STORE_NAME, BakeStore
from pipeline.validation.finding import Finding

_ZONE = "evaluation"
_GUARDS = "guard-vocabulary"


class Stopped(Exception):
    """It was asked to stop between two lines; what was generated is kept."""


@dataclass(frozen=True, slots=True)
class ArmPlan:
    """An arm that is ready to be voiced: everything is rendered and audited, no weights are loaded."""

    arm: str
    workspace: Workspace
    zone: ZoneContent
    lines: tuple[EvaluationLine, ...]
    jobs: Mapping[str, LineJob]
    """By line id."""
    authority: Mapping[str, str]

    @property
    def fingerprints(self) -> set[str]:
        """Of all lines."""
        return {job.fingerprint for job in self.jobs.values()}


def spike_folder(project: Project) -> Path:
    """Where a spike keeps what it can make again."""
    return project.build / "spike"


def open_store(project: Project) -> BakeStore:
    """The spike's own candidates. Several spikes may write at once: equal batches are equal."""
    path = spike_folder(project) / STORE_NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    return BakeStore(path)


def arm_workspace(
    workspace: Workspace, settings: Settings, alter: Callable[[Profile], Profile], *, adapter: bool
) -> Workspace:
    """A workspace like `workspace` for one arm; without `adapter` no culture has one."""
    content = workspace.content if adapter else _unadapted(workspace.content)
    return Workspace(workspace.project, settings, content, workspace.wait, workspace.notify, alter=alter)


def plan_arm(
    workspace: Workspace, evaluation: Evaluation, culture_id: str, lines: Sequence[EvaluationLine], arm: str
) -> ArmPlan:
    """Renders and audits all prompts of an arm.

    Raises `LeakError` for a text that no model may see and `BudgetError` for one that is too long.
    """
    content = workspace.content
    culture = content.cultures[culture_id]
    authority = evaluation.authority_words(culture)
    people = {
        one.id: Npc(id=one.id, name=one.id, role=one.role, tier=Tier.SemiUnique, traits=one.traits, mood=one.mood)
        for one in evaluation.set.speakers
    }
    refs = tuple(_ref(line, people[line.speaker], culture, authority) for line in lines)
    zone = Zone(id=_ZONE, name=_ZONE, default_culture=culture_id, glossary=evaluation.set.glossary)
    made = ZoneContent(zone, tuple(people.values()), refs)
    jobs = line_jobs(workspace, replace(content, zones={_ZONE: made}), _ZONE)
    audit(content, jobs).raise_if_fatal()
    return ArmPlan(arm, workspace, made, tuple(lines), {job.line.line_id: job for job in jobs}, authority)


def voice_arm(
    plan: ArmPlan, store: BakeStore, progress: BakeProgress, title: str, should_stop: Callable[[], bool], tally: Tally
) -> tuple[LineRow, ...]:
    """Voices every line of an arm; generates only what the store lacks. Raises `Stopped` where it was asked to stop."""
    workspace = plan.workspace
    known = store.known(plan.fingerprints)
    todo = sum(job.fingerprint not in known for job in plan.jobs.values())
    progress.zone_started(title, len(plan.lines), todo)
    names, rounds = zone_names(plan.zone), workspace.settings.sampling.rounds
    rows = []
    for line in plan.lines:
        if should_stop():
            raise Stopped
        job = plan.jobs[line.id]
        before = (tally.batches, tally.measured)
        result = voice_line(job, names, workspace.rules, GeneratingSupply(workspace, store, job, tally), rounds)
        progress.line_done(job, generated=(tally.batches, tally.measured) != before, voiced=result.voiced)
        rows.append(line_row(line, result, plan.authority.get(line.id)))
    return tuple(rows)


def line_row(line: EvaluationLine, result: LineResult, authority: str | None) -> LineRow:
    """A voiced line as results keep it."""
    return LineRow(
        id=line.id,
        kind=line.kind,
        about=line.about,
        affect=line.affect,
        base=result.job.line.line.base_text,
        authority=authority,
        exclamation=line.exclamation,
        fingerprint=result.job.fingerprint,
        variants=tuple(_variant(choice) for choice in result.choices.values()),
    )


def rule_key(finding: Finding) -> str:
    """The rule; for guards with the guard, which their messages begin with."""
    return f"{_GUARDS}/{finding.message.split(' ', 1)[0]}" if finding.rule == _GUARDS else finding.rule


def _variant(choice: VariantChoice) -> VariantRow:
    judged = (*((choice.chosen,) if choice.chosen else ()), *choice.others)
    hits = Counter(key for one in judged for key in {rule_key(finding) for finding in one.findings})
    return VariantRow(
        tell=choice.tell_state,
        text=choice.chosen.candidate.voiced if choice.chosen else None,
        findings=_findings(choice.chosen) if choice.chosen else (),
        candidates=len(judged),
        blocked=sum(not one.passes for one in judged),
        hits=dict(sorted(hits.items())),
    )


def _findings(chosen: Judged) -> tuple[FindingRow, ...]:
    return tuple(
        FindingRow(rule=rule_key(one), severity=one.severity, message=one.message, points=one.span is not None)
        for one in chosen.findings
    )


def _ref(line: EvaluationLine, npc: Npc, culture: Culture, authority: Mapping[str, str]) -> LineRef:
    base = line.base.replace(AUTHORITY, authority.get(line.id, ""))
    made = Line(id=line.id, base_text=base, affect=line.affect, slots=line.slots)
    return LineRef(npc, line.id, line.kind, made, culture)


def _unadapted(content: Content) -> Content:
    cultures = {name: one.model_copy(update={"adapter": None}) for name, one in content.cultures.items()}
    zones = {
        name: replace(zone, lines=tuple(replace(ref, culture=cultures[ref.culture.id]) for ref in zone.lines))
        for name, zone in content.zones.items()
    }
    return replace(content, cultures=cultures, zones=zones)
