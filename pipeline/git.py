"""What git knows of a project's files: which differ from a commit, and how they were at one."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import UserError


@dataclass(frozen=True, slots=True)
class Changes:
    """The files that differ between a commit and the working tree."""

    commit: str
    """The commit that is compared with: the last one that the revision and HEAD share."""
    paths: frozenset[str]
    """Relative to the project, with slashes; deleted files and files that git does not track yet too."""


def changes_since(root: Path, revision: str) -> Changes:
    """What changed in the project `root` since `revision` branched off, uncommitted work included.

    Raises `UserError` without git, outside a repository, for an unknown revision, and for one without a common past.
    """
    if _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").returncode:
        _refuse_outside_repository(root)
        raise UserError(
            f"git knows no commit {revision!r} here.",
            "Name a commit, branch or tag. A shallow clone holds few commits: fetch more (`git fetch --unshallow`).",
        )
    base = _git(root, "merge-base", "--end-of-options", revision, "HEAD")
    if base.returncode:
        raise UserError(
            f"{revision} and HEAD have no commit in common.",
            "Fetch more of the history (`git fetch --unshallow`), or name a commit that HEAD builds on.",
        )
    commit = base.stdout.decode().strip()
    differ = _output(root, "diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--")
    untracked = _output(root, "ls-files", "--others", "--exclude-standard", "-z")
    # surrogateescape: a file's name need not be UTF-8.
    names = (differ + untracked).decode("utf-8", "surrogateescape").split("\0")
    return Changes(commit, frozenset(filter(None, names)))


def write_tree(root: Path, commit: str, names: Sequence[str], target: Path) -> None:
    """Writes the files and folders `names` of the project, as they were at `commit`, into the folder `target`.

    Names that the commit does not have are left out.
    """
    there = _output(root, "ls-tree", "--name-only", "-z", commit, "--", *names).decode().split("\0")
    held = [name for name in there if name]
    if not held:
        return
    archive = _output(root, "archive", "--format=tar", commit, "--", *held)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(target, filter="data")


def configured(root: Path, key: str) -> str:
    """A value of git's configuration as it holds in `root`; empty where there is none, or no git."""
    try:
        return _git(root, "config", "--get", key).stdout.decode("utf-8", "replace").strip()
    except UserError:
        return ""


def _output(root: Path, *words: str) -> bytes:
    done = _git(root, *words)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise UserError(f"git {words[0]} failed: {said}", "Mend what git complains about, then run again.")
    return done.stdout


def _refuse_outside_repository(root: Path) -> None:
    inside = _git(root, "rev-parse", "--git-dir")
    if inside.returncode:
        said = inside.stderr.decode("utf-8", "replace").strip()
        raise UserError(
            f"{root}: git cannot be asked what changed: {said}", "Run this in a clone of the project's repository."
        )


def _git(root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise UserError("git is not installed.", "Install git, or name the zones yourself.") from None
