"""`voicebake doctor`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import AllowOption, JsonOption, ModelOption, ProjectOption, find_project, settings_of

if TYPE_CHECKING:
    from pipeline.generation.doctor import Diagnosis

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
    if json:
        print_json(asdict(diagnosis))
    else:
        _print(diagnosis)
    if diagnosis.problems:
        raise typer.Exit(1)


def _print(diagnosis: Diagnosis) -> None:
    out.print(
        f"Machine   {diagnosis.cores} cores, {diagnosis.memory_bytes / _GB:.1f} GB of memory, "
        f"{diagnosis.available_bytes / _GB:.1f} GB free"
    )
    out.print(f"Engine    {diagnosis.engine}")
    out.print(
        f"Model     {diagnosis.model_name}, {diagnosis.model_bytes / _GB:.2f} GB"
        f"{' (allowed by override)' if diagnosis.override else ''}"
    )
    if test := diagnosis.self_test:
        out.print(
            f"Speed     {1000 / test.decode_tokens_per_second:.1f} ms per token side by side, "
            f"{test.decode_tokens_per_second:.0f} tokens/s; prompts {test.prompt_tokens_per_second:.0f} tokens/s; "
            f"loads in {test.load_seconds:.1f} s"
        )
    for problem in diagnosis.problems:
        err.print(f"Problem   {problem}")
    if not diagnosis.problems:
        out.print("All is well. Next: voicebake bake")
