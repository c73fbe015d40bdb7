"""Who reviews: by default whoever git says commits here."""

from __future__ import annotations

import getpass

from pipeline.errors import UserError
from pipeline.git import configured
from pipeline.project import Project


def default_reviewer(project: Project) -> str:
    """`user.name <user.email>` of git's configuration, else the login name.

    Raises `UserError` when neither is known.
    """
    name, email = (configured(project.root, f"user.{one}") for one in ("name", "email"))
    if name or email:
        return f"{name} <{email}>" if name and email else name or email
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:
        raise UserError(
            "It is not known who reviews.", 'Say so with --reviewer NAME, or run: git config user.name "Your Name"'
        ) from error
