"""Ten mistakes that writers make in the demo files; each message must be enough to mend it without opening the code."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pipeline.content import ContentErrors, load_content
from pipeline.project import Project
from tests.snapshots import Case, read_cases, rewrite

SNAPSHOT = "content_mistakes.txt"
DEMO = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_demo(tmp_path_factory.mktemp("demo"))


def copy_of_demo(root: Path) -> Path:
    for folder in ("zones", "cultures", "prompts"):
        shutil.copytree(DEMO / folder, root / folder)
    return root


def message(root: Path, given: str) -> str:
    """What loading says after one edit: a file's name, the line as it is after `-`, and as it becomes after `+`."""
    name, old, new = given.split("\n")
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old[2:]) == 1, f"{name} must hold this once: {old[2:]}"
    path.write_text(text.replace(old[2:], new[2:]), encoding="utf-8")
    try:
        with pytest.raises(ContentErrors) as caught:
            load_content(Project(root))
    finally:
        path.write_text(text, encoding="utf-8")
    return str(caught.value)


@pytest.mark.parametrize("case", read_cases(SNAPSHOT), ids=lambda case: str(case.title))
def test_message(demo: Path, case: Case) -> None:
    assert message(demo, case.given) == case.wanted


def test_there_are_ten() -> None:
    assert len(read_cases(SNAPSHOT)) == 10


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        root = copy_of_demo(Path(folder))
        rewrite(SNAPSHOT, lambda given: message(root, given))
