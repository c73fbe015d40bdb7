"""What this machine can do with a model: memory, instruction set, and one measured decode in a child process.

The child is there because a library built for the machine's own instruction set can crash on its first matrix product
(findings: SIGSEGV in the AMX kernel of virtual machines that announce AMX). A crash must not take the program with it.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import UserError
from pipeline.generation.machine import available_memory, instruction_sets, total_memory, usable_cores
from pipeline.generation.models import ModelFile, find_model
from pipeline.generation.opening import describe_llama
from pipeline.generation.settings import EngineSettings
from pipeline.project import Project

_CHILD_SECONDS = 300
_MEMORY_SHARE, _MEMORY_BASE = 1.5, 500_000_000
"""Memory that a bake takes: a multiple of the model file (weights, their repacked copy) and a fixed part (context,
buffers, rules)."""
_ROOM = 4
"""From that many times the memory in need, a larger model is worth a thought."""
_REBUILD = "Build the portable engine: `make bake` without NATIVE=1."


@dataclass(frozen=True, slots=True)
class SelfTest:
    """A decode that ran in a child process."""

    decode_tokens_per_second: float
    """At the full width."""
    prompt_tokens_per_second: float
    load_seconds: float


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What `voicebake doctor` shows of machine and model."""

    cores: int
    memory_bytes: int
    available_bytes: int
    engine: str
    model_name: str
    model_bytes: int
    needed_bytes: int
    """Memory that a bake takes, about."""
    override: bool
    vocabulary: str
    """How much of it is written with: `whole`, or how it was pruned."""
    width: int
    self_test: SelfTest | None
    """None when it failed; `problems` then says why."""
    problems: tuple[str, ...]
    """Finished sentences, each with what to do."""
    recommendation: str
    """What would be better, or that all is well as it is."""


def diagnose(project: Project, settings: EngineSettings) -> Diagnosis:
    """Measures the machine. Takes some seconds and as much memory as the model.

    Raises `UserError` when there is no engine or no usable model.
    """
    file = find_model(project, settings.model, allow_other=settings.allow_other_model)
    identity = describe_llama(project, settings, file)
    size, available = file.path.stat().st_size, available_memory()
    needed = int(size * _MEMORY_SHARE) + _MEMORY_BASE
    problems = []
    if needed > available:
        problems.append(
            f"A bake takes about {needed / 1e9:.1f} GB, {available / 1e9:.1f} GB are free. "
            "Close other programs or choose a smaller model."
        )
    test = None
    try:
        model = _written_with(project, file) if identity.vocabulary != "whole" else file.path
        test = run_self_test(model, width=settings.width, threads=settings.threads or usable_cores())
    except UserError as error:
        problems.append(str(error))
    return Diagnosis(
        cores=usable_cores(),
        memory_bytes=total_memory(),
        available_bytes=available,
        engine=identity.engine,
        model_name=file.provenance.name,
        model_bytes=size,
        needed_bytes=needed,
        override=file.provenance.override,
        vocabulary=identity.vocabulary,
        width=settings.width,
        self_test=test,
        problems=tuple(problems),
        recommendation=_recommendation(identity.engine, size, needed, available, instruction_sets()),
    )


def _written_with(project: Project, file: ModelFile) -> Path:
    """The file with the pruned vocabulary, which is what a bake decodes with."""
    from pipeline.generation.pruned_model import pruned_model  # numpy and gguf: not needed before

    return pruned_model(file.path, file.sha256, project.build / "models", lambda _message: None).path


def _recommendation(engine: str, size: int, needed: int, available: int, processor: frozenset[str]) -> str:
    """One sentence or two: what to change first. `processor`: what `instruction_sets` says."""
    if needed > available:
        largest = max(0, int((available - _MEMORY_BASE) / _MEMORY_SHARE))
        return f"Use a model file of at most {largest / 1e9:.1f} GB, or free memory."
    if "avx512f" in processor and "AVX512" not in engine.split("(")[-1]:
        return (
            "This processor has AVX-512, which the portable build leaves alone. `make bake NATIVE=1` bakes faster; "
            "its texts then agree only with machines that have it too."
        )
    if available > _ROOM * needed:
        largest = int((available / 2 - _MEMORY_BASE) / _MEMORY_SHARE)
        return (
            f"Bake as you are. There is memory for a larger model, up to about {largest / 1e9:.0f} GB (--model FILE); "
            f"it writes better and takes longer in proportion to its size (now {size / 1e9:.2f} GB)."
        )
    return "Bake as you are: model and machine suit each other."


def run_self_test(model: Path, *, width: int, threads: int, program: tuple[str, ...] | None = None) -> SelfTest:
    """Decodes some tokens in a child process. `program`: the child's command line, for tests.

    Raises `UserError` when the child crashes, fails or hangs, saying what to do.
    """
    command = program or (sys.executable, "-m", "pipeline.generation.self_test")
    try:
        done = subprocess.run(
            [*command, str(model), str(width), str(threads)],
            capture_output=True,
            text=True,
            timeout=_CHILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(
            f"The self-test of the model engine did not end in {_CHILD_SECONDS} s.", "Choose a smaller model."
        ) from error
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        raise UserError(
            f"The model engine crashed in its self-test ({name}): its build does not suit this machine.", _REBUILD
        )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise UserError(f"The self-test of the model engine failed: {last[0]}", _REBUILD)
    return SelfTest(**json.loads(done.stdout.splitlines()[-1]))
