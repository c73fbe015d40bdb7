"""Four lines of the demo, end to end on the real default model, twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cache import VoiceCache
from pipeline.content.terms import TellState
from pipeline.project import Project
from tests.project_fixture import batches, digest, edit

# A small shared machine needs a minute or more per line.
pytestmark = [pytest.mark.model, pytest.mark.timeout(2400)]

REPOSITORY = Path(__file__).parents[2]
ZONE, NPC = "lowring_yard", "fenn_adare"
LINES = 4


def yard(root: Path) -> Project:
    """The demo's small zone with one of its people; the assembled model is shared with the repository's own build."""
    models = REPOSITORY / "build" / "models"
    models.mkdir(parents=True, exist_ok=True)
    (root / "build").mkdir(parents=True)
    (root / "build" / "models").symlink_to(models, target_is_directory=True)
    for folder in ("cultures", "prompts"):
        shutil.copytree(REPOSITORY / folder, root / folder)
    (root / "zones" / ZONE / "npcs").mkdir(parents=True)
    for file in ("zone.ron", f"npcs/{NPC}.ron"):
        shutil.copy(REPOSITORY / "zones" / ZONE / file, root / "zones" / ZONE / file)
    edit(root / "zones" / ZONE / "zone.ron", '["sova_transit_district"]', "[]")
    return Project(root.resolve())


def voicebake(project: Project, *words: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "VOICEBAKE_ENGINE"}
    command = [sys.executable, "-m", "pipeline.cli", *words, "--project", str(project.root)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def baked(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = yard(tmp_path_factory.mktemp("once") / "project")
    voicebake(project, "bake", ZONE, "--threads", "2")
    return project


def test_every_line_answers_in_every_tell_state(baked: Project) -> None:
    assert len({(npc, line) for npc, line, *_ in batches(baked, ZONE)}) == LINES
    with VoiceCache(baked.draft_cache) as cache:
        assert cache.manifest["model.name"].lower().startswith("gemma")
        for line in cache.lines(NPC):
            for state in TellState:
                assert cache.template(NPC, line.line_id, state).text


def test_a_second_bake_loads_neither_model_nor_engine(baked: Project) -> None:
    program = (
        "import sys\nfrom pipeline.cli.app import app\n"
        "try:\n    app()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('llama_cpp', 'lemminflect', 'torch') if name in sys.modules])"
    )
    command = [sys.executable, "-c", program, "bake", "--project", str(baked.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "nothing to do" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_another_bake_with_one_thread_gives_the_same_texts(baked: Project, tmp_path: Path) -> None:
    again = yard(tmp_path / "again")
    voicebake(again, "bake", "--threads", "1")
    assert batches(again, ZONE) == batches(baked, ZONE)
    assert digest(again) == digest(baked)
