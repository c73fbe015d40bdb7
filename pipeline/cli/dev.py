"""`voicebake dev`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.console import err
from pipeline.cli.options import ProjectOption, find_project
from pipeline.errors import UserError


def dev(
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on the loopback address.")] = 3000,
    project: ProjectOption = None,
) -> None:
    """Open the Dagster UI on the loopback address."""
    found = find_project(project)
    dg = Path(sys.executable).with_name("dg")
    if not dg.is_file():
        raise UserError(
            f"{dg.name} is not installed beside this Python.", "Run `make bake` once; it sets everything up."
        )
    home = found.root / ".dagster_home"
    environment = {"DAGSTER_HOME": str(home), **os.environ}
    err.print(f"Dagster UI: http://127.0.0.1:{port}  (Ctrl-C ends it)")
    command = [str(dg), "dev", "--host", "127.0.0.1", "--port", str(port)]
    raise typer.Exit(subprocess.run(command, cwd=found.root, env=environment, check=False).returncode)
