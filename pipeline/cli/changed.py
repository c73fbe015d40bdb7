"""`voicebake changed`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, find_project


def changed(
    since: Annotated[str, typer.Option("--since", metavar="REV", help="A commit, branch or tag to compare with.")],
    project: ProjectOption = None,
    json: JsonOption = False,
) -> None:
    """Name the zones that changes since a git revision touch, and why. Loads no model."""
    from pipeline.bake.changed import touched_zones
    from pipeline.content import load_content

    found = find_project(project)
    touched = touched_zones(found, load_content(found), since)
    if json:
        print_json({"since": since, "zones": [asdict(zone) for zone in touched]})
        return
    for zone in touched:
        out.print(f"{zone.zone}: {', '.join(zone.why)}")
    if not touched:
        out.print(f"No zone is touched by what changed since {since}.")
