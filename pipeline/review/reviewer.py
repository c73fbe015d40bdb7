"""Who reviews: by default whoever git says commits here."""

from __future__ import annotations

import getpass
import subprocess

from pipeline.errors import UserError
from pipeline.project import Project


def default_reviewer(project: Project) -> str:
    """`user.name <user.email>` of git's configuration, else the login name.

    Raises `UserError` when neither is known.
    """
    name, email = _git(project, "user.name"), _git(project, "user.email")
    if name or email:
        return f"{name} <{email}>" if name and email else name or email
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:
        raise UserError(
            "It is not known who reviews.", 'Say so with --reviewer NAME, or run: git config user.name "Your Name"'
        ) from error


def _git(project: Project, key: str) -> str:
    try:
        found = subprocess.run(
            ["git", "-C", str(project.root), "config", key], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""  # without git the login name does
    return found.stdout.strip()
