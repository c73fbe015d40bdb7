"""A small project that bakes with the fake engine, and what tests ask of a bake."""

from __future__ import annotations

import atexit
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from pipeline.bake import BakeSummary, Silent, Workspace, bake
from pipeline.cache import VoiceCache
from pipeline.content import load_content
from pipeline.project import Project
from pipeline.validation.ruleset import build_lexicon
from tests.content_factory import write_project

PROMPTS = Path(__file__).parent.parent / "prompts"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The test project, with the fake engine switched on."""
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    return bakeable_project(tmp_path / "project")


@pytest.fixture
def baked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The test project after a bake of all zones."""
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    root = tmp_path / "baked"
    shutil.copytree(_baked_once(), root)
    return Project(root.resolve())


@cache
def _baked_once() -> Path:
    """A project that was baked once per test process, to be copied: a bake costs seconds."""
    folder = _temporary_folder()
    bake_all(bakeable_project(folder / "project"))
    return folder / "project"


def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="voicebake-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def bakeable_project(root: Path) -> Project:
    """The minimal content with this repository's own profiles, guards and word lists, which the canaries need."""
    project = write_project(root)
    shutil.rmtree(project.prompts)
    shutil.copytree(PROMPTS, project.prompts)
    shutil.copytree(_inflections(), project.build)
    return project


@cache
def _inflections() -> Path:
    """A folder with the inflections of all word lists, worked out once per test process: they cost seconds."""
    folder = _temporary_folder()
    build_lexicon(load_content(Project(PROMPTS.parent)), folder)
    return folder


def bake_all(project: Project) -> BakeSummary:
    """Bakes all zones as `voicebake bake` does."""
    with Workspace.open(project) as workspace:
        return bake(workspace, list(workspace.content.zones), Silent())


def batches(project: Project, zone_id: str = "test_hub") -> set[tuple[str, str, str, int, str]]:
    """What a zone's store holds: NPC, line, fingerprint, round and variant of every generated batch."""
    with closing(sqlite3.connect(project.zone_build(zone_id) / "bake.sqlite")) as db:
        return set(db.execute("SELECT npc_id, line_id, fingerprint, round, variant FROM batches").fetchall())


def digest(project: Project) -> str:
    """The content digest of the draft."""
    with VoiceCache(project.draft_cache) as cache:
        return cache.manifest["content_digest"]


def edit(path: Path, old: str, new: str) -> None:
    """Replaces `old`, which must stand in the file exactly once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
