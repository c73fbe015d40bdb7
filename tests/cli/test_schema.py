"""`voicebake schema`."""

from __future__ import annotations

import subprocess
import sys

from pipeline.content.schema import schema_reference


def test_schema_prints_the_reference_and_needs_no_project() -> None:
    command = [sys.executable, "-m", "pipeline.cli", "schema"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == schema_reference()
