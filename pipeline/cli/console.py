"""Where text goes: answers to stdout, progress and errors to stderr. Content is never read as Rich markup."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from pipeline.errors import UserError

out = Console(markup=False, highlight=False, soft_wrap=True)
err = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


def written_out(text: str) -> str:
    """Text of unknown origin for a terminal: control characters are written out, so that it cannot steer one."""
    return text.translate(_CONTROLS)


def print_error(error: UserError) -> None:
    """The error's lines in red where colour is shown, its hint below."""
    err.print(Text(error.message, style="red"))
    if error.hint:
        err.print(Text(f"  {error.hint}"))


def print_json(value: Any) -> None:
    """One line of JSON on stdout; text as it is, not escaped to ASCII."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
