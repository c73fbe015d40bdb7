"""`voicebake schema`."""

from __future__ import annotations

import sys


def schema() -> None:
    """Print the reference of every RON struct, made from the models; docs/content.md is a copy."""
    from pipeline.content.schema import schema_reference

    sys.stdout.write(schema_reference())
