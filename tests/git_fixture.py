"""A git repository of a test project, and clones of it, as CI has them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from pipeline.project import Project

_WHO = {
    name: value
    for who in ("AUTHOR", "COMMITTER")
    for name, value in ((f"GIT_{who}_NAME", "A. Writer"), (f"GIT_{who}_EMAIL", "writer@example.invalid"))
}


def git(root: Path, *words: str) -> str:
    """Runs git without the machine's own settings; gives what it says."""
    environment = os.environ | _WHO | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", "-C", str(root), *words], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def make_repository(project: Project) -> None:
    """Puts the project's files under git, without what is built."""
    (project.root / ".gitignore").write_text("build/\nreview_queue/*.queue.jsonl\n", encoding="utf-8")
    git(project.root, "init", "-q", "-b", "main")
    commit(project, "first")


def commit(project: Project, message: str) -> str:
    """Commits everything; gives the commit's name."""
    git(project.root, "add", "-A")
    git(project.root, "commit", "-q", "--allow-empty", "-m", message)
    return git(project.root, "rev-parse", "HEAD")


def clone(project: Project, target: Path, *words: str) -> Project:
    """A clone of the project's repository in the folder `target`."""
    git(project.root, "clone", "-q", *words, f"file://{project.root}", str(target))
    return Project(target.resolve())
