"""Opens the engine that a project's settings ask for, and says beforehand what it will be."""

from __future__ import annotations

import os
from collections.abc import Callable

from pipeline.errors import UserError
from pipeline.generation.engine import Engine, EngineIdentity
from pipeline.generation.fake_engine import FakeEngine
from pipeline.generation.llama import engine_name
from pipeline.generation.llama_engine import LAYOUT, LlamaEngine
from pipeline.generation.model_lock import ModelLock
from pipeline.generation.models import ModelFile, find_model
from pipeline.generation.settings import EngineSettings
from pipeline.generation.vocabulary_cut import corpus_name
from pipeline.project import Project

ENGINE_VARIABLE = "VOICEBAKE_ENGINE"
_MOST_SEQUENCES = 255


def describe_engine(project: Project, settings: EngineSettings) -> EngineIdentity:
    """What `open_engine` would give, without loading a model.

    Raises `UserError` for a missing, damaged or refused model, a missing engine, and settings out of bounds.
    """
    if fake_wanted():
        return FakeEngine.from_environment(settings).identity
    return describe_llama(project, settings, _find(project, settings))


def open_engine(
    project: Project,
    settings: EngineSettings,
    *,
    wait: bool = True,
    notify: Callable[[str], None] = lambda _message: None,
) -> Engine:
    """An engine. It loads its model with the first line that it generates, and only then waits for other processes.

    `wait`: False makes that wait a `UserError`. `notify` is told once for whom it waits. Raises as `describe_engine`.
    """
    if fake_wanted():
        return FakeEngine.from_environment(settings)
    file = _find(project, settings)
    identity = describe_llama(project, settings, file)
    if not settings.exclusive:
        return LlamaEngine(project, file, identity, threads=settings.threads, notify=notify)
    lock = ModelLock(f"project {project.root}")
    return LlamaEngine(
        project,
        file,
        identity,
        threads=settings.threads,
        notify=notify,
        before_loading=lambda: lock.acquire(wait=wait, notify=notify),
        after_closing=lock.release,
    )


def fake_wanted() -> bool:
    """Whether the tests' engine without a model is asked for. Raises `UserError` for an unknown engine."""
    wanted = os.environ.get(ENGINE_VARIABLE, "llama")
    if wanted not in ("llama", "fake"):
        raise UserError(f"{ENGINE_VARIABLE} is {wanted!r}.", "Unset it, or use `llama` or `fake`.")
    return wanted == "fake"


def _find(project: Project, settings: EngineSettings) -> ModelFile:
    return find_model(project, settings.model, allow_other=settings.allow_other_model)


def describe_llama(project: Project, settings: EngineSettings, file: ModelFile) -> EngineIdentity:
    """The identity of the llama.cpp engine over a model. Raises `UserError` for settings out of bounds."""
    if not 1 <= settings.width <= _MOST_SEQUENCES:
        raise UserError(f"width is {settings.width}.", f"Use 1 to {_MOST_SEQUENCES} sequences.")
    if settings.sampler.top_k < 1:
        raise UserError(f"top_k is {settings.sampler.top_k}.", "Use 1 or more; 40 is usual.")
    if settings.vocabulary not in ("pruned", "whole"):
        raise UserError(f"vocabulary is {settings.vocabulary!r}.", "Use `pruned` or `whole`.")
    return EngineIdentity(
        engine=f"{engine_name(project.build / 'engine.json')}, layout {LAYOUT}",
        model_name=file.provenance.name,
        model_sha256=file.sha256,
        model_license=file.provenance.license,
        profile=settings.profile or ("instruct" if file.chat_template else "base"),
        sampler=settings.sampler,
        width=settings.width,
        override=file.provenance.override,
        vocabulary=f"pruned ({corpus_name()})" if file.prunable and settings.vocabulary == "pruned" else "whole",
    )
