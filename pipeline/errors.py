"""The errors that a user can mend; the command line prints them without a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can mend: what is wrong, where, what was expected and what to do.

    `message` is one or more finished lines of text. `hint`, when given, is the next step, shown on a line of its own.
    `exit_code` is what the command line returns (see docs/cli.md).
    """

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message
