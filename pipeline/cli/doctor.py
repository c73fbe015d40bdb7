"""`voicebake doctor`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import AllowOption, JsonOption, ModelOption, ProjectOption, find_project, settings_of
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.bake.estimate import ZoneEstimate
    from pipeline.generation.doctor import Diagnosis, SelfTest
    from pipeline.project import Project
    from pipeline.settings import Settings

_GB = 1e9


def doctor(
    project: ProjectOption = None,
    model: ModelOption = None,
    allow_other_model: AllowOption = False,
    json: JsonOption = False,
) -> None:
    """Look at the machine, the engine and the model: memory, speed, and what to do about what is wrong."""
    from pipeline.bake import engine_settings
    from pipeline.generation.doctor import diagnose

    found = find_project(project)
    settings = settings_of(found, model=model, allow_other_model=allow_other_model)
    diagnosis = diagnose(found, engine_settings(settings))
    zones, why_not = _estimates(found, settings, diagnosis.self_test) if diagnosis.self_test else ([], "")
    if json:
        print_json(asdict(diagnosis) | {"zones": [asdict(zone) for zone in zones]})
    else:
        _print(diagnosis, zones, why_not)
    if diagnosis.problems:
        raise typer.Exit(1)


def _estimates(project: Project, settings: Settings, test: SelfTest) -> tuple[list[ZoneEstimate], str]:
    """What each zone still takes; for content that cannot be baked, nothing and the reason."""
    from pipeline.bake import Workspace, plan_zone
    from pipeline.bake.estimate import Rates, estimate_zones

    rates = Rates(test.prompt_tokens_per_second, test.decode_tokens_per_second)
    try:
        with Workspace.open(project, settings) as workspace:
            plans = [plan_zone(workspace, zone) for zone in workspace.content.zones]
            return estimate_zones(workspace, plans, rates), ""
    except UserError as error:
        return [], error.message.splitlines()[0]


def _print(diagnosis: Diagnosis, zones: list[ZoneEstimate], why_not: str) -> None:
    out.print(
        f"Machine   {diagnosis.cores} cores, {diagnosis.memory_bytes / _GB:.1f} GB of memory, "
        f"{diagnosis.available_bytes / _GB:.1f} GB free"
    )
    out.print(f"Engine    {diagnosis.engine}")
    out.print(
        f"Model     {diagnosis.model_name}, {diagnosis.model_bytes / _GB:.2f} GB"
        f"{' (allowed by override)' if diagnosis.override else ''}; a bake takes about "
        f"{diagnosis.needed_bytes / _GB:.1f} GB of memory"
    )
    out.print(f"Words     vocabulary {diagnosis.vocabulary}, {diagnosis.width} candidates side by side")
    if test := diagnosis.self_test:
        out.print(
            f"Speed     {1000 / test.decode_tokens_per_second:.1f} ms per token side by side, "
            f"{test.decode_tokens_per_second:.0f} tokens/s; prompts {test.prompt_tokens_per_second:.0f} tokens/s; "
            f"loads in {test.load_seconds:.1f} s"
        )
    for zone in zones:
        source = "as earlier bakes here took" if zone.from_bakes else "by the speed above"
        out.print(
            f"Zone      {zone.zone}: {zone.to_generate} of {zone.lines} lines to generate, "
            f"{zone.line_seconds:.1f} s each {source}: about {_duration(zone.seconds)}"
        )
    if why_not:
        err.print(f"Zones     no estimate: {why_not}")
    for problem in diagnosis.problems:
        err.print(f"Problem   {problem}")
    out.print(f"Advice    {diagnosis.recommendation}")
    if not diagnosis.problems:
        out.print("All is well. Next: voicebake bake")


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"
