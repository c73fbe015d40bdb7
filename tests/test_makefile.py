"""What `make` would run, asked without running it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def commands(folder: Path, *words: str) -> list[str]:
    """The commands of a dry run in a copy without `.venv`, continuation lines joined."""
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("requirements", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    done = subprocess.run(
        ["make", "--dry-run", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin"},
    )
    return done.stdout.replace("\\\n", " ").splitlines()


@pytest.mark.parametrize(
    ("words", "build", "other"),
    [
        (("bake",), "engine", "engine-native"),
        (("bake", "NATIVE="), "engine", "engine-native"),
        (("bake", "NATIVE=0"), "engine", "engine-native"),
        (("bake", "NATIVE=1"), "engine-native", "engine"),
        (("test", "NATIVE=1"), "engine-native", "engine"),
    ],
)
def test_one_variable_chooses_the_engine_build(tmp_path: Path, words: tuple[str, ...], build: str, other: str) -> None:
    run = commands(tmp_path, *words)
    (install,) = [line for line in run if "requirements/engine" in line]
    assert f"-r requirements/{build}.txt" in install
    assert "--force-reinstall" in install
    assert ("--no-cache-dir" in install) == (build == "engine-native")
    assert f"touch .venv/.{build}" in run
    assert f"touch .venv/.{other}" not in run


def test_a_build_forgets_the_other_one(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("bin/python", ".build", ".engine"):
        (tmp_path / ".venv" / name).touch()
    assert not any("requirements/engine" in line for line in commands(tmp_path, "bake"))
    native = subprocess.run(
        ["make", "--dry-run", "bake", "NATIVE=1"], cwd=tmp_path, capture_output=True, text=True, check=False
    ).stdout
    assert "rm -f .venv/.engine .venv/.engine-native" in native


def test_both_builds_are_of_the_same_source_and_neither_uses_amx() -> None:
    portable, native = ((ROOT / f"requirements/{name}.txt").read_text("utf-8") for name in ("engine", "engine-native"))
    pinned = r"llama-cpp-python==(\S+)|sha256:(\w+)"
    assert set(re.findall(pinned, portable)) == set(re.findall(pinned, native))
    assert "GGML_NATIVE=OFF" in portable
    flags = re.findall(r'platform_machine in .*?cmake\.args=([^"]*)"', native, re.DOTALL)[0].split(";")
    assert "-DGGML_NATIVE=ON" in flags
    for language in ("C", "CXX"):
        assert f"-DCMAKE_{language}_FLAGS=-mno-amx-tile -mno-amx-int8 -mno-amx-bf16" in flags


def test_the_three_test_targets_run_every_marker_once_and_ci_runs_all_three(tmp_path: Path) -> None:
    ci = (ROOT / ".ci/run").read_text("utf-8").splitlines()
    targets = [line.removeprefix("make ") for line in ci if line.startswith("make ")]
    assert targets == ["test", "test-train", "test-system"]
    run = [line.partition(" -m pytest ")[2] for line in commands(tmp_path, *targets) if " -m pytest " in line]
    chosen = [re.findall(r'-m "?([^"]*)', words)[0] for words in run]
    assert chosen == [
        "not model and not train and not system and not browser",
        "model",
        "train",
        "system or browser",
    ]
