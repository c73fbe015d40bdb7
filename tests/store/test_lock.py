"""One baking process per zone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.store import ZoneBusy, holder, zone_lock

_ROOT = Path(__file__).parents[2]
_HOLD = """
import sys
from pathlib import Path
from pipeline.project import Project
from pipeline.store import zone_lock
with zone_lock(Project(Path(sys.argv[1])), "test_hub", wait=False):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def other(project: Project) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until its input ends."""
    command = [sys.executable, "-c", _HOLD, str(project.root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_the_holder_is_noted_while_the_lock_is_held(project: Project) -> None:
    assert holder(project, "test_hub") is None
    with zone_lock(project, "test_hub", wait=False):
        noted = holder(project, "test_hub")
        assert noted is not None
        assert noted.pid == os.getpid()
    assert holder(project, "test_hub") is None


def test_who_does_not_wait_is_told_who_holds_it(project: Project, other: subprocess.Popen[str]) -> None:
    with (
        pytest.raises(ZoneBusy, match=rf"zone test_hub: process {other.pid} \(.+\) is baking it"),
        zone_lock(project, "test_hub", wait=False),
    ):
        pytest.fail("two processes hold one lock")


def test_another_zone_is_free(project: Project, other: subprocess.Popen[str]) -> None:
    with zone_lock(project, "test_yard", wait=False):
        assert holder(project, "test_hub") is not None


def test_the_lock_dies_with_its_process(project: Project, other: subprocess.Popen[str]) -> None:
    other.kill()
    other.wait()
    assert holder(project, "test_hub") is not None  # the note is stale, the lock is not
    with zone_lock(project, "test_hub", wait=False):
        noted = holder(project, "test_hub")
        assert noted is not None
        assert noted.pid == os.getpid()


def test_who_waits_says_for_whom_and_gets_it_in_the_end(project: Project, other: subprocess.Popen[str]) -> None:
    told: list[str] = []
    got = threading.Event()

    def wait_for_it() -> None:
        with zone_lock(project, "test_hub", wait=True, report=told.append):
            got.set()

    waiter = threading.Thread(target=wait_for_it)
    waiter.start()
    assert not got.wait(0.5)
    assert other.stdin
    other.stdin.close()
    waiter.join(timeout=60)
    assert got.is_set()
    assert len(told) == 1
    assert f"process {other.pid}" in told[0]


def test_the_lock_is_free_after_a_failure(project: Project) -> None:
    with pytest.raises(RuntimeError, match="inside"), zone_lock(project, "test_hub", wait=False):
        raise RuntimeError("inside")
    with zone_lock(project, "test_hub", wait=False):
        assert holder(project, "test_hub") is not None


def test_an_id_that_is_a_path_is_refused(project: Project) -> None:
    with pytest.raises(UserError, match="is not an id"), zone_lock(project, "../elsewhere", wait=False):
        pytest.fail("a lock outside the build folder")


def test_a_build_folder_that_is_a_file_is_told(project: Project) -> None:
    (project.root / "build").touch()
    with pytest.raises(UserError, match="lock cannot be taken"), zone_lock(project, "test_hub", wait=False):
        pytest.fail("a lock without a folder")
