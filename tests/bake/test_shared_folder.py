"""A shared zone is the earlier version or the new one, never a half, and damage is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.bake.shared_folder import SharedFolderError, is_shared, read_zone, write_zone
from pipeline.errors import UserError

ZONE = "test_hub"


def _write(tmp_path: Path, text: str, *, store: str = "times differ") -> Path:
    files = {"bake.sqlite": tmp_path / "store", "voiced_lines.parquet": tmp_path / "texts"}
    files["bake.sqlite"].write_text(store, encoding="utf-8")
    files["voiced_lines.parquet"].write_text(text, encoding="utf-8")
    return write_zone(tmp_path / "shared", ZONE, f"state of {text}", files, {"voiced": 3})


def _versions(tmp_path: Path) -> set[str]:
    return {path.name for path in (tmp_path / "shared" / ZONE).iterdir()} - {"current"}


def test_what_was_written_last_counts_and_the_one_before_is_kept(tmp_path: Path) -> None:
    assert read_zone(tmp_path / "shared", ZONE) is None
    versions = []
    for text in ("one", "two", "three"):
        versions.append(_write(tmp_path, text))
        shared = read_zone(tmp_path / "shared", ZONE)
        assert shared is not None
        assert (shared.folder, shared.state) == (versions[-1], f"state of {text}")
        assert (shared.folder / "voiced_lines.parquet").read_text("utf-8") == text
    assert _versions(tmp_path) == {version.name for version in versions[1:]}
    summary = json.loads((versions[-1] / "summary.json").read_text("utf-8"))
    assert (summary["zone"], summary["voiced"], set(summary["files"])) == (
        ZONE,
        3,
        {"bake.sqlite", "voiced_lines.parquet"},
    )


def test_two_machines_that_baked_the_same_write_one_version(tmp_path: Path) -> None:
    first = _write(tmp_path, "one", store="machine 1")
    assert _write(tmp_path, "one", store="machine 2") == first
    assert (first / "bake.sqlite").read_text("utf-8") == "machine 1"
    assert _versions(tmp_path) == {first.name}
    texts = {"voiced_lines.parquet": tmp_path / "texts"}
    assert is_shared(tmp_path / "shared", ZONE, "state of one", texts)
    assert not is_shared(tmp_path / "shared", ZONE, "another state", texts)


def test_going_back_to_an_earlier_version_counts(tmp_path: Path) -> None:
    first = _write(tmp_path, "one")
    _write(tmp_path, "two")
    assert _write(tmp_path, "one") == first
    shared = read_zone(tmp_path / "shared", ZONE)
    assert shared is not None
    assert shared.folder == first


def test_a_machine_that_dies_before_the_last_rename_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _write(tmp_path, "one")

    def die(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pipeline.replacing.os.replace", die)
    with pytest.raises(UserError, match="No space left"):
        _write(tmp_path, "two")
    monkeypatch.undo()
    shared = read_zone(tmp_path / "shared", ZONE)
    assert shared is not None
    assert shared.folder == first
    assert _versions(tmp_path) == {first.name}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("voiced_lines.parquet", "other text", "it is not what was written"),
        ("voiced_lines.parquet", None, "voiced_lines.parquet is missing"),
        ("summary.json", "{", "it cannot be read"),
        ("summary.json", "[]", "it cannot be read"),
        ("summary.json", '{"format": 2, "state": "", "files": {}}', "it has format 2, this voicebake knows format 1"),
        ("../current", "../elsewhere", "it names no version"),
        ("../current", "", "it names no version"),
    ],
)
def test_damage_is_told_and_mended_by_the_next_write(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    version = _write(tmp_path, "one")
    path = version / name
    path.write_text(content, encoding="utf-8") if content is not None else path.unlink()
    with pytest.raises(SharedFolderError, match=said) as told:
        read_zone(tmp_path / "shared", ZONE)
    assert "next bake writes it anew" in str(told.value)
    assert _write(tmp_path, "one") == version
    shared = read_zone(tmp_path / "shared", ZONE)
    assert shared is not None
    assert shared.folder == version


def test_an_id_that_is_no_name_never_becomes_a_path(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not an id"):
        read_zone(tmp_path, "../outside")
