"""`voicebake bank`."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, find_project

bank = typer.Typer(no_args_is_help=True, help="What cultures' adapters learn from.")


@bank.callback()
def commands() -> None:
    """Keeps `add` a command of its own while it is the only one."""


@bank.command()
def add(
    from_review: Annotated[
        str, typer.Option("--from-review", metavar="ZONE", help="Lines whose six variants people approved or edited.")
    ],
    project: ProjectOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Add settled lines of a zone to the voice banks of their cultures. A base text that is there is left alone."""
    from pipeline.bake import Workspace
    from pipeline.bake.bank import bank_from_review

    found = find_project(project)
    with Workspace.open(found) as workspace:
        harvests = bank_from_review(workspace, from_review)
    if json:
        print_json(
            {
                "cultures": [
                    {
                        "culture": one.culture_id,
                        "bank": found.shown(one.path),
                        "added": one.added,
                        "known": one.known,
                        "unsettled": one.unsettled,
                    }
                    for one in harvests
                ]
            }
        )
    elif not quiet:
        for one in harvests:
            out.print(
                f"{found.shown(one.path)}: {one.added} lines added, {one.known} were there, {one.unsettled} lines of "
                f"{from_review} are not settled"
            )
            if one.added:
                out.print(f"Next: voicebake check, then voicebake train {one.culture_id}")
