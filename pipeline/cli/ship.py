"""`voicebake ship`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import (
    AllowOption,
    JsonOption,
    ModelOption,
    ProjectOption,
    QuietOption,
    find_project,
    settings_of,
)

if TYPE_CHECKING:
    from pipeline.bake import Shipped, ShipRefused, ZoneRelease
    from pipeline.project import Project


def ship(
    allow_fallback: Annotated[
        bool, typer.Option("--allow-fallback", help="Ship variants that wait for a person as fallback.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="DIR", help="Also write every table as Parquet and JSON Lines.")
    ] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Fail instead of waiting for a bake to end.")] = False,
    project: ProjectOption = None,
    model: ModelOption = None,
    allow_other_model: AllowOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Build the voice cache that the game reads: only what may ship. Loads no model.

    Refuses with exit code 5 (3 for a missed canary) and all reasons; the earlier cache stays.
    """
    from pipeline.bake import ShipRefused, Workspace
    from pipeline.bake import ship as ship_zones
    from pipeline.cache import export_jsonl, export_parquet

    found = find_project(project)
    settings = settings_of(found, model=model, allow_other_model=allow_other_model)
    with Workspace.open(found, settings) as workspace:
        workspace.wait = not no_wait
        workspace.notify = (lambda _text: None) if quiet or json else err.print
        try:
            shipped = ship_zones(workspace, allow_fallback=allow_fallback)
        except ShipRefused as refused:
            if json:
                print_json(_refusals(refused))
            raise
    files = [*export_parquet(shipped.cache.path, export), *export_jsonl(shipped.cache.path, export)] if export else []
    if json:
        print_json(as_json(found, shipped) | {"exports": [found.shown(path.resolve()) for path in files]})
    elif not quiet:
        _print_summary(found, shipped)
        if export:
            out.print(f"Exports       {export} ({len(files)} files)")


def as_json(project: Project, shipped: Shipped) -> dict[str, Any]:
    """What was shipped, for scripts."""
    cache = shipped.cache
    return {
        "shipped": True,
        "path": project.shown(cache.path),
        "content_digest": cache.content_digest,
        "zones": [_zone(zone) for zone in shipped.release.zones],
        "coverage": asdict(cache.coverage),
    }


def _zone(zone: ZoneRelease) -> dict[str, Any]:
    return {
        "zone": zone.zone,
        "hub": zone.hub,
        "policy": zone.policy,
        "variants": zone.variants,
        "shipped": zone.shipped,
        "approved": zone.approved,
        "edited": zone.edited,
        "unreviewed": zone.unreviewed,
        "pending_as_fallback": len(zone.withheld),
    }


def _refusals(refused: ShipRefused) -> dict[str, Any]:
    return {"shipped": False, "refusals": [asdict(refusal) for refusal in refused.refusals]}


def _print_summary(project: Project, shipped: Shipped) -> None:
    for zone in shipped.release.zones:
        kind = "hub" if zone.hub else f"policy {zone.policy}"
        text = (
            f"{zone.zone} ({kind}): {zone.shipped} of {zone.variants} variants ship a text of their own "
            f"({zone.approved} approved, {zone.edited} edited, {zone.unreviewed} unread)"
        )
        if zone.withheld:
            text += f"; {len(zone.withheld)} pending ship as fallback"
        out.print(text)
    cache = shipped.cache
    tiers = cache.coverage
    out.print(
        f"Coverage      {tiers.voiced} by their own text, {tiers.fallback_neutral} by the Neutral text, "
        f"{tiers.fallback_base} by base text"
    )
    out.print(f"Voice cache   {project.shown(cache.path)} (content {cache.content_digest[:12]})")
