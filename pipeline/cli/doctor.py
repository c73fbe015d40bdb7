"""`voicebake doctor`."""

from __future__ import annotations

from pipeline.cli.options import AllowOption, JsonOption, ModelOption, ProjectOption


def doctor(
    project: ProjectOption = None,
    model: ModelOption = None,
    allow_other_model: AllowOption = False,
    json: JsonOption = False,
) -> None:
    """Look at the machine, the engine and the model, and recommend."""
    raise SystemExit(0)
