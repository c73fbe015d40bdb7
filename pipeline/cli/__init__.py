"""The `voicebake` command. One file per command; nothing heavy is imported before a command runs."""

from __future__ import annotations

import errno
import sys

_REFUSALS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG}
"""What a user can mend wherever it comes up: no space left, a folder that may only be read."""


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
    except OSError as error:
        if error.errno not in _REFUSALS:
            raise
        print_error(
            UserError(
                f"{error.filename or 'A file'}: could not be written: {error.strerror}.",
                "What was finished is safe. Free some space or mend the rights, then run again.",
            )
        )
        sys.exit(UserError.exit_code)
