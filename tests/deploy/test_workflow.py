"""The workflow's own steps, run as a CI system runs them, on a clone with one edited line and the fake engine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.project import Project
from tests.git_fixture import clone, commit, git, make_repository
from tests.project_fixture import edit

ROOT = Path(__file__).parents[2]
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/bake.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = WORKFLOW["jobs"]["bake"]["steps"]


@pytest.fixture
def checkout(baked: Project, tmp_path: Path) -> Project:
    """A clone whose last commit edits one line, with the stores of an earlier run; `make` runs only its recipe."""
    make_repository(baked)
    edit(baked.zones / "test_yard/npcs/jora_vant.ron", "Mind the loader.", "Mind the loader, it turns.")
    commit(baked, "one line")
    checkout = clone(baked, tmp_path / "checkout")
    _script(checkout.root / ".venv/bin/voicebake", f'exec {sys.executable} -m pipeline.cli "$@"')
    _script(tmp_path / "bin/make", 'exec .venv/bin/voicebake "$1" ${2#ARGS=}')
    return checkout


def _script(path: Path, command: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)


def _run_steps(checkout: Project, tmp_path: Path, since: str) -> tuple[str, str]:
    """Runs every `run` step; gives what they printed, and the summary page."""
    variables, page = tmp_path / "variables", tmp_path / "page"
    variables.touch()
    environment = os.environ | {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SINCE": since,
        "GITHUB_ENV": str(variables),
        "GITHUB_STEP_SUMMARY": str(page),
    }
    printed = ""
    for step in STEPS:
        if "run" in step:
            told = dict(line.split("=", 1) for line in variables.read_text("utf-8").splitlines())
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            done = subprocess.run(
                command, cwd=checkout.root, env=environment | told, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{step['name']}: {done.stdout}{done.stderr}"
            printed += done.stdout
    return printed, page.read_text("utf-8")


def test_the_steps_bake_what_the_commit_touches(checkout: Project, baked: Project, tmp_path: Path) -> None:
    shutil.copytree(baked.build, checkout.build)
    printed, page = _run_steps(checkout, tmp_path, git(checkout.root, "rev-parse", "HEAD~1"))
    assert "test_yard: npc jora_vant" in printed
    assert "| `test_yard` | 3 | 1 | 18 |" in page
    assert "test_hub" not in page
    assert (checkout.build / "ci/junit.xml").is_file()


def test_without_a_commit_to_compare_with_every_zone_is_baked(checkout: Project, tmp_path: Path) -> None:
    _, page = _run_steps(checkout, tmp_path, "0" * 40)
    assert "| `test_hub` | 9 | 9 | 54 |" in page
    assert "| `test_yard` | 3 | 3 | 18 |" in page


def test_what_is_kept_between_runs_is_what_a_bake_needs(baked: Project) -> None:
    kept = {step["name"]: step["with"]["path"].split() for step in STEPS if "cache" in step.get("uses", "")}
    assert kept["The bake stores of an earlier run"] == kept["Keep the bake stores"]
    kept_files = {path for pattern in kept["Keep the bake stores"] for path in baked.root.glob(pattern)}
    assert baked.build / "zones" in kept_files
    assert baked.draft_cache in kept_files
    assert any(path.name.startswith("inflections") for path in kept_files)
    keep = next(step for step in STEPS if step.get("name") == "Keep the bake stores")
    assert keep["if"] == "always()"
