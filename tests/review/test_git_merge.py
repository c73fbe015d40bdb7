"""Two people decide on two branches; git merges their logs by itself and both count."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.project import Project
from pipeline.review import Action, Verdict, load_ledger, locked_log, standing_of
from tests.review.verdicts import OTHER, TEXT, variant, verdict

ATTRIBUTES = Path(__file__).parents[2] / ".gitattributes"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git(tmp_path, "init", "-q", "-b", "main")
    shutil.copy(ATTRIBUTES, tmp_path)
    (tmp_path / ".gitignore").write_text("build/\n", encoding="utf-8")
    commit(tmp_path, "start")
    return Project(tmp_path)


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def branch(project: Project, name: str, *verdicts: Verdict) -> None:
    git(project.root, "switch", "-q", "-c", name, "main")
    with locked_log(project, "test_hub") as log:
        log.append(verdicts)
    commit(project.root, name)


@pytest.mark.parametrize("begun", [False, True])
def test_both_branches_count(project: Project, begun: bool) -> None:
    first = verdict(Action.approve, "The first.", line_id="first")
    if begun:
        with locked_log(project, "test_hub") as log:
            log.append([first])
        commit(project.root, "begun")
    ours = verdict(Action.approve, TEXT, reviewer="Ada")
    theirs = [verdict(Action.reject, OTHER, reviewer="Bo"), verdict(Action.approve, "Yes.", line_id="part")]
    branch(project, "ada", ours)
    branch(project, "bo", *theirs)
    git(project.root, "merge", "-q", "--no-edit", "ada")
    merged = load_ledger(project)
    assert merged.problems == []
    assert set(merged.verdicts) == {one.id for one in (ours, *theirs, *([first] if begun else []))}
    standing = standing_of(merged, variant())
    assert standing.held is not None
    assert (standing.held.text, standing.rejected, standing.attempts) == (TEXT, {OTHER}, 1)
    assert merged.conflicts == []


def test_contradictory_branches_merge_and_are_told(project: Project) -> None:
    branch(project, "ada", verdict(Action.approve, TEXT, reviewer="Ada"))
    branch(project, "bo", verdict(Action.reject, TEXT, reviewer="Bo"))
    git(project.root, "merge", "-q", "--no-edit", "ada")
    [conflict] = load_ledger(project).conflicts
    assert "approved by Ada" in conflict.message
    assert "rejected by Bo" in conflict.message
