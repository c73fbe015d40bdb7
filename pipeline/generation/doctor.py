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
from pipeline.generation.llama import engine_name
from pipeline.generation.machine import available_memory, total_memory, usable_cores
from pipeline.generation.models import find_model
from pipeline.generation.settings import EngineSettings
from pipeline.project import Project

_CHILD_SECONDS = 300
_CONTEXT_SHARE = 1.5
"""Memory that a bake needs, as a multiple of the model file: weights, their repacked copy, context and buffers."""
_REBUILD = "Build it with the portable flags: `make` (without the variable for the machine's own instruction set)."


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
    override: bool
    self_test: SelfTest | None
    """None when it failed; `problems` then says why."""
    problems: tuple[str, ...]
    """Finished sentences, each with what to do."""


def diagnose(project: Project, settings: EngineSettings) -> Diagnosis:
    """Measures the machine. Takes some seconds and as much memory as the model.

    Raises `UserError` when there is no engine or no usable model.
    """
    file = find_model(project, settings.model, allow_other=settings.allow_other_model)
    engine = engine_name(project.build / "engine.json")
    size, available = file.path.stat().st_size, available_memory()
    problems = []
    if size * _CONTEXT_SHARE > available:
        problems.append(
            f"The model takes about {size * _CONTEXT_SHARE / 1e9:.1f} GB, {available / 1e9:.1f} GB are free. "
            "Close other programs or choose a smaller model."
        )
    test = None
    try:
        test = run_self_test(file.path, width=settings.width, threads=settings.threads or usable_cores())
    except UserError as error:
        problems.append(str(error))
    return Diagnosis(
        cores=usable_cores(),
        memory_bytes=total_memory(),
        available_bytes=available,
        engine=engine,
        model_name=file.provenance.name,
        model_bytes=size,
        override=file.provenance.override,
        self_test=test,
        problems=tuple(problems),
    )


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
