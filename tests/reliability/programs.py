"""The command line as a child process that a test disturbs, and small disks for it to run on."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from pipeline.project import Project

ROOT = Path(__file__).parents[2]


def command(project: Project, *words: str) -> list[str]:
    """`voicebake` on a project."""
    return [sys.executable, "-m", "pipeline.cli", *words, "--project", str(project.root)]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child: the fake engine, and this repository's code."""
    return os.environ | {"VOICEBAKE_ENGINE": "fake", "PYTHONPATH": str(ROOT)} | dict(more or {})


def voicebake(project: Project, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs it to its end."""
    return subprocess.run(command(project, *words), env=environment(more), capture_output=True, text=True, check=False)


def started(project: Project, *words: str, **more: str) -> subprocess.Popen[str]:
    """Starts it; its progress can be read from `stderr`."""
    return subprocess.Popen(
        command(project, *words), env=environment(more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def told(done: subprocess.CompletedProcess[str], *wanted: str) -> None:
    """A user's error: exit code 1, these words, something to do, no traceback."""
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    for text in wanted:
        assert text in done.stderr, done.stderr
    assert len(done.stderr.strip().splitlines()) >= 2, done.stderr


def on_own_mounts(script: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs lines of shell where file systems can be mounted that nobody else sees; it stops at the first that fails."""
    text = "\n".join(["set -eu", *script])
    return subprocess.run(
        [*_own_mounts(), "sh", "-c", text], cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )


@cache
def _own_mounts() -> tuple[str, ...]:
    """A mount namespace: root makes one; anyone else makes one together with a user namespace."""
    return ("unshare", "-m") if os.geteuid() == 0 else ("unshare", "-Urm")


def shell(project: Project, *words: str) -> str:
    """`voicebake` on a project as a line of shell."""
    return shlex.join(command(project, *words))
