"""Where a project is found, and which names may become paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.project import Project, checked_id


def test_a_project_is_found_from_any_folder_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("zones/hub/npcs", "cultures"):
        (tmp_path / folder).mkdir(parents=True)
    assert Project.find(tmp_path / "zones/hub/npcs").root == tmp_path.resolve()
    monkeypatch.setenv("VOICEBAKE_PROJECT", str(tmp_path))
    assert Project.find().root == tmp_path.resolve()


def test_elsewhere_the_error_says_what_a_project_is(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="zones/ and cultures/"):
        Project.find(tmp_path)


@pytest.mark.parametrize("text", ["..", "a/b", "", "Zone", "a b", "a\n", "_a", "1a", "a.b", "é"])
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        checked_id(text)


@given(st.text())
def test_an_id_never_leaves_its_folder(text: str) -> None:
    try:
        path = Project(Path("/project")).zone_build(text)
    except UserError:
        return
    assert path.parent == Path("/project/build/zones")
    assert path.name == text
