"""Files that are no usable cache: one clear error each."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from pipeline.cache import CacheError, VoiceCache


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    [
        pytest.param(lambda good: b"hello world " * 5000, "cannot be read", id="no database"),
        pytest.param(lambda good: b"", "cannot be read", id="empty"),
        pytest.param(lambda good: good[:5000], "cannot be read", id="truncated in the header"),
        pytest.param(lambda good: good[: len(good) // 2], "cannot be read", id="truncated"),
        pytest.param(
            lambda good: good[:12288] + bytes(b ^ 255 for b in good[12288:]), "cannot be read", id="scratched"
        ),
        # The storage version stands in the header, guarded by its checksum.
        pytest.param(lambda good: good[:12] + b"\xff" * 8 + good[20:], "cannot be read", id="another storage version"),
    ],
)
def test_a_damaged_file_is_one_clear_error(shared_draft: Path, tmp_path: Path, spoil, wanted: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "spoilt.duckdb"
    path.write_bytes(spoil(shared_draft.read_bytes()))
    with pytest.raises(CacheError, match=wanted) as error, VoiceCache(path) as cache:
        cache.preload()
    assert str(path) in error.value.message
    assert "\n" not in error.value.message
    assert "Build it again" in str(error.value.hint)


def test_a_missing_file_tells_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(CacheError, match="there is no voice cache") as error:
        VoiceCache(tmp_path / "draft.duckdb")
    assert "voicebake bake" in str(error.value.hint)
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_another_program_is_told(tmp_path: Path) -> None:
    path = tmp_path / "recipes.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(CacheError, match="not a voice cache"):
        VoiceCache(path)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (
            "UPDATE manifest SET value = '2' WHERE key = 'schema_version'",
            "schema version 2; this reader knows versions up",
        ),
        ("DELETE FROM manifest WHERE key = 'schema_version'", "not a voice cache"),
        ("DROP TABLE tells", "lacks the table tells"),
    ],
)
def test_a_file_of_another_make_is_told(shared_draft: Path, tmp_path: Path, change: str, wanted: str) -> None:
    path = Path(shutil.copy(shared_draft, tmp_path / "changed.duckdb"))
    with duckdb.connect(str(path)) as connection:
        connection.execute(change)
    with pytest.raises(CacheError, match=wanted):
        VoiceCache(path)


def test_reading_leaves_the_file_and_its_folder_alone(shared_draft: Path) -> None:
    before = shared_draft.read_bytes()
    names = sorted(path.name for path in shared_draft.parent.iterdir())
    with VoiceCache(shared_draft) as cache:
        cache.preload()
        assert cache.line("tam_orley", "greet").text == "Hey."
    assert shared_draft.read_bytes() == before
    assert sorted(path.name for path in shared_draft.parent.iterdir()) == names


def test_any_file_name_will_do(shared_draft: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(shared_draft, tmp_path / 'it\'s; "a" – cache'))
    with VoiceCache(path) as cache:
        assert cache.line("tam_orley", "greet").text == "Hey."
