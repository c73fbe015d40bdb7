"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pipeline.project import Project
    from pipeline.settings import Settings

ProjectOption = Annotated[
    Path | None,
    typer.Option("--project", metavar="FOLDER", help="The project folder; without it the one you stand in."),
]
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="GGUF", help="A Gemma or Phi GGUF file; without it the default model.")
]
AllowOption = Annotated[
    bool,
    typer.Option("--allow-other-model", help="Allow a model that is neither Gemma nor Phi; the manifest records it."),
]
ThreadsOption = Annotated[int | None, typer.Option("--threads", min=1, help="Threads; never changes a text.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary, only errors.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One line of JSON on stdout, for scripts.")]


def find_project(folder: Path | None) -> Project:
    """The project of `--project`, or the one around the current folder."""
    from pipeline.project import Project

    return Project.find(folder)


def settings_of(
    project: Project, *, model: str | None = None, allow_other_model: bool = False, threads: int | None = None
) -> Settings:
    """The project's settings with the command line's words on top."""
    from pipeline.settings import load_settings

    return load_settings(project, path=model, allow_other_model=allow_other_model or None, threads=threads)
