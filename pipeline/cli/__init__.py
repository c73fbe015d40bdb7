"""The `voicebake` command. One file per command; nothing heavy is imported before a command runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; user errors end in exit code 1 (or the error's own) and no traceback."""
    from pipeline.cli.app import app
    from pipeline.cli.console import print_error
    from pipeline.errors import UserError

    try:
        app()
    except UserError as error:
        print_error(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of a pipe (`| head`) has had enough; Python would complain again at exit when it flushes.
        sys.stdout = None
        sys.exit(141)
