"""`voicebake spike`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import (
    AllowOption,
    JsonOption,
    ProjectOption,
    QuietOption,
    ThreadsOption,
    find_project,
    settings_of,
)
from pipeline.cli.stopping import EXIT_BUDGET, EXIT_STOPPED, stop_on_interrupt
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.project import Project
    from pipeline.settings import Settings
    from pipeline.spike.judging import Judged, Report

DEFAULT = "default"
ALL = "all"
spike = typer.Typer(help="Is a model good enough, and which of two is better?", invoke_without_command=True)


@spike.callback()
def run(
    ctx: typer.Context,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="GGUF", help="A model, once or twice: a GGUF file, or default."),
    ] = None,
    culture: Annotated[str | None, typer.Option("--culture", help="Culture id; without it the hub's.")] = None,
    lines: Annotated[
        int | None, typer.Option("--lines", min=1, help="Fewer lines of the set; decides nothing.")
    ] = None,
    adapter: Annotated[
        bool, typer.Option("--adapter/--no-adapter", help="With or without the culture's adapter.")
    ] = True,
    ablate: Annotated[
        list[str] | None,
        typer.Option("--ablate", help="Also without: injector, guards, tells or adapter; several times, or all."),
    ] = None,
    ablate_lines: Annotated[
        int | None, typer.Option("--ablate-lines", min=1, help="Lines of an ablation; without it those of --lines.")
    ] = None,
    candidates: Annotated[
        int | None, typer.Option("--candidates", min=1, max=16, help="Per tell state; recorded.")
    ] = None,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, max=8, help="At most; recorded.")] = None,
    evaluation: Annotated[str | None, typer.Option("--evaluation", help="Version of the set; else the newest.")] = None,
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="TIME", help="End in time: 90s, 10m. Exit code 4 if lines are left."),
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--report", metavar="HTML", help="The report; else build/spike/report.html.")
    ] = None,
    project: ProjectOption = None,
    allow_other_model: AllowOption = False,
    threads: ThreadsOption = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Fail instead of waiting for another bake.")] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Voice the evaluation set as a bake would, measure it, and write a report and a result per model.

    Goes on where an earlier run stopped. Touches no zone.
    """
    if ctx.invoked_subcommand is not None:
        return
    from pipeline.bake import Workspace
    from pipeline.bake.budget import TimeBudget, parse_duration
    from pipeline.cli.progress import TerminalProgress
    from pipeline.spike.evaluation import load_evaluation
    from pipeline.spike.judging import report
    from pipeline.spike.page import write_page
    from pipeline.spike.result_files import write_result
    from pipeline.spike.run import Wanted, run_spike
    from pipeline.spike.voicing import Stopped

    models = model or [DEFAULT]
    if len(models) > 2:
        raise UserError(f"{len(models)} models were given.", "A report compares two; keep others for later.")
    limit = TimeBudget(parse_duration(budget)) if budget else None
    found = find_project(project)
    wanted = Wanted(load_evaluation(found, evaluation), culture, lines, adapter, _ablations(ablate), ablate_lines)
    results = []
    with TerminalProgress(quiet=quiet or json) as progress, stop_on_interrupt(progress.message) as stop:
        for name in models:
            settings = settings_of(
                found, model=None if name == DEFAULT else name, allow_other_model=allow_other_model, threads=threads
            )
            with Workspace.open(found, _sampling(settings, candidates, rounds)) as workspace:
                workspace.wait, workspace.notify = not no_wait, progress.message
                try:
                    result = run_spike(workspace, wanted, progress, lambda: stop() or (limit is not None and limit()))
                except Stopped:
                    spent = limit is not None and limit.spent
                    err.print(
                        f"Stopped{f' by the time budget of {budget}' if spent else ''}. The same command goes on."
                    )
                    raise typer.Exit(EXIT_BUDGET if spent else EXIT_STOPPED) from None
            results.append(result)
            write_result(found, result)
    made = report(found, results)
    path = write_page(found, made, page)
    if json:
        print_json(
            made.as_json()
            | {"report": found.shown(path.resolve()), "files": [_file(found, one) for one in made.judged]}
        )
    elif not quiet:
        print_report(found, made, path)


def _ablations(names: list[str] | None) -> tuple[str, ...]:
    from pipeline.spike.arms import ABLATIONS

    for name in names or []:
        if name not in (*ABLATIONS, ALL):
            raise UserError(f"There is no ablation {name!r}.", f"There are: {', '.join(ABLATIONS)}; or say all.")
    return ABLATIONS if ALL in (names or []) else tuple(dict.fromkeys(names or []))


def _sampling(settings: Settings, candidates: int | None, rounds: int | None) -> Settings:
    given = {"candidates": candidates, "rounds": rounds}
    sampling = settings.sampling.model_copy(update={name: one for name, one in given.items() if one is not None})
    return settings.model_copy(update={"sampling": sampling})


def _file(project: Project, judged: Judged) -> str:
    from pipeline.spike.result_files import results_folder

    return project.shown(results_folder(project) / f"{judged.result.content_hash}.json")


def print_report(project: Project, made: Report, path: Path) -> None:
    """The report in short, for the terminal."""
    from pipeline.spike.page import bar, figure, mark

    for judged in made.judged:
        out.print(f"{judged.result.label}, {judged.result.content.culture}: {judged.decision.verdict.value}")
        for criterion in judged.criteria:
            for one in criterion.measures:
                if one.bar is not None:
                    out.print(f"  {mark(one.met):<8}{criterion.id:<27}{one.by:<7}{figure(one)}; {bar(one)}")
        for reason in judged.decision.reasons[:3]:
            out.print(f"  {reason}")
        if judged.fake:
            out.print("  These texts come from the FAKE engine of the tests. Unset VOICEBAKE_ENGINE for real ones.")
        out.print(f"Result   {_file(project, judged)}")
    if made.choice is not None:
        at = made.choice.winner
        out.print(f"Better   {'neither' if at is None else made.judged[at].result.label}: {made.choice.reason}")
    out.print(f"Report   {project.shown(path.resolve())}")
    out.print(f"Next     voicebake spike packet {' '.join(one.result.short for one in made.judged)}")
