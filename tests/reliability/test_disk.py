"""A full disk and a folder that may only be read: real ones, on file systems that only the child process sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.project import Project
from tests.project_fixture import bake_all, bakeable_project, batches, digest
from tests.reliability.programs import on_own_mounts, shell, told

_SIZES_KB = (16, 96, 180, 300, 600, 900, 1200, 1500, 1700, 1900, 2100, 2400)
"""Where a bake of the test project runs out of space at one file after the other."""


@pytest.fixture
def undisturbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A bake that nothing happened to."""
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    project = bakeable_project(tmp_path / "undisturbed")
    bake_all(project)
    return project


def test_a_full_disk_is_told_each_time_and_costs_no_finished_line(
    project: Project, undisturbed: Project, tmp_path: Path
) -> None:
    """The disk grows step by step: every bake on it fails with the reason, and the last one has the same texts."""
    out = tmp_path / "out"
    out.mkdir()
    bake = shell(project, "bake")
    script = ["mv build build.before", "mkdir build", f"mount -t tmpfs -o size={_SIZES_KB[0]}k tmpfs build"]
    for size in _SIZES_KB:
        script.append(f"mount -o remount,size={size}k build")
        script.append(
            f"code=0; {bake} > {out}/{size}.out 2> {out}/{size}.err || code=$?; echo $code > {out}/{size}.code"
        )
    script += ["mount -o remount,size=64m build", f"{bake} --json > {out}/last.json", "cp -r build build.after"]
    done = on_own_mounts(script, project.root)
    assert done.returncode == 0, done.stderr
    codes = {size: int((out / f"{size}.code").read_text()) for size in _SIZES_KB}
    failed = [size for size in _SIZES_KB if codes[size]]
    assert len(failed) >= 4
    places = set()
    for size in failed:
        said = (out / f"{size}.err").read_text("utf-8")
        assert codes[size] == 1, said
        assert "Traceback" not in said
        assert "No space left on device" in said or "database or disk is full" in said, said
        assert "free space" in said.lower() or "Free some space" in said
        places.add(next(line for line in said.splitlines() if "space left" in line or "is full" in line).split(":")[0])
    assert len(places) >= 2, places
    last = json.loads((out / "last.json").read_text("utf-8"))
    assert sum(zone["generated"]["lines"] for zone in last["zones"]) < 12
    (project.root / "build").rmdir()
    (project.root / "build.after").rename(project.build)
    assert digest(project) == digest(undisturbed)
    for zone in ("test_hub", "test_yard"):
        assert batches(project, zone) == batches(undisturbed, zone)


def test_a_read_only_build_folder_is_told_and_stays_as_it_is(baked: Project) -> None:
    before = digest(baked)
    (baked.zones / "test_yard/npcs/jora_vant.ron").write_text(
        (baked.zones / "test_yard/npcs/jora_vant.ron").read_text("utf-8").replace("Mind the loader.", "Mind it."),
        encoding="utf-8",
    )
    script = ["mount --bind build build", "mount -o remount,bind,ro build"]
    done = on_own_mounts([*script, f"exec {shell(baked, 'bake')}"], baked.root)
    told(done, "build/zones/", "Read-only file system", "rights")
    assert digest(baked) == before
    said = on_own_mounts([*script, f"exec {shell(baked, 'say', 'imke_dorr', 'sign')}"], baked.root)
    assert (said.returncode, said.stdout.splitlines()[0]) == (0, "Counter closes at shift change.")


def test_a_read_only_shared_folder_is_told_and_the_zone_is_kept(project: Project, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    script = [
        f"mount --bind {shared} {shared}",
        f"mount -o remount,bind,ro {shared}",
        f"export VOICEBAKE_SHARED={shared}",
    ]
    done = on_own_mounts([*script, f"exec {shell(project, 'bake', 'test_yard')}"], project.root)
    told(done, "shared/test_yard", "Read-only file system")
    again = on_own_mounts([f"exec {shell(project, 'bake', 'test_yard', '--json')}"], project.root)
    (zone,) = json.loads(again.stdout)["zones"]
    assert (zone["unchanged"], zone["generated"]["lines"]) == (True, 0)
