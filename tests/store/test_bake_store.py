"""What goes into a bake store comes out again, once, and in its order."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pipeline.content.terms import TellState
from pipeline.store import BakeStore, ChoiceRecord, StoreError, StoreMissing
from tests.store.batches import batch, choice


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "zones" / "test_hub" / "bake.sqlite"


def test_a_batch_comes_out_as_it_went_in(path: Path) -> None:
    record, candidates = batch(1)
    with BakeStore(path) as store:
        assert store.batch(record.fingerprint, 0) is None
        assert store.add_batch(record, candidates)
        assert store.batch(record.fingerprint, 0) == candidates
        assert store.batch(record.fingerprint, 1) is None


def test_a_batch_is_kept_once_and_the_earlier_one_stays(path: Path) -> None:
    record, candidates = batch(1)
    other = [dataclasses.replace(candidate, text="something else") for candidate in candidates]
    with BakeStore(path) as store:
        store.add_batch(record, candidates)
        assert not store.add_batch(record, other)
        assert store.batch(record.fingerprint, 0) == candidates


def test_a_batch_without_candidates_is_known(path: Path) -> None:
    record, _ = batch(1)
    with BakeStore(path) as store:
        store.add_batch(record, [])
        assert store.batch(record.fingerprint, 0) == []


def test_a_batch_with_a_doubled_candidate_leaves_nothing_behind(path: Path) -> None:
    record, candidates = batch(1)
    with BakeStore(path) as store:
        with pytest.raises(Exception, match="UNIQUE"):
            store.add_batch(record, [*candidates, candidates[0]])
        assert store.batch(record.fingerprint, 0) is None
        assert store.add_batch(record, candidates)


def test_known_and_cost_count_what_is_stored(path: Path) -> None:
    with BakeStore(path) as store:
        assert store.cost().batches == 0
        for number, round in ((1, 0), (1, 1), (2, 0)):
            store.add_batch(*batch(number, round))
        one, two, three = (batch(number)[0].fingerprint for number in (1, 2, 3))
        assert store.known([one, two, three]) == {one, two}
        cost = store.cost()
    assert (cost.batches, cost.prompt_tokens, cost.output_tokens, cost.seconds) == (3, 120, 360, 4.5)


def test_prune_keeps_what_is_named_and_what_is_chosen_from(path: Path) -> None:
    named, chosen, forgotten = (batch(number) for number in (1, 2, 3))
    with BakeStore(path) as store:
        for one in (named, chosen, forgotten):
            store.add_batch(*one)
        store.replace_choices("state", [dataclasses.replace(choice(1), fingerprint=chosen[0].fingerprint)])
        assert store.prune([named[0].fingerprint]) == 1
        assert store.batch(named[0].fingerprint, 0) == named[1]
        assert store.batch(chosen[0].fingerprint, 0) == chosen[1]
        assert store.batch(forgotten[0].fingerprint, 0) is None
        # A pruned batch can come back: no candidate of it stayed.
        assert store.add_batch(*forgotten)


def test_a_further_round_keeps_each_variant_in_a_batch_of_its_own(path: Path) -> None:
    guarded, angry = batch(1, 1, TellState.Guarded), batch(1, 1, TellState.Angry)
    with BakeStore(path) as store:
        store.add_batch(*batch(1))
        assert store.add_batch(*guarded)
        assert store.batch(guarded[0].fingerprint, 1, TellState.Angry) is None
        assert store.add_batch(*angry)
        assert not store.add_batch(*angry)
        assert store.batch(guarded[0].fingerprint, 1, TellState.Guarded) == guarded[1]
        assert store.batch(guarded[0].fingerprint, 1) is None


def test_choices_replace_the_earlier_ones_together_with_the_state(path: Path) -> None:
    empty = ChoiceRecord("imke_dorr", "line_9", "Angry", "van_maanens_star", "dialogue", "f", "empty", "b")
    with BakeStore(path) as store:
        assert store.state() is None
        assert store.choices() == []
        store.replace_choices("first", [choice(2), choice(1)])
        store.replace_choices("second", [choice(3), empty])
        assert store.state() == "second"
        assert store.choices() == [choice(3), empty]


def test_choices_that_fail_half_way_change_nothing(path: Path) -> None:
    def broken():  # type: ignore[no-untyped-def]
        yield choice(7)
        raise RuntimeError("half way")

    with BakeStore(path) as store:
        store.replace_choices("first", [choice(1)])
        with pytest.raises(RuntimeError, match="half way"):
            store.replace_choices("second", broken())
        with pytest.raises(Exception, match="UNIQUE"):
            store.replace_choices("third", [choice(4), choice(4)])
        assert (store.state(), store.choices()) == ("first", [choice(1)])


def test_runs_come_out_oldest_first(path: Path) -> None:
    with BakeStore(path) as store:
        store.add_run("2026-11-30T12:00:00Z", "2026-11-30T12:01:00Z", {"lines": 3, "note": "’"})
        store.add_run("2026-11-30T11:00:00Z", "2026-11-30T11:01:00Z", {"lines": 4})
        assert [(run.number, run.summary) for run in store.runs()] == [
            (1, {"lines": 3, "note": "’"}),
            (2, {"lines": 4}),
        ]


def test_what_was_written_is_there_after_opening_again(path: Path) -> None:
    record, candidates = batch(1)
    with BakeStore(path) as store:
        store.add_batch(record, candidates)
    with BakeStore(path) as store:
        assert store.batch(record.fingerprint, 0) == candidates


def test_a_reader_sees_commits_of_a_writer_and_cannot_write(path: Path) -> None:
    with BakeStore(path) as writer, BakeStore.read_only(path) as reader:
        assert reader.state() is None
        writer.add_batch(*batch(1))
        writer.replace_choices("first", [choice(1)])
        assert reader.state() == "first"
        assert reader.known([batch(1)[0].fingerprint]) == {batch(1)[0].fingerprint}
        with pytest.raises(StoreError, match="readonly"):
            reader.replace_choices("second", [])
        assert writer.state() == "first"


def test_a_reader_is_not_held_up_by_an_open_transaction(path: Path) -> None:
    with BakeStore(path) as writer, BakeStore.read_only(path) as reader:
        writer.replace_choices("first", [choice(1)])

        def rows():  # type: ignore[no-untyped-def]
            assert (reader.state(), reader.choices()) == ("first", [choice(1)])
            yield choice(2)

        writer.replace_choices("second", rows())
        assert (reader.state(), reader.choices()) == ("second", [choice(2)])


def test_reading_a_store_that_is_not_there_names_the_zone_and_makes_no_file(path: Path) -> None:
    with pytest.raises(StoreMissing, match="zone test_hub: not baked yet") as error:
        BakeStore.read_only(path)
    assert error.value.hint == "Run: voicebake bake test_hub"
    assert not path.exists()


def test_texts_that_look_like_sql_are_only_texts(path: Path) -> None:
    nasty = "'); DROP TABLE choices; --\0 {N1} \U0001f680"
    with BakeStore(path) as store:
        store.replace_choices(nasty, [dataclasses.replace(choice(1), npc_id=nasty, voiced=nasty)])
        assert store.state() == nasty
        assert store.choices()[0].voiced == nasty
        assert store.batch(nasty, 0) is None
