"""Counting tokens where a model is at hand already: content checks want figures, but wait for no model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from pipeline.errors import UserError
from pipeline.generation.models import DEFAULT_PACKAGE, find_model
from pipeline.generation.opening import fake_wanted
from pipeline.generation.tokeniser import Tokeniser
from pipeline.generation.tokens import TokenCounts
from pipeline.project import Project

CountTokens = Callable[[Sequence[str]], list[int]]


class TokeniserError(UserError):
    """The model's file is there, but its tokeniser cannot be used."""


def counter_at_hand(project: Project, model: str | None, *, allow_other: bool) -> CountTokens:
    """Counts tokens as the model at `model` does, or the default model. Known counts come from the project's memory.

    Only the vocabulary of the file is read, and only for a text that was never counted. Raises `UserError`, which says
    why, where the file is not there yet or may not be used; it is never assembled here.
    """
    if fake_wanted():
        raise UserError("The fake engine of the tests has no tokeniser.")
    path = project.root / model if model else _default_path(project)
    if not path.is_file():
        raise UserError(f"{project.shown(path)} is not there yet.", "The first `voicebake bake` makes it.")
    file = find_model(project, str(path), allow_other=allow_other)
    counts = TokenCounts(project.build / "models" / "tokens.sqlite", file.sha256)
    tokeniser = Tokeniser(file)

    def count(texts: Sequence[str]) -> list[int]:
        try:
            return counts.count(texts, tokeniser.count)
        except UserError as error:
            raise TokeniserError(error.message, error.hint) from error
        finally:
            tokeniser.close()

    return count


def _default_path(project: Project) -> Path:
    try:
        package = import_module(DEFAULT_PACKAGE)
    except ImportError as error:
        raise UserError("The default model's packages are not installed.", "Run `make`.") from error
    return project.build / "models" / str(package.MODEL_NAME)
