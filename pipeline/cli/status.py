"""`voicebake status`."""

from __future__ import annotations

from dataclasses import asdict

from pipeline.cli.console import out, print_json
from pipeline.cli.options import AllowOption, JsonOption, ModelOption, ProjectOption, find_project, settings_of


def status(
    project: ProjectOption = None,
    model: ModelOption = None,
    allow_other_model: AllowOption = False,
    json: JsonOption = False,
) -> None:
    """Show how far each zone is. Loads no model and waits for nobody."""
    from pipeline.bake import Workspace, plan_zone, project_status
    from pipeline.training import AdapterState, adapter_state

    found = find_project(project)
    settings = settings_of(found, model=model, allow_other_model=allow_other_model)
    with Workspace.open(found, settings) as workspace:
        plans = [plan_zone(workspace, zone_id) for zone_id in workspace.content.zones]
        zones = project_status(workspace, plans)
        name = workspace.identity.model_name
        cultures = workspace.content.cultures.values()
        doubts = workspace.ledger().doubts
    if json:
        print_json({"model": name, "zones": [asdict(zone) for zone in zones]})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("zone", no_wrap=True, min_width=max((len(zone.zone) for zone in zones), default=0))
    for column in ("lines", "variants", "voiced", "-> Neutral", "-> base", "pending", "stale"):
        table.add_column(column, justify="right")
    for zone in zones:
        table.add_row(*(str(value) for value in asdict(zone).values()))
    out.print(f"Model: {name}")
    out.print(table)
    if any(zone.stale for zone in zones):
        out.print("Stale lines are baked anew by: voicebake bake")
    if doubts:
        out.print(f"{len(doubts)} things keep verdicts from counting. See: voicebake verdict conflicts")
    for culture in cultures:
        if adapter_state(found, culture) is AdapterState.older:
            out.print(f"{culture.name}: the voice bank is newer than the adapter. Next: voicebake train {culture.id}")
