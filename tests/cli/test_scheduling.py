"""When a bake ends, and which lines come first: interrupts, `--budget`, tiers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.bake import Silent, Workspace, bake, plan_zone
from pipeline.project import Project
from tests.project_fixture import bake_all, bakeable_project, digest, edit


def voicebake(project: Project, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(project, *words), env=os.environ | environment, capture_output=True, text=True, check=False
    )


def command(project: Project, *words: str) -> list[str]:
    return [sys.executable, "-m", "pipeline.cli", *words, "--project", str(project.root)]


@pytest.fixture
def baking(project: Project) -> Iterator[subprocess.Popen[str]]:
    """A bake of the hub whose first line is in flight, for two seconds."""
    process = subprocess.Popen(
        command(project, "bake", "test_hub"),
        env=os.environ | {"VOICEBAKE_FAKE_DELAY": "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "to generate" in process.stderr.readline()
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_after_the_line_in_flight_with_a_summary(
    project: Project, baking: subprocess.Popen[str], tmp_path: Path, request_to_end: signal.Signals
) -> None:
    baking.send_signal(request_to_end)
    out, err = baking.communicate(timeout=120)
    assert baking.returncode == 130
    assert "Stopping after the line in flight" in err
    assert "test_hub: 9 lines, " in out
    assert re.search(r"stopped: [89] lines are left\. Go on with: voicebake bake test_hub", out)
    assert not project.draft_cache.exists()

    undisturbed = bakeable_project(tmp_path / "undisturbed")
    bake_all(undisturbed)
    bake_all(project)
    assert digest(project) == digest(undisturbed)


def test_a_second_interrupt_ends_at_once(project: Project, baking: subprocess.Popen[str]) -> None:
    assert baking.stderr is not None
    baking.send_signal(signal.SIGINT)
    while "Stopping after the line in flight" not in (heard := baking.stderr.readline()):
        assert heard, "it ended without a word"
    baking.send_signal(signal.SIGINT)
    out, err = baking.communicate(timeout=120)
    assert baking.returncode == 130
    assert "lines are left" not in out
    assert "Traceback" not in err
    bake_all(project)


def test_a_budget_ends_the_bake_in_time_and_the_next_one_goes_on(project: Project) -> None:
    done = voicebake(project, "bake", "test_hub", "--budget", "6s", VOICEBAKE_FAKE_DELAY="1.5")
    assert done.returncode == 4
    left = int(re.findall(r"stopped: (\d+) lines are left\. Go on with: voicebake bake test_hub", done.stdout)[0])
    assert 0 < left <= 9
    assert "Stopped by the time budget of 6s." in done.stderr
    summary = json.loads(voicebake(project, "bake", "test_hub", "--budget", "1h", "--json").stdout)
    assert (summary["stopped"], summary["stopped_by"]) == (False, None)
    assert [(zone["generated"]["lines"], zone["left"]) for zone in summary["zones"]] == [(left, 0)]


def test_a_budget_that_is_no_duration_is_one_clear_error(project: Project) -> None:
    done = voicebake(project, "bake", "--budget", "10")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "'10' is no duration.\n  Write it like 90s, 10m, 1h or 1h30m.\n"


def test_the_gravest_tier_is_generated_first_and_is_what_a_short_bake_gets(project: Project) -> None:
    edit(project.zones / "test_hub/npcs/tam_orley.ron", "tier: SemiUnique", "tier: PlotCritical")
    edit(project.zones / "test_hub/npcs/imke_dorr.ron", "tier: PlotCritical", "tier: Ambient")
    with Workspace.open(project) as workspace:
        asked = iter([False] * 5 + [True])
        summary = bake(workspace, ["test_hub"], Silent(), lambda: next(asked))
        speakers = {job.fingerprint: job.line.npc.id for job in plan_zone(workspace, "test_hub").jobs}
        asked_for = [speakers[one.fingerprint] for one in workspace.engine.requests if one.round == 0]  # type: ignore[attr-defined]
    assert asked_for == ["tam_orley"] * 3 + ["imke_dorr"] * 2
    assert (summary.stopped, summary.zones[0].left) == (True, 4)
