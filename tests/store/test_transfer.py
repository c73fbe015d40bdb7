"""A store goes to another machine as one file and brings there what is missing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pipeline.store import BakeStore, StoreError, StoreMissing, add_batches, write_snapshot
from tests.store.batches import batch, choice


def _store(path: Path, numbers: range) -> Path:
    with BakeStore(path) as store:
        for number in numbers:
            store.add_batch(*batch(number))
        store.replace_choices(f"state {numbers}", [choice(number) for number in numbers])
    return path


def _batches(path: Path, numbers: range) -> list[object]:
    with BakeStore(path) as store:
        return [store.batch(batch(number)[0].fingerprint, 0) for number in numbers]


def test_a_snapshot_holds_everything_and_stands_alone(tmp_path: Path) -> None:
    path = _store(tmp_path / "bake.sqlite", range(3))
    (tmp_path / "shared").mkdir()
    snapshot = tmp_path / "shared/bake.sqlite"
    with BakeStore(path) as store:  # held open by the bake that hands it over
        store.add_batch(*batch(3))
        write_snapshot(path, snapshot)
    with BakeStore.frozen(snapshot) as store:
        assert store.choices() == [choice(number) for number in range(3)]
        assert store.batch(batch(3)[0].fingerprint, 0) == batch(3)[1]
    assert [one.name for one in (tmp_path / "shared").iterdir()] == ["bake.sqlite"]


def test_missing_batches_are_added_and_nothing_else_changes(tmp_path: Path) -> None:
    write_snapshot(_store(tmp_path / "theirs.sqlite", range(4)), tmp_path / "snapshot.sqlite")
    ours = _store(tmp_path / "ours.sqlite", range(2, 6))
    with BakeStore(ours) as store:  # held open by the bake that takes it
        assert add_batches(ours, tmp_path / "snapshot.sqlite") == 2
        assert add_batches(ours, tmp_path / "snapshot.sqlite") == 0
        assert store.state() == "state range(2, 6)"
        assert store.choices() == [choice(number) for number in range(2, 6)]
    assert _batches(ours, range(7)) == [*(batch(number)[1] for number in range(6)), None]


def test_a_store_is_made_of_a_snapshot(tmp_path: Path) -> None:
    write_snapshot(_store(tmp_path / "theirs.sqlite", range(3)), tmp_path / "snapshot.sqlite")
    assert add_batches(tmp_path / "new/bake.sqlite", tmp_path / "snapshot.sqlite") == 3
    assert _batches(tmp_path / "new/bake.sqlite", range(3)) == [batch(number)[1] for number in range(3)]


def test_a_bad_snapshot_is_refused_and_the_store_stays(tmp_path: Path) -> None:
    ours, snapshot = _store(tmp_path / "ours.sqlite", range(2)), tmp_path / "snapshot.sqlite"
    with pytest.raises(StoreMissing):
        add_batches(ours, snapshot)
    write_snapshot(_store(tmp_path / "theirs.sqlite", range(40)), snapshot)
    good = snapshot.read_bytes()
    snapshot.write_bytes(good[:4096] + b"\xa5" * (len(good) - 4096))
    with pytest.raises(StoreError, match="damaged"):
        add_batches(ours, snapshot)
    snapshot.write_bytes(good)
    with sqlite3.connect(snapshot) as db:
        db.execute("PRAGMA user_version = 2")
    db.close()
    with pytest.raises(StoreError, match="schema version 2"):
        add_batches(ours, snapshot)
    assert _batches(ours, range(3)) == [batch(0)[1], batch(1)[1], None]
