"""`voicebake report`."""

from __future__ import annotations

from pipeline.cli.console import out, print_json
from pipeline.cli.options import AllowOption, JsonOption, ModelOption, ProjectOption, find_project, settings_of


def report(
    project: ProjectOption = None,
    model: ModelOption = None,
    allow_other_model: AllowOption = False,
    json: JsonOption = False,
) -> None:
    """Write build/report.html: how the baked texts stand, and what changed since the last bake. Loads no model."""
    from pipeline.bake import Workspace
    from pipeline.report import write_report

    found = find_project(project)
    with Workspace.open(found, settings_of(found, model=model, allow_other_model=allow_other_model)) as workspace:
        path = write_report(workspace)
    if json:
        print_json({"report": found.shown(path)})
    else:
        out.print(f"Report        {found.shown(path)}")
