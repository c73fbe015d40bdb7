"""`voicebake history`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, find_project

if TYPE_CHECKING:
    from pipeline.bake.history import Event, LineHistory
    from pipeline.review import Verdict


def history(
    npc: Annotated[str, typer.Argument(help="NPC id.")],
    line: Annotated[str, typer.Argument(help="Line id.")],
    tell: Annotated[str | None, typer.Option("--tell", help="Only this tell state.")] = None,
    project: ProjectOption = None,
    json: JsonOption = False,
) -> None:
    """Show every text and verdict that a line has had, also for earlier base texts of the same id."""
    from pipeline.bake import Workspace
    from pipeline.bake.history import line_history

    with Workspace.open(find_project(project)) as workspace:
        found = line_history(workspace, npc, line)
    if json:
        print_json(_as_json(found, tell))
        return
    out.print(f"{npc} {line}: {found.base or '(no longer authored)'}")
    base = None
    for event in found.events:
        lines = list(_lines(event, tell))
        if lines and event.base != base:
            base = event.base
            out.print(f"\nBase text: {base}")
        for text in lines:
            out.print(text)
    chosen = [one for one in found.choices if _is_asked(one.tell_state, tell)]
    if chosen:
        out.print("\nNow:")
    for one in chosen:
        note = "" if one.trouble is None else f" ({one.trouble})"
        out.print(f"  {one.tell_state:<16} {one.source:<9} {one.voiced or '-'}{note}")


def _is_asked(state: str, tell: str | None) -> bool:
    return tell is None or state.lower() == tell.lower()


def _lines(event: Event, tell: str | None) -> list[str]:
    time = event.time[:16].replace("T", " ")
    if event.verdict is not None:
        if not _is_asked(event.verdict.tell_state, tell):
            return []
        return [
            f"  {time}  {event.verdict.tell_state:<16} {_told(event.verdict)}{'' if event.live else ' [withdrawn]'}"
        ]
    return [
        f"  {time}  {text.tell_state:<16} generated: {text.voiced}"
        for text in event.texts
        if _is_asked(text.tell_state, tell)
    ]


def _told(verdict: Verdict) -> str:
    what = {
        "edit": f"edit: {verdict.old_voiced or '(empty)'} -> {verdict.voiced}",
        "waive": f"waive {verdict.rule}: {verdict.voiced}",
        "withdraw": f"withdraw {(verdict.withdraws or '')[:8]}",
    }.get(verdict.action, f"{verdict.action}: {verdict.voiced or '(empty)'}")
    reason = f", {verdict.reason}" if verdict.reason else ""
    return f"{what} ({verdict.reviewer}{reason}, {verdict.id[:8]})"


def _as_json(found: LineHistory, tell: str | None) -> dict[str, Any]:
    from pipeline.review import verdict_row

    events: list[dict[str, Any]] = []
    for event in found.events:
        row: dict[str, Any] = {"time": event.time, "base": event.base}
        if event.verdict is not None:
            if _is_asked(event.verdict.tell_state, tell):
                events.append({**row, "verdict": verdict_row(event.verdict), "live": event.live})
        else:
            texts = [asdict(text) for text in event.texts if _is_asked(text.tell_state, tell)]
            events.append({**row, "texts": texts})
    return {
        "npc": found.npc_id,
        "line": found.line_id,
        "base": found.base,
        "events": events,
        "now": [
            {"tell_state": one.tell_state, "voiced": one.voiced, "source": one.source, "trouble": one.trouble}
            for one in found.choices
            if _is_asked(one.tell_state, tell)
        ],
    }
