"""`voicebake say`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, find_project
from pipeline.errors import UserError


def say(
    npc: Annotated[str, typer.Argument(help="NPC id.")],
    line: Annotated[str, typer.Argument(help="Line id.")],
    tell: Annotated[str, typer.Option("--tell", help="Tell state.")] = "Neutral",
    slot: Annotated[
        list[str] | None, typer.Option("--slot", metavar="NAME=TEXT", help="Fill an authored slot; may be repeated.")
    ] = None,
    cache: Annotated[Path | None, typer.Option("--cache", help="A cache file; without it the draft.")] = None,
    no_ai: Annotated[bool, typer.Option("--no-ai", help="As with AI-enhanced dialogue switched off.")] = False,
    project: ProjectOption = None,
    json: JsonOption = False,
) -> None:
    """Say a line as the game would, by the fallback order. Unfilled slots are shown as they stand."""
    from pipeline.cache import VoiceCache

    found = find_project(project)
    slots = dict(_pair(text) for text in slot or ())
    with VoiceCache(cache or found.draft_cache, ai_dialogue=not no_ai) as voices:
        spoken = voices.line(npc, line, tell, slots=slots) if slots else voices.template(npc, line, tell)
    if json:
        print_json({"npc": npc, "line": line, "tell": tell, "text": spoken.text, "source": spoken.source})
        return
    out.print(spoken.text)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UserError(f"--slot {text!r} is not NAME=TEXT.", "Write it like: --slot price='40 credits'")
    return name, value
