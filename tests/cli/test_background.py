"""`voicebake bake --background`: it lets others go first, ends in time, and says what it wants."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from pipeline.project import Project
from tests.cli.test_commands import voicebake

WORDS = ("bake", "--background", "--from", "test_hub")


def test_it_runs_below_normal_priority(project: Project) -> None:
    baking = subprocess.Popen(
        [sys.executable, "-m", "pipeline.cli", *WORDS, "--project", str(project.root)],
        env=os.environ | {"VOICEBAKE_FAKE_DELAY": "0.2"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert baking.stderr is not None
    assert "test_yard: 3 lines, 3 to generate" in baking.stderr.readline()
    assert os.getpriority(os.PRIO_PROCESS, baking.pid) > os.getpriority(os.PRIO_PROCESS, 0)
    baking.stderr.read()
    assert baking.wait() == 0


def test_it_ends_in_time_and_goes_on(project: Project) -> None:
    done = voicebake(project, *WORDS, "--budget", "2s", "--json", VOICEBAKE_FAKE_DELAY="1.5")
    assert done.returncode == 4
    summary = json.loads(done.stdout)
    assert (summary["stopped_by"], summary["quality_sample"]) == ("budget", None)
    (zone,) = summary["zones"]
    assert (zone["zone"], zone["stopped"]) == ("test_yard", True)
    assert zone["generated"]["lines"] + zone["left"] == 3
    again = json.loads(voicebake(project, *WORDS, "--budget", "1h", "--json").stdout)
    assert (again["stopped"], again["zones"][0]["generated"]["lines"]) == (False, zone["left"])
    assert again["quality_sample"]["path"] == "build/voice_quality_sample.log"
    assert project.quality_sample.is_file()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--background",), 2, "--background and --from ZONE belong together"),
        (("--from", "test_hub"), 2, "--background and --from ZONE belong together"),
        (("--background", "--from", "test_hubb"), 1, "Did you mean test_hub?"),
        (("test_yard", "--background", "--from", "test_hub"), 2, "one of them"),
        (("--changed-since", "HEAD", "--background", "--from", "test_hub"), 2, "one of them"),
    ],
)
def test_what_does_not_fit_together_is_one_clear_error(
    project: Project, words: tuple[str, ...], code: int, said: str
) -> None:
    done = voicebake(project, "bake", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
