"""`kill -9` in the middle of a bake costs at most the line in flight."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.project import Project
from tests.project_fixture import bake_all, bakeable_project, batches, digest


@pytest.mark.parametrize("after", [1, 4, 7])
def test_a_killed_bake_goes_on_and_ends_the_same(project: Project, tmp_path: Path, after: int) -> None:
    undisturbed = bakeable_project(tmp_path / "undisturbed")
    bake_all(undisturbed)
    killed = _voicebake(project, "bake", "test_hub", VOICEBAKE_FAKE_KILL_AFTER=str(after))
    assert killed.returncode == -signal.SIGKILL
    assert not project.draft_cache.exists()
    kept = batches(project)
    assert len(kept) == after
    bake_all(project)
    assert kept <= batches(project)
    assert batches(project) == batches(undisturbed)
    assert digest(project) == digest(undisturbed)


def test_status_and_say_answer_while_a_bake_runs(baked: Project) -> None:
    (baked.zone_build("test_hub") / "bake.sqlite").unlink()
    baking = subprocess.Popen(
        [sys.executable, "-m", "pipeline.cli", "bake", "test_hub", "--project", str(baked.root)],
        env=os.environ | {"VOICEBAKE_FAKE_DELAY": "20"},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert baking.stderr is not None
    assert "to generate" in baking.stderr.readline()
    said = _voicebake(baked, "say", "imke_dorr", "greet", "--tell", "Guarded")
    status = _voicebake(baked, "status", "--json")
    waiting = _voicebake(baked, "bake", "test_hub", "--no-wait")
    assert baking.poll() is None
    baking.kill()
    baking.communicate()
    assert (said.returncode, status.returncode) == (0, 0)
    assert said.stdout.strip()
    assert '"zone": "test_hub"' in status.stdout
    assert waiting.returncode == 1
    assert "is baking it" in waiting.stderr


def _voicebake(project: Project, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pipeline.cli", *words, "--project", str(project.root)]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
