"""A store that cannot be used says so once, tells what to do, and is left as it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pipeline.store import BakeStore, StoreError, StoreMissing
from tests.store.batches import batch, choice


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A good store with some content."""
    path = tmp_path / "zones" / "test_hub" / "bake.sqlite"
    with BakeStore(path) as store:
        for number in range(50):
            store.add_batch(*batch(number))
        store.replace_choices("state", [choice(line) for line in range(50)])
    return path


def _refused(path: Path, wanted: str) -> None:
    """Opening to write fails with `wanted`, with a remedy, and without touching the file."""
    before = path.read_bytes()
    with pytest.raises(StoreError, match=wanted) as error:
        BakeStore(path)
    assert str(path) in error.value.message
    assert error.value.hint
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    [
        pytest.param(lambda good: b"not a database at all " * 400, "damaged", id="garbage"),
        pytest.param(lambda good: good[: len(good) // 2], "damaged", id="truncated"),
        pytest.param(lambda good: good[:2000], "damaged", id="cut within the first page"),
        pytest.param(lambda good: good[:16384] + b"\xa5" * 8192 + good[24576:], "damaged", id="pages overwritten"),
        pytest.param(lambda good: b"\0" * 100 + good[100:], "damaged", id="header wiped"),
    ],
)
def test_a_damaged_store_is_refused_and_kept(path: Path, spoil, wanted: str) -> None:  # type: ignore[no-untyped-def]
    path.write_bytes(spoil(path.read_bytes()))
    _refused(path, wanted)


def test_damage_found_while_reading_is_the_same_error(path: Path) -> None:
    good = path.read_bytes()
    page = int.from_bytes(good[16:18], "big")
    path.write_bytes(good[: 2 * page] + b"\xa5" * (len(good) - 2 * page))
    with BakeStore.read_only(path) as store, pytest.raises(StoreError, match="damaged"):
        [store.batch(batch(number)[0].fingerprint, 0) for number in range(50)]


def test_a_store_of_an_earlier_voicebake_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 1")
    db.close()
    _refused(path, "schema version 1, made by an earlier voicebake")


def test_a_store_of_the_version_before_is_brought_up_to_date(path: Path) -> None:
    record, candidates = batch(3)
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE judged_lines")
        for column in ("verdict", "reviewer", "trouble", "waits_for_bake"):
            db.execute(f"ALTER TABLE choices DROP COLUMN {column}")
        db.execute("UPDATE candidates SET way_back = -0.5")
        db.execute("PRAGMA user_version = 2")
    db.close()
    with BakeStore.read_only(path) as store:
        assert store.choices() == [choice(line) for line in range(50)]
    for _ in range(2):
        with BakeStore(path) as store:
            assert store.batch(record.fingerprint, 0) == candidates  # and no way back, which was measured otherwise
            assert store.choices() == [choice(line) for line in range(50)]
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (4,)
        assert db.execute("SELECT count(*) FROM judged_lines").fetchone() == (0,)
    db.close()


def test_a_store_of_a_later_voicebake_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 5")
    db.close()
    _refused(path, "schema version 5; this voicebake knows versions up to 4")
    with pytest.raises(StoreError, match="schema version 5"):
        BakeStore.read_only(path)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bake.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    _refused(path, "not a bake store")
    with pytest.raises(StoreError, match="not a bake store"):
        BakeStore.read_only(path)


def test_a_store_whose_making_was_cut_off_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "bake.sqlite"
    path.touch()
    with pytest.raises(StoreMissing):
        BakeStore.read_only(path)
    with BakeStore(path) as store:
        assert store.add_batch(*batch(1))


def test_a_folder_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "bake.sqlite").mkdir()
    with pytest.raises(StoreError, match="cannot be used"):
        BakeStore(tmp_path / "bake.sqlite")
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be used"):
        BakeStore(tmp_path / "file" / "bake.sqlite")
