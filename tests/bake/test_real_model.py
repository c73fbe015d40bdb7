"""Four lines of the demo, end to end on the real default model: whole, after a crash, and among other lines."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
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


def candidates(project: Project) -> dict[str, list[tuple[str, float | None]]]:
    """Every candidate of the zone's store with what was measured of it, by fingerprint."""
    found: dict[str, list[tuple[str, float | None]]] = {}
    query = "SELECT fingerprint, text, way_back FROM candidates ORDER BY fingerprint, round, variant, position"
    with closing(sqlite3.connect(project.zone_build(ZONE) / "bake.sqlite", timeout=60)) as db:
        for fingerprint, text, way_back in db.execute(query):
            found.setdefault(fingerprint, []).append((text, way_back))
    return found


def bake_until_killed(project: Project, lines: int) -> None:
    """Bakes, and kills the bake once `lines` lines are committed: in the middle of the next one."""
    environment = {name: value for name, value in os.environ.items() if name != "VOICEBAKE_ENGINE"}
    command = [sys.executable, "-m", "pipeline.cli", "bake", "--quiet", "--project", str(project.root)]
    baking = subprocess.Popen(command, env=environment)
    store = project.zone_build(ZONE) / "bake.sqlite"
    while baking.poll() is None and not (store.is_file() and len(committed(store)) >= lines):
        time.sleep(0.2)
    baking.kill()
    assert baking.wait() == -signal.SIGKILL


def committed(store: Path) -> list[tuple[str]]:
    """The fingerprints of committed lines, as far as the tables stand already."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=60)) as db:
        known = db.execute("SELECT name FROM sqlite_master WHERE name = 'batches'").fetchall()
        return db.execute("SELECT DISTINCT fingerprint FROM batches").fetchall() if known else []


def test_after_a_crash_and_with_one_thread_the_texts_are_the_same(baked: Project, tmp_path: Path) -> None:
    again = yard(tmp_path / "again")
    bake_until_killed(again, 1)
    before = candidates(again)
    assert 1 <= len(before) < LINES
    voicebake(again, "bake", "--threads", "1")
    assert candidates(again) == candidates(baked)
    assert batches(again, ZONE) == batches(baked, ZONE)
    assert digest(again) == digest(baked)


def test_alone_and_in_another_order_a_line_is_the_same(baked: Project, tmp_path: Path) -> None:
    other = yard(tmp_path / "other")
    file = other.zones / ZONE / "npcs" / f"{NPC}.ron"
    first, second = (
        '"How long is the walk to Ashline if the lift is locked?",',
        '"I knew the crew of that hull. They used to wave.",',
    )
    text = file.read_text("utf-8")
    assert text.index(first) < text.index(second)
    edit(file, first, '"The hatch sticks again.",')
    edit(file, second, f"{second} {first}")
    edit(file, '"sweeps up cut metal and picks out the good screws",', "")
    voicebake(other, "bake", ZONE)
    found, expected = candidates(other), candidates(baked)
    common = found.keys() & expected.keys()
    assert len(common) == LINES - 1
    assert {key: found[key] for key in common} == {key: expected[key] for key in common}


def test_a_tried_line_is_the_one_that_was_baked(baked: Project) -> None:
    base = "I knew the crew of that hull. They used to wave."
    out = voicebake(baked, "try", base, "--npc", NPC, "--json")
    tried = [(one["tell"], candidate["text"]) for one in json.loads(out)["variants"] for candidate in one["candidates"]]
    with closing(sqlite3.connect(baked.zone_build(ZONE) / "bake.sqlite")) as db:
        line = "SELECT fingerprint FROM batches WHERE base_text = ?"
        stored = db.execute(
            f"SELECT tell_state, text FROM candidates WHERE fingerprint IN ({line})", (base,)
        ).fetchall()
    assert len(tried) >= 24, "one round of all variants; a variant that nothing passes for has further ones"
    assert sorted(tried) == sorted(stored)
