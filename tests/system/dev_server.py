"""A real Dagster UI on a free loopback port, for a project in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.project import Project

REPOSITORY = Path(__file__).parent.parent.parent
_STARTS_WITHIN_S = 240
_STOPS_WITHIN_S = 30


@contextmanager
def dev_server(project: Project, home: Path) -> Iterator[str]:
    """`dg dev` over `project` with the fake engine, its own instance in `home`; gives the address of its root.

    Raises `AssertionError` with the server's last output when it does not come up.
    """
    home.mkdir(parents=True)
    shutil.copy(REPOSITORY / ".dagster_home" / "dagster.yaml", home)
    port = _free_port()
    log = home / "dev.log"
    environment = os.environ | {
        "DAGSTER_HOME": str(home),
        "VOICEBAKE_PROJECT": str(project.root),
        "VOICEBAKE_ENGINE": "fake",
        "PYTHONPATH": str(REPOSITORY),
    }
    command = [str(Path(sys.executable).with_name("dg")), "dev", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, cwd=REPOSITORY, env=environment, stdout=output, stderr=output, start_new_session=True
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/server_info", server, log)
            yield address
        finally:
            _stop(server)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=10):
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.5)
    raise AssertionError(f"the Dagster UI did not come up:\n{log.read_text(errors='replace')[-3000:]}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Ends the server and all that it started: they are one process group."""
    os.killpg(server.pid, signal.SIGINT)
    try:
        server.wait(_STOPS_WITHIN_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
