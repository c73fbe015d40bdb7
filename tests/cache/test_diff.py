"""What a player would notice between two caches, and what not."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pipeline.cache import CacheDiff, CacheError, VoiceCache, ZoneRows, diff_caches, merge_cache, write_zone_parquet
from pipeline.content.terms import TELL_CATEGORIES, TellState
from pipeline.project import Project
from tests.cache.zones import HUB, YARD, base, voiced

EVERY = list(TellState)


@pytest.fixture
def diff_with(shared_draft: Path, tmp_path: Path):  # type: ignore[no-untyped-def]
    """The difference between the shared draft and one whose hub is given."""

    def compare(hub: ZoneRows) -> CacheDiff:
        project = Project(tmp_path)
        write_zone_parquet(project, "test_hub", hub, state="s")
        write_zone_parquet(project, "test_yard", YARD, state="s")
        merge_cache(project, ["test_hub", "test_yard"], project.voice_cache, {})
        return diff_caches(shared_draft, project.voice_cache)

    return compare


def _voiced(*, without: tuple[str, TellState] | None = None, more: tuple[object, ...] = ()) -> ZoneRows:
    kept = [row for row in HUB.voiced if (row.key.line_id, row.key.tell_state) != without]
    return dataclasses.replace(HUB, voiced=(*kept, *more))


GREET, BARE = "Morning. What d'you need?", "Nobody came."


@pytest.mark.parametrize(
    ("hub", "wanted"),
    [
        pytest.param(
            _voiced(without=("greet", TellState.Guarded)),
            [("greet", TellState.Guarded, ("Morning. Need something.", "tell"), (GREET, "neutral"))],
            id="a tell variant falls back",
        ),
        pytest.param(
            _voiced(without=("greet", TellState.Neutral)),
            [
                ("greet", state, (GREET, "neutral"), ("Good morning. What do you need?", "base"))
                for state in EVERY
                if state is not TellState.Guarded
            ],
            id="a Neutral text takes all that it answered with it",
        ),
        pytest.param(
            _voiced(more=(voiced("imke_dorr", "bare", TellState.Neutral, "No one came."),)),
            [
                ("bare", state, (BARE, "base"), ("No one came.", "neutral"))
                for state in EVERY
                if state is not TellState.Angry
            ],
            id="a new Neutral text",
        ),
        pytest.param(
            _voiced(more=(voiced("imke_dorr", "bare", TellState.Neutral, BARE),)), [], id="the same text from elsewhere"
        ),
        pytest.param(
            dataclasses.replace(HUB, base=(*HUB.base, base("imke_dorr", "new", "New.", anchor=True))),
            [("new", state, None, ("New.", "anchor")) for state in EVERY],
            id="a new line",
        ),
        pytest.param(
            dataclasses.replace(HUB, base=HUB.base[1:], voiced=HUB.voiced[2:]),
            [
                (
                    "greet",
                    state,
                    ("Morning. Need something.", "tell") if state == "Guarded" else (GREET, "neutral"),
                    None,
                )
                for state in EVERY
            ],
            id="a line is gone",
        ),
    ],
)
def test_changed_texts_are_told_by_tell_state(diff_with, hub: ZoneRows, wanted: list[object]) -> None:  # type: ignore[no-untyped-def]
    found = diff_with(hub)
    assert [(one.line_id, one.tell_state, one.old, one.new) for one in found.lines] == wanted
    assert {(one.npc_id, one.zone_id) for one in found.lines} <= {("imke_dorr", "test_hub")}
    assert found.tells == ()
    assert found.same == (not wanted)
    for one in found.lines:
        assert one.change == ("added" if one.old is None else "removed" if one.new is None else "changed")


def test_tell_behaviors_are_compared_as_authored(diff_with) -> None:  # type: ignore[no-untyped-def]
    tells = (dataclasses.replace(HUB.tells[0], text="x"), dataclasses.replace(HUB.tells[2], npc_id="imke_dorr"))
    found = diff_with(dataclasses.replace(HUB, tells=tells))
    assert [(one.npc_id, one.category, one.ordinal, one.change, one.new) for one in found.tells] == [
        ("imke_dorr", "Angry", 0, "added", "sets each tray down flat and hard"),
        ("imke_dorr", "Nervous", 0, "changed", "x"),
        ("imke_dorr", "Nervous", 1, "removed", None),
        ("silent_ro", "Angry", 0, "removed", None),
    ]
    assert found.lines == ()


def test_it_shows_what_the_reader_shows(diff_with, shared_draft: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    hub = _voiced(without=("greet", TellState.Neutral), more=(voiced("imke_dorr", "sorts", TellState.Angry, "sorts"),))
    found = {(one.npc_id, one.line_id, one.tell_state): (one.old, one.new) for one in diff_with(hub).lines}
    with VoiceCache(shared_draft) as old, VoiceCache(Project(tmp_path).voice_cache) as new:
        for line in (*HUB.base, *YARD.base):
            for state in (TellState.Neutral, *TELL_CATEGORIES):
                key = line.npc_id, line.line_id, state
                before, after = old.template(*key), new.template(*key)
                assert found.get(key, (before, before)) == (before, after if before.text != after.text else before)


def test_a_cache_differs_in_nothing_from_itself(shared_draft: Path) -> None:
    found = diff_caches(shared_draft, shared_draft)
    assert found.same
    assert found.old_digest == found.new_digest != ""


@pytest.mark.parametrize("missing", ["old", "new"])
def test_the_file_that_cannot_be_read_is_named(shared_draft: Path, tmp_path: Path, missing: str) -> None:
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(shared_draft.read_bytes()[:5000])
    pair = (broken, shared_draft) if missing == "old" else (shared_draft, broken)
    with pytest.raises(CacheError, match=r"broken\.duckdb: this voice cache cannot be read"):
        diff_caches(*pair)
