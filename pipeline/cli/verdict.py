"""`voicebake verdict`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, find_project
from pipeline.cli.review import ReviewerOption, report
from pipeline.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.bake import Workspace
    from pipeline.content.terms import TellState
    from pipeline.review import Decision, Ledger

_DECIDING = ("approve", "edit", "reject", "waive", "regenerate")

verdict = typer.Typer(no_args_is_help=True, help="Decide on single variants from scripts; `review` is for people.")


@verdict.command("set")
def set_(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="approve, edit, reject, waive or regenerate.")],
    npc: Annotated[str, typer.Argument(help="NPC id.")],
    line: Annotated[str, typer.Argument(help="Line id.")],
    tell: Annotated[str, typer.Option("--tell", help="Tell state, or all: those that have a text.")] = "Neutral",
    text: Annotated[
        str | None, typer.Option("--text", help="edit: the new text. Otherwise the text meant, if not the chosen one.")
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option("--rule", help="waive: the rule. approve, edit: waive it too. May be repeated.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; needed for a waiver.")] = "",
    reviewer: ReviewerOption = None,
    project: ProjectOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Decide on a variant, and bring queue and draft up to date. Loads no model."""
    from pipeline.bake import Workspace, decide
    from pipeline.review import Action, Decision, default_reviewer

    if action not in _DECIDING:
        raise UserError(f"{action!r} is no decision.", f"Use one of {', '.join(_DECIDING)}.")
    wanted, rules = Action(action), tuple(rule or ())
    if wanted is Action.waive and not rules:
        raise UserError("A waiver needs its rule.", "Add --rule RULE; `voicebake check --explain RULE` explains one.")
    found = find_project(project)
    with Workspace.open(found) as workspace:
        zone_id = _zone_of(workspace, npc)
        base = Decision(wanted, npc, line, text=text, waive=rules, reason=reason)
        decisions = [one for state in _states(workspace, zone_id, base, tell) for one in _of_state(base, state)]
        decided = decide(workspace, zone_id, decisions, reviewer or default_reviewer(found))
    report(decided, quiet=quiet, json=json)


@verdict.command()
def withdraw(
    verdict_id: Annotated[str, typer.Argument(metavar="ID", help="The verdict, or the first characters of its id.")],
    reason: Annotated[str, typer.Option("--reason", help="Why.")] = "",
    reviewer: ReviewerOption = None,
    project: ProjectOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Take a verdict back. It stays in the log, and so does the withdrawal."""
    from pipeline.bake import Workspace, decide
    from pipeline.review import Action, Decision, default_reviewer

    found = find_project(project)
    with Workspace.open(found) as workspace:
        zone_id = _zone_of_verdict(workspace.ledger(), verdict_id)
        decision = Decision(Action.withdraw, verdict_id=verdict_id, reason=reason)
        decided = decide(workspace, zone_id, [decision], reviewer or default_reviewer(found))
    report(decided, quiet=quiet, json=json)


@verdict.command()
def conflicts(project: ProjectOption = None, json: JsonOption = False) -> None:
    """List contradictory verdicts and lines of logs that cannot be read. Exit code 1 if there are any."""
    from pipeline.review import load_ledger

    ledger = load_ledger(find_project(project))
    found = [{"message": one.message, "verdicts": [verdict.id for verdict in one.verdicts]} for one in ledger.conflicts]
    if json:
        print_json({"conflicts": found, "problems": ledger.problems})
    else:
        for message in (*(one["message"] for one in found), *ledger.problems):
            out.print(message)
    if found or ledger.problems:
        raise typer.Exit(1)


def _zone_of(workspace: Workspace, npc_id: str) -> str:
    for zone in workspace.content.zones.values():
        if any(npc.id == npc_id for npc in zone.npcs):
            return zone.zone.id
    raise UserError(f"There is no NPC {npc_id!r}.", "The files under zones/*/npcs name them.")


def _zone_of_verdict(ledger: Ledger, verdict_id: str) -> str:
    found = [one for one in ledger.verdicts if len(verdict_id) >= 6 and one.startswith(verdict_id)]
    if len(found) != 1:
        raise UserError(
            f"{'More than one verdict' if found else 'No verdict'} has an id that begins with {verdict_id!r}.",
            "Give at least 6 characters; `voicebake history NPC LINE` shows the ids.",
        )
    return ledger.zone_of(found[0])


def _states(workspace: Workspace, zone_id: str, decision: Decision, tell: str) -> list[TellState]:
    from pipeline.bake import ReviewSession
    from pipeline.content.terms import TellState

    if tell.lower() == "all":
        with ReviewSession.open(workspace, zone_id, "-") as session:
            line = session.line(decision.npc_id, decision.line_id)
        return [one.tell_state for one in line.variants if one.voiced is not None]
    for state in TellState:
        if state.value.lower() == tell.lower():
            return [state]
    raise UserError(f"{tell!r} is no tell state.", f"Use one of {', '.join(TellState)}, or all.")


def _of_state(decision: Decision, state: TellState) -> Sequence[Decision]:
    from dataclasses import replace

    from pipeline.review import Action

    if decision.action is Action.waive:
        return [replace(decision, tell_state=state, rule=rule, waive=()) for rule in decision.waive]
    return [replace(decision, tell_state=state)]
