"""`voicebake spike`: one model on the evaluation set, with the ablations that were asked for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pipeline.bake import BakeProgress, Tally, Workspace, check_canaries
from pipeline.bake.plan import choosing_digest
from pipeline.bake.trial import find_culture, hub_culture
from pipeline.content.voice_bank import load_bank
from pipeline.prompting import LineJob
from pipeline.settings import Settings
from pipeline.spike.arms import ADAPTER, LEFT_OUT, Ablation, ablations
from pipeline.spike.criteria import rule_criteria
from pipeline.spike.evaluation import Evaluation
from pipeline.spike.result import (
    SCHEMA,
    WHOLE,
    AblationRow,
    ArmRow,
    Content,
    Inputs,
    ModelRow,
    Result,
    Run,
    content_hash,
)
from pipeline.spike.result import Settings as SettingsRow
from pipeline.spike.voicing import ArmPlan, arm_workspace, open_store, plan_arm, voice_arm
from pipeline.validation.digest import rules_digest


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a spike is asked for."""

    evaluation: Evaluation
    culture: str | None = None
    """None: the hub's."""
    lines: int | None = None
    """None: the whole set; else so many of its lines."""
    adapter: bool = True
    """False: cultures do without their adapters."""
    ablate: tuple[str, ...] = ()
    ablate_lines: int | None = None
    """Lines of an ablation; None: as many as the whole arm has."""


def run_spike(
    workspace: Workspace,
    wanted: Wanted,
    progress: BakeProgress,
    should_stop: Callable[[], bool] = lambda: False,
) -> Result:
    """Voices the set with the workspace's model. Keeps no result: see `write_result`.

    Raises `UserError` for an unknown culture, `Stopped` where it was asked to stop; the next run goes on from there.
    """
    culture = find_culture(workspace.content, wanted.culture or hub_culture(workspace.content))
    settings = workspace.settings
    whole = arm_workspace(workspace, settings, lambda profile: profile, adapter=wanted.adapter)
    profile = whole.adapted_profiles.get(culture.id, whole.profile)
    found = ablations(profile, culture)
    lines = wanted.evaluation.picked(wanted.lines)
    plans = [plan_arm(whole, wanted.evaluation, culture.id, lines, WHOLE)]
    for each in found:
        if each.applies and each.name in wanted.ablate:
            other = arm_workspace(workspace, settings, each.alter, adapter=wanted.adapter and each.name != ADAPTER)
            fewer = lines[: wanted.ablate_lines]
            plans.append(plan_arm(other, wanted.evaluation, culture.id, fewer, each.name))
    arms, run = _voiced(plans, progress, should_stop)
    content = _content(whole, wanted, culture.id, profile.name, plans[0], arms, [_row(each, wanted) for each in found])
    result = Result(content_hash=content_hash(content), content=content, run=run)
    return result.model_copy(update={"criteria": tuple(each.as_json() for each in rule_criteria(result))})


def _voiced(
    plans: Sequence[ArmPlan], progress: BakeProgress, should_stop: Callable[[], bool]
) -> tuple[tuple[ArmRow, ...], Run]:
    first = plans[0].workspace
    check_canaries(first.rules)
    arms = []
    tally = Tally()
    with open_store(first.project) as store:
        for plan in plans:
            left_out = LEFT_OUT.get(plan.arm)
            title = f"{plan.workspace.identity.model_name}{f' without {left_out}' if left_out else ''}"
            with plan.workspace:
                arms.append(ArmRow(arm=plan.arm, lines=voice_arm(plan, store, progress, title, should_stop, tally)))
        cost = store.cost(set().union(*(plan.fingerprints for plan in plans)))
    run = Run(
        written_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(cost.seconds, 1),
        lines_generated=sum(len(plan.lines) for plan in plans),
        threads=first.settings.model.threads,
    )
    return tuple(arms), run


def _row(each: Ablation, wanted: Wanted) -> AblationRow:
    why = each.why_not or ("" if each.name in wanted.ablate else f"not run: --ablate {each.name}")
    return AblationRow(arm=each.name, applies=each.applies, why=why)


def _content(
    whole: Workspace,
    wanted: Wanted,
    culture_id: str,
    profile: str,
    plan: ArmPlan,
    arms: tuple[ArmRow, ...],
    found: Iterable[AblationRow],
) -> Content:
    identity, culture = whole.identity, whole.content.cultures[culture_id]
    bank = load_bank(whole.project, culture_id)
    return Content(
        schema_version=SCHEMA,
        evaluation=wanted.evaluation.version,
        evaluation_digest=wanted.evaluation.digest,
        set_lines=len(wanted.evaluation.set.lines),
        culture=culture_id,
        exclamations=culture.injector.vocabulary.exclamations,
        model=ModelRow(
            name=identity.model_name,
            sha256=identity.model_sha256,
            engine=identity.engine,
            profile=profile,
            adapter_sha256=whole.adapter_hashes[culture_id],
            override=identity.override,
        ),
        settings=_settings(whole.settings, identity.vocabulary),
        inputs=Inputs(
            prompts=_prompts_digest(plan.jobs),
            rules=rules_digest(whole.content, {culture_id}),
            choosing=choosing_digest(),
            bank=bank.digest if bank else None,
        ),
        arms=arms,
        ablations=tuple(found),
    )


def _settings(settings: Settings, vocabulary: str) -> SettingsRow:
    values = settings.sampling.model_dump() | {"vocabulary": vocabulary}
    return SettingsRow.model_validate(values)


def _prompts_digest(jobs: Mapping[str, LineJob]) -> str:
    """sha256 over the rendered prompts, by line."""
    texts = {line_id: [[job.key.tell_state.value, job.text] for job in line.jobs] for line_id, line in jobs.items()}
    return hashlib.sha256(json.dumps(texts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
