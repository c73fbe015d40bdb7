"""kill -9 at twenty random moments of a bake, the same moments each time."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from pipeline.project import Project
from pipeline.store import BakeStore
from tests.project_fixture import bake_all, bakeable_project, batches, digest
from tests.reliability.programs import started, voicebake

SEED = 8
KILLS = 20
_DELAY = "0.02"
"""Seconds a line takes: the texts, the queue, the merge and the report take up about half of the rest of a bake."""


@pytest.mark.timeout(900)
def test_twenty_kills_lose_and_double_nothing(project: Project, tmp_path: Path) -> None:
    undisturbed = bakeable_project(tmp_path / "undisturbed")
    bake_all(undisturbed)
    wanted = {zone: batches(undisturbed, zone) for zone in ("test_hub", "test_yard")}
    moments = random.Random(SEED)
    usual = _seconds_after_start(bakeable_project(tmp_path / "measured"))
    killed = finished = 0
    while killed < KILLS:
        bake = started(project, "bake", VOICEBAKE_FAKE_DELAY=_DELAY)
        _wait_for_start(bake)
        moment = moments.uniform(0, usual)
        time.sleep(moment)
        bake.kill()
        bake.communicate()
        if bake.returncode == -signal.SIGKILL:
            killed += 1
        else:
            assert bake.returncode == 0
            finished += 1
            usual = min(usual, max(moment, 0.1))  # it took no longer than that
            assert finished < 3 * KILLS, "the bakes end before they can be killed"
        _is_whole(project, wanted, digest(undisturbed))
        if bake.returncode == 0:
            _start_over(project, keep_candidates=finished % 2 == 0)
    last = voicebake(project, "bake")
    assert last.returncode == 0, last.stderr
    assert {zone: batches(project, zone) for zone in wanted} == wanted
    assert digest(project) == digest(undisturbed)
    left = [path.name for path in project.root.rglob("*") if path.name.endswith((".tmp", ".part", ".spill"))]
    assert left == []


def _wait_for_start(bake: subprocess.Popen[str]) -> None:
    """Returns when the first zone begins, or nothing is left to do."""
    assert bake.stderr is not None
    for line in bake.stderr:
        if "to generate" in line:
            return


def _seconds_after_start(project: Project) -> float:
    """How long a bake goes on after its start, on this machine, now."""
    bake = started(project, "bake", VOICEBAKE_FAKE_DELAY=_DELAY)
    _wait_for_start(bake)
    began = time.monotonic()
    bake.communicate()
    assert bake.returncode == 0
    return time.monotonic() - began


def _is_whole(project: Project, wanted: dict[str, set[tuple[str, str, str, int, str]]], draft: str) -> None:
    """What is on disk can be read and is part of what a whole bake leaves."""
    for zone, whole in wanted.items():
        path = project.zone_build(zone) / "bake.sqlite"
        if path.is_file() and path.stat().st_size:
            BakeStore(path).close()
            assert batches(project, zone) <= whole
    if project.draft_cache.is_file():
        assert digest(project) == draft


def _start_over(project: Project, *, keep_candidates: bool) -> None:
    """Gives the next bakes something to do: everything, or all but the generating."""
    project.draft_cache.unlink()
    for path in (project.build / "zones").glob("*/*"):
        if not (keep_candidates and path.name.startswith("bake.sqlite")) and not path.name.endswith(".lock"):
            path.unlink()
