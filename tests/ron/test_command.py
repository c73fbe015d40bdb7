"""`python -m pipeline.ron FILE...`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.ron import RonError, parse_file
from pipeline.ron.__main__ import main


def test_prints_one_json_line_per_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.ron").write_text('Npc(id: "a", mood: "müde")', encoding="utf-8")
    (tmp_path / "b.ron").write_text("[1, 1.0, true]", encoding="utf-8")
    assert main([str(tmp_path / "a.ron"), str(tmp_path / "b.ron")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert json.loads(first) == {"$struct": "Npc", "fields": {"id": "a", "mood": "müde"}}
    assert second == "[1, 1.0, true]"


def test_a_broken_file_is_named_and_the_others_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, fine = tmp_path / "broken.ron", tmp_path / "fine.ron"
    broken.write_text("(\n  a: 1\n  b: 2\n)", encoding="utf-8")
    fine.write_text("5", encoding="utf-8")
    assert main([str(broken), str(tmp_path / "absent.ron"), str(fine)]) == 1
    printed = capsys.readouterr()
    assert printed.out == "5\n"
    assert printed.err.startswith(f"{broken}:3:3: a comma is missing before `b`\n")
    assert f"{tmp_path / 'absent.ron'}: cannot be read" in printed.err


def test_no_file_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.ron"
    path.write_bytes('(\n  name: "müde")'.encode("latin-1"))
    with pytest.raises(RonError, match="byte FC is no UTF-8") as caught:
        parse_file(path, "shown.ron")
    assert str(caught.value).startswith("shown.ron:2:11: ")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        parse_file(tmp_path)
