"""`voicebake try`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import AllowOption, ModelOption, ProjectOption, ThreadsOption, find_project, settings_of
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.bake.trial import TrialLine
    from pipeline.bake.voice import LineResult
    from pipeline.content.terms import TellState
    from pipeline.selection import Judged, VariantChoice

_WIDTH = 80


def try_(
    base: Annotated[str | None, typer.Argument(metavar="TEXT", help="The base text; or use --file.")] = None,
    kind: Annotated[str, typer.Option("--kind", help="dialogue or behavior.")] = "dialogue",
    tell: Annotated[str, typer.Option("--tell", help="A tell state, or all.")] = "all",
    culture: Annotated[str | None, typer.Option("--culture", help="Culture id; without it the hub's.")] = None,
    npc: Annotated[str | None, typer.Option("--npc", help="Who speaks: an NPC id, with its own culture.")] = None,
    affect: Annotated[str | None, typer.Option("--affect", help="low, even or high; without it not judged.")] = None,
    candidates: Annotated[
        int | None, typer.Option("--candidates", "-n", min=1, max=16, help="Candidates per tell state.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="JSONL", help='Many: {"base": "...", "kind": "..."} a line; - for stdin.'),
    ] = None,
    project: ProjectOption = None,
    model: ModelOption = None,
    allow_other_model: AllowOption = False,
    threads: ThreadsOption = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Fail instead of waiting for another bake.")] = False,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON on stdout per base text, for scripts.")] = False,
) -> None:
    """Hear how a base text comes out before you write it into a zone. Keeps nothing.

    The prompts, seeds and rules are those of a bake.
    """
    if (base is None) == (file is None):
        raise typer.BadParameter("Give a base text, or --file, not both.")
    from pipeline.bake.trial import plan_trial, voice_trial
    from pipeline.bake.workspace import Workspace

    found = find_project(project)
    states = _states(tell)
    given = {"kind": kind, "npc": npc, "affect": affect, "culture": culture}
    lines = list(_lines(base, file, {key: value for key, value in given.items() if value is not None}))
    settings = settings_of(found, model=model, allow_other_model=allow_other_model, threads=threads)
    if candidates is not None:
        sampling = settings.sampling.model_copy(update={"candidates": candidates})
        settings = settings.model_copy(update={"sampling": sampling})
    with Workspace.open(found, settings) as workspace:
        workspace.wait, workspace.notify = not no_wait, err.print
        trials = []
        for place, line in lines:
            try:
                trials.append(plan_trial(workspace, line))
            except UserError as error:
                raise UserError(f"{place}{error.message}", error.hint) from None
        for trial in trials:
            result = voice_trial(workspace, trial)
            if json:
                print_json(as_json(trial.line, result, states))
                sys.stdout.flush()
            else:
                _show(trial.line, result, states)
        if not json and workspace.identity.engine.startswith("fake"):
            _wrapped("", "These texts come from the FAKE engine of the tests. Unset VOICEBAKE_ENGINE for real ones.")


def as_json(line: TrialLine, result: LineResult, states: tuple[TellState, ...]) -> dict[str, Any]:
    """What scripts read: candidates best first, those that are blocked last."""
    return {
        "base": line.base,
        "variants": [
            {
                "tell": state.value,
                "candidates": [
                    {
                        "text": one.candidate.voiced,
                        "score": one.score.total,
                        "findings": [
                            {"rule": f.rule, "severity": f.severity.value, "message": f.message} for f in one.findings
                        ],
                    }
                    for one in _ranked(result.choices[state])
                ],
            }
            for state in states
        ],
    }


def _ranked(choice: VariantChoice) -> tuple[Judged, ...]:
    return (choice.chosen, *choice.others) if choice.chosen else choice.others


def _states(tell: str) -> tuple[TellState, ...]:
    """The tell states to show. Raises `UserError` for a word that is none."""
    from pipeline.content.terms import TellState

    if tell.lower() == "all":
        return tuple(TellState)
    for state in TellState:
        if state.value.lower() == tell.lower().replace("_", ""):
            return (state,)
    raise UserError(f"There is no tell state {tell!r}.", f"The tell states are: {', '.join(TellState)}; or say all.")


def _lines(base: str | None, file: Path | None, given: Mapping[str, str]) -> Iterator[tuple[str, TrialLine]]:
    """What to try, each with the place that errors begin with; a row's own words go before those of the options."""
    from pipeline.bake.trial_rows import trial_line

    if file is None:
        yield "", trial_line({**given, "base": base or ""})
        return
    from pipeline.bake.trial_rows import trial_rows
    from pipeline.cli.input_lines import input_lines

    for number, line in trial_rows(input_lines(file), str(file), given):
        yield f"{file}:{number}: ", line


def _show(line: TrialLine, result: LineResult, states: tuple[TellState, ...]) -> None:
    culture, npc = result.job.line.culture.id, line.npc_id
    _wrapped("Base   ", f"{line.base}  ({line.kind.value}, {f'{npc}, ' if npc else ''}{culture})")
    for state in states:
        choice = result.choices[state]
        out.print(f"{state.value}{'' if choice.chosen else '   nothing passes: the game falls back'}")
        for text, group in groupby(_ranked(choice), key=lambda one: one.candidate.voiced):
            alike = list(group)
            one = alike[0]
            mark = "*" if one is choice.chosen else " "
            score = f"{one.score.total:.2f}" if one.passes else "  - "
            _wrapped(f"{mark} {score} ", text + (f"  ({len(alike)} times)" if len(alike) > 1 else ""))
            for finding in one.findings:
                if finding.severity != "info":
                    _wrapped(f"       {finding.severity.value:<6} ", f"{finding.rule}: {finding.message}")
    out.print()


def _wrapped(head: str, text: str) -> None:
    """`text` behind `head`, on as many lines of at most 80 columns as it takes."""
    lines = textwrap.wrap(text, _WIDTH - len(head), break_long_words=False) or [""]
    for number, part in enumerate(lines):
        out.print((head if number == 0 else " " * len(head)) + part)
