"""A replaced file is the old one or the new one, and nothing stays beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.replacing import replacing

_ROOT = Path(__file__).parents[1]
_DIES = """
import os, sys
from pathlib import Path
from pipeline.replacing import replacing
with replacing(Path(sys.argv[1])) as fresh:
    fresh.write_text("half")
    Path(f"{fresh}.spill").mkdir()
    os._exit(9)
"""


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_made_with_its_folder_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    for text in ("one", "two"):
        with replacing(path) as fresh:
            fresh.write_text(text)
        assert path.read_text() == text
    assert _names(path.parent) == ["file.txt"]


def test_the_earlier_file_survives_a_failure_and_nothing_stays(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("earlier")

    def fail_half_way(fresh: Path) -> None:
        fresh.write_text("half")
        Path(f"{fresh}.wal").write_text("beside")
        Path(f"{fresh}.spill").mkdir()
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"), replacing(path) as fresh:
        fail_half_way(fresh)
    assert path.read_text() == "earlier"
    assert _names(tmp_path) == ["file.txt"]


def test_what_the_system_refuses_is_a_user_error(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    with pytest.raises(UserError, match="No space left"), replacing(path):
        raise OSError(28, "No space left on device")
    with pytest.raises(UserError, match="could not be written"), replacing(path):
        pass  # nothing was written
    assert _names(tmp_path) == []


def test_what_a_killed_process_left_is_removed_by_the_next_but_not_what_a_living_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    subprocess.run([sys.executable, "-c", _DIES, str(path)], cwd=_ROOT, check=False)
    assert len(_names(tmp_path)) == 2
    with replacing(path) as outer:
        outer.write_text("outer")
        with replacing(path) as inner:
            inner.write_text("inner")
        assert _names(tmp_path) == sorted([outer.name, "file.txt"])
    assert path.read_text() == "outer"
    assert _names(tmp_path) == ["file.txt"]


def test_a_folder_of_files_appears_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "version"
    with replacing(path) as fresh:
        fresh.mkdir()
        (fresh / "one").write_text("1")
        (fresh / "two").write_text("2")
        assert not path.exists()
    assert _names(path) == ["one", "two"]

    def replace_it() -> None:
        with replacing(path) as fresh:
            fresh.mkdir()
            (fresh / "one").write_text("another")

    with pytest.raises(UserError, match="could not be written"):
        replace_it()
    assert (path / "one").read_text() == "1"
    assert _names(tmp_path) == ["version"]
