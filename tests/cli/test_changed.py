"""A CI job in small: a clone, a commit that edits one line, a bake of what it touches."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pipeline.project import Project
from tests.cli.test_commands import voicebake
from tests.git_fixture import clone, commit, git, make_repository
from tests.project_fixture import edit


@pytest.fixture
def ci(baked: Project, tmp_path: Path) -> Project:
    """A fresh clone of a repository whose last commit edits one line, with the bake stores of an earlier run."""
    make_repository(baked)
    edit(baked.zones / "test_hub/npcs/imke_dorr.ron", "What do you need?", "What do you want?")
    commit(baked, "one line")
    checkout = clone(baked, tmp_path / "checkout")
    shutil.copytree(baked.build, checkout.build)
    return checkout


def test_a_commit_that_edits_one_line_bakes_one_zone_and_one_line(ci: Project, tmp_path: Path) -> None:
    changed = voicebake(ci, "changed", "--since", "HEAD~1", "--json")
    assert json.loads(changed.stdout)["zones"] == [{"zone": "test_hub", "why": ["npc imke_dorr"]}]
    assert voicebake(ci, "changed", "--since", "HEAD~1").stdout == "test_hub: npc imke_dorr\n"
    junit, markdown = tmp_path / "out/junit.xml", tmp_path / "out/summary.md"
    done = voicebake(
        ci, "bake", "--changed-since", "HEAD~1", "--json", "--junit", str(junit), "--markdown", str(markdown)
    )
    assert done.returncode == 0, done.stderr
    (zone,) = json.loads(done.stdout)["zones"]
    assert (zone["zone"], zone["generated"]["lines"]) == ("test_hub", 1)
    (suite,) = ET.fromstring(junit.read_text("utf-8")).iter("testsuite")
    assert (suite.get("name"), suite.get("tests")) == ("test_hub", "9")
    facts = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert (facts["lines_generated"], facts["stopped"]) == ("1", "false")
    assert "| `test_hub` | 9 | 1 | 54 |" in markdown.read_text("utf-8")
    assert "npc imke\\_dorr" in markdown.read_text("utf-8")


def test_a_commit_that_touches_nothing_bakes_nothing(ci: Project, tmp_path: Path) -> None:
    done = voicebake(ci, "bake", "--changed-since", "HEAD", "--markdown", str(tmp_path / "summary.md"))
    assert done.returncode == 0, done.stderr
    assert "No zone is touched by what changed since HEAD." in done.stdout
    assert "No zone was to be baked." in (tmp_path / "summary.md").read_text("utf-8")
    assert voicebake(ci, "changed", "--since", "HEAD").stdout == "No zone is touched by what changed since HEAD.\n"


def test_a_mistake_in_a_commit_is_in_the_files_and_in_the_exit_code(ci: Project, tmp_path: Path) -> None:
    (ci.zones / "test_yard/zone.ron").write_text("Zone(", encoding="utf-8")
    junit = tmp_path / "junit.xml"
    done = voicebake(ci, "bake", "--changed-since", "HEAD~1", "--junit", str(junit))
    assert done.returncode == 1
    (told,) = ET.fromstring(junit.read_text("utf-8")).iter("error")
    assert "test_yard/zone.ron" in (told.text or "")


def test_zones_and_changed_since_exclude_each_other(ci: Project) -> None:
    done = voicebake(ci, "bake", "test_hub", "--changed-since", "HEAD")
    assert done.returncode == 2
    assert "one of them" in done.stderr


def test_an_unknown_revision_ends_with_what_to_do(ci: Project) -> None:
    done = voicebake(ci, "changed", "--since", "nowhere")
    assert done.returncode == 1
    assert done.stderr.startswith("git knows no commit 'nowhere' here.")
    assert git(ci.root, "status", "--porcelain") == ""
