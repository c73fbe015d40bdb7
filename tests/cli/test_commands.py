"""The commands as a user runs them: answers on stdout, errors without a traceback, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.project import Project
from tests.generation.gguf_files import write_header
from tests.project_fixture import digest, edit


def voicebake(project: Project, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return voicebake_plain(*words, "--project", str(project.root), **environment)


def voicebake_plain(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command that needs no project."""
    command = [sys.executable, "-m", "pipeline.cli", *words]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def test_bake_says_what_it_did_and_what_to_do_next(baked: Project) -> None:
    again = voicebake(baked, "bake")
    assert again.returncode == 0
    assert re.search(r"test_hub: 9 lines, \d+ of 54 variants voiced .* nothing to do", again.stdout)
    assert "Draft cache   build/draft.duckdb (unchanged)" in again.stdout
    assert "FAKE engine" in again.stdout
    assert "voicebake say NPC LINE" in again.stdout


def test_status_as_json_has_the_documented_shape(baked: Project) -> None:
    status = json.loads(voicebake(baked, "status", "--json").stdout)
    assert set(status) == {"model", "zones"}
    assert [zone["zone"] for zone in status["zones"]] == ["test_hub", "test_yard"]
    for zone in status["zones"]:
        assert list(zone) == [
            *("zone", "lines", "variants", "voiced", "fallback_neutral", "fallback_base", "pending", "stale"),
        ]
    edit(baked.zones / "test_hub/npcs/imke_dorr.ron", "What do you need?", "What do you want?")
    stale = json.loads(voicebake(baked, "status", "--json").stdout)["zones"]
    assert [zone["stale"] for zone in stale] == [1, 0]


def test_status_as_a_table_names_every_zone(baked: Project) -> None:
    table = voicebake(baked, "status").stdout
    assert table.startswith("Model: fake engine")
    assert "test_hub" in table
    assert "test_yard" in table


def test_say_answers_with_text_and_source(baked: Project) -> None:
    said = voicebake(baked, "say", "imke_dorr", "sign", "--tell", "Angry", "--json")
    assert json.loads(said.stdout)["text"] == "Counter closes at shift change."
    filled = voicebake(baked, "say", "imke_dorr", "price", "--slot", "price=40 credits")
    assert "40 credits" in filled.stdout
    assert "{price}" in voicebake(baked, "say", "imke_dorr", "price").stdout
    off = voicebake(baked, "say", "imke_dorr", "greet", "--tell", "Friendly", "--no-ai")
    assert off.stdout == "Good morning. What do you need?\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("say", "imke_dor", "greet"), "imke_dorr"),
        (("say", "imke_dorr", "gret"), "greet"),
        (("say", "imke_dorr", "greet", "--tell", "Nervos"), "Nervous"),
        (("say", "imke_dorr", "price", "--slot", "cost=1"), "cost"),
        (("say", "imke_dorr", "price", "--slot", "price"), "NAME=TEXT"),
        (("bake", "test_hubb"), "Did you mean test_hub?"),
    ],
)
def test_a_wrong_name_is_one_clear_error(baked: Project, words: tuple[str, ...], said: str) -> None:
    done = voicebake(baked, *words)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_say_before_the_first_bake_says_what_to_do(project: Project) -> None:
    done = voicebake(project, "say", "imke_dorr", "greet")
    assert done.returncode == 1
    assert "voicebake bake" in done.stderr
    assert "Traceback" not in done.stderr


def test_check_lists_every_mistake_of_every_file(project: Project) -> None:
    assert voicebake(project, "check").returncode == 0
    edit(project.zones / "test_hub/npcs/imke_dorr.ron", "tier: PlotCritical", "tier: PlotCritcal")
    edit(project.zones / "test_yard/zone.ron", "default_culture", "default_cultur")
    bad = voicebake(project, "check")
    assert bad.returncode == 1
    assert re.search(r"imke_dorr\.ron:\d+:\d+: .*PlotCritcal", bad.stderr)
    assert re.search(r"test_yard/zone\.ron:\d+:\d+: .*default_cultur\b", bad.stderr)
    assert "Traceback" not in bad.stderr
    errors = json.loads(voicebake(project, "check", "--json").stdout)["errors"]
    assert len(errors) >= 2


def _missing_model(project: Project, _folder: Path) -> tuple[str, str]:
    return str(project.root / "no.gguf"), "no.gguf"


def _refused_model(_project: Project, folder: Path) -> tuple[str, str]:
    path = write_header(folder / "other.gguf", {"general.name": "Qwen2.5 0.5B Instruct"}, "qwen2")
    return str(path), "refused"


def _foreign_model(_project: Project, folder: Path) -> tuple[str, str]:
    path = write_header(folder / "other.gguf", {"general.name": "Some Llama"}, "llama")
    return str(path), "--allow-other-model"


@pytest.mark.parametrize("model", [_missing_model, _refused_model, _foreign_model])
def test_a_model_that_cannot_be_used_is_one_clear_error(
    baked: Project, tmp_path: Path, model: Callable[[Project, Path], tuple[str, str]]
) -> None:
    before = digest(baked)
    path, said = model(baked, tmp_path)
    done = voicebake(baked, "bake", "--model", path, VOICEBAKE_ENGINE="llama")
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert digest(baked) == before


def test_quiet_and_json_keep_stdout_clean(project: Project) -> None:
    assert voicebake(project, "bake", "--quiet").stdout == ""
    summary = json.loads(voicebake(project, "bake", "--json").stdout)
    assert [zone["unchanged"] for zone in summary["zones"]] == [True, True]


def test_a_folder_that_is_no_project_is_one_clear_error(tmp_path: Path) -> None:
    done = voicebake(Project(tmp_path), "status")
    assert done.returncode == 1
    assert "no voicebake project" in done.stderr


def test_cold_commands_import_nothing_heavy() -> None:
    code = "import sys, pipeline.cli.app; print([m for m in sys.modules if m in sys.argv[1:]])"
    heavy = ["llama_cpp", "torch", "polars", "duckdb", "lemminflect", "dagster", "numpy"]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
