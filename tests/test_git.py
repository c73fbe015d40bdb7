"""What git says of a project's files, in whole and shallow clones, and what it cannot say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.git import changes_since, write_tree
from pipeline.project import Project
from tests.content_factory import write_project
from tests.git_fixture import clone, commit, git, make_repository


@pytest.fixture
def repository(tmp_path: Path) -> Project:
    """The minimal content, committed once."""
    project = write_project(tmp_path / "repository")
    make_repository(project)
    return project


def test_committed_uncommitted_deleted_and_new_files_are_changes(repository: Project) -> None:
    first = git(repository.root, "rev-parse", "HEAD")
    assert changes_since(repository.root, first).paths == frozenset()
    (repository.zones / "test_hub/zone.ron").write_text("// a remark\n", encoding="utf-8")
    commit(repository, "an edit")
    (repository.zones / "test_yard/zone.ron").write_text("// a remark\n", encoding="utf-8")
    (repository.zones / "test_hub/npcs/tam_orley.ron").unlink()
    (repository.zones / "test_hub/npcs/ümläut neu.ron").touch()
    (repository.root / "build").mkdir()
    (repository.root / "build/generated").touch()
    changes = changes_since(repository.root, first)
    assert changes.commit == first
    assert changes.paths == {
        "zones/test_hub/zone.ron",
        "zones/test_yard/zone.ron",
        "zones/test_hub/npcs/tam_orley.ron",
        "zones/test_hub/npcs/ümläut neu.ron",
    }


def test_a_branch_is_compared_with_where_it_left(repository: Project) -> None:
    git(repository.root, "switch", "-q", "-c", "work")
    (repository.root / "on_work").touch()
    commit(repository, "on work")
    git(repository.root, "switch", "-q", "main")
    (repository.root / "on_main").touch()
    commit(repository, "on main")
    git(repository.root, "switch", "-q", "work")
    assert changes_since(repository.root, "main").paths == {"on_work"}


def test_a_project_in_a_folder_of_its_repository_sees_its_own_files_only(tmp_path: Path) -> None:
    project = write_project(tmp_path / "game" / "voices")
    (tmp_path / "game/README").touch()
    git(tmp_path / "game", "init", "-q")
    commit(Project(tmp_path / "game"), "first")
    (tmp_path / "game/README").write_text("more", encoding="utf-8")
    (project.zones / "test_hub/zone.ron").write_text("// a remark\n", encoding="utf-8")
    assert changes_since(project.root, "HEAD").paths == {"zones/test_hub/zone.ron"}
    write_tree(project.root, "HEAD", ["zones", "no_such_folder"], tmp_path / "earlier")
    assert "Test Hub" in (tmp_path / "earlier/zones/test_hub/zone.ron").read_text("utf-8")


@pytest.mark.parametrize("revision", ["no-such-branch", "--upload-pack=touch x", "0" * 40])
def test_an_unknown_revision_is_told(repository: Project, revision: str) -> None:
    with pytest.raises(UserError, match="git knows no commit") as refused:
        changes_since(repository.root, revision)
    assert "git fetch --unshallow" in str(refused.value)


def test_a_shallow_clone_says_that_it_is_too_short(repository: Project, tmp_path: Path) -> None:
    first = git(repository.root, "rev-parse", "HEAD")
    (repository.root / "more").touch()
    commit(repository, "second")
    shallow = clone(repository, tmp_path / "shallow", "--depth", "1")
    with pytest.raises(UserError, match=f"git knows no commit '{first}'"):
        changes_since(shallow.root, first)


def test_unrelated_histories_are_told(repository: Project) -> None:
    git(repository.root, "switch", "-q", "--orphan", "other")
    git(repository.root, "commit", "-q", "--allow-empty", "-m", "other")
    with pytest.raises(UserError, match="no commit in common"):
        changes_since(repository.root, "main")


def test_no_repository_and_no_git_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(UserError, match="git cannot be asked what changed"):
        changes_since(tmp_path, "HEAD")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="git is not installed"):
        changes_since(tmp_path, "HEAD")
