"""`voicebake new`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pipeline.cli.console import out
from pipeline.cli.options import ProjectOption, find_project
from pipeline.errors import UserError


class NewKind(StrEnum):
    """What can be begun."""

    npc = "npc"
    zone = "zone"
    culture = "culture"


def new(
    kind: Annotated[NewKind, typer.Argument(help="npc, zone or culture.")],
    new_id: Annotated[str, typer.Argument(metavar="ID", help="Its id: lower-case letters, digits and _.")],
    zone: Annotated[str | None, typer.Option("--zone", help="The NPC's zone; needed where there are several.")] = None,
    culture: Annotated[
        str | None, typer.Option("--culture", help="The zone's culture; without it the one that most zones have.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="As people see it; without it made from the id.")] = None,
    project: ProjectOption = None,
) -> None:
    """Begin a commented file that passes `check`. Nothing is ever overwritten."""
    from pipeline.content.scaffold import new_culture, new_npc, new_zone

    if zone is not None and kind is not NewKind.npc:
        raise UserError("--zone belongs to `new npc`.")
    if culture is not None and kind is not NewKind.zone:
        raise UserError("--culture belongs to `new zone`.")
    found = find_project(project)
    if kind is NewKind.npc:
        written = new_npc(found, new_id, zone, name)
    elif kind is NewKind.zone:
        written = new_zone(found, new_id, culture, name)
    else:
        written = new_culture(found, new_id, name)
    for path in written:
        out.print(f"Wrote {found.shown(path)}")
    out.print("Its comments say what to write where. Then: voicebake check")
