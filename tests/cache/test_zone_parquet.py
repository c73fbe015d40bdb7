"""A zone's file: what it holds, and that the same texts give the same bytes."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import polars as pl
import pytest

from pipeline.cache import CacheError, ZoneRows, write_zone_parquet, zone_parquet_path, zone_parquet_state, zone_rows
from pipeline.cache.zone_parquet import SCHEMA
from pipeline.content.models import (
    AuthorityWord,
    Culture,
    CultureVocabulary,
    Example,
    Exclusions,
    Injector,
    Institutions,
    Line,
    LineRef,
    Npc,
    TellBehavior,
    Zone,
    ZoneContent,
)
from pipeline.content.terms import Kind, TellState, Tier
from pipeline.errors import UserError
from pipeline.project import Project
from tests.cache.zones import ANCHOR, CULTURE, HUB, TELL, base, voiced


def test_the_file_holds_every_text_under_the_declared_schema(project: Project) -> None:
    frame = pl.read_parquet(zone_parquet_path(project, "test_hub"))
    assert frame.schema == SCHEMA
    assert frame.height == len(HUB.base) + len(HUB.tells) + len(HUB.voiced)
    assert set(frame["zone_id"]) == {"test_hub"}
    assert zone_parquet_state(project, "test_hub") == "hub state"


def test_the_same_rows_in_any_order_give_the_same_bytes(tmp_path: Path) -> None:
    project = Project(tmp_path)
    first = write_zone_parquet(project, "test_hub", HUB, state="s").read_bytes()
    for seed in range(5):
        shuffled = [list(rows) for rows in (HUB.base, HUB.tells, HUB.voiced)]
        for rows in shuffled:
            random.Random(seed).shuffle(rows)
        again = write_zone_parquet(project, "test_hub", ZoneRows(*(tuple(rows) for rows in shuffled)), state="s")
        assert again.read_bytes() == first


def test_a_zone_without_lines_has_a_file_too(tmp_path: Path) -> None:
    path = write_zone_parquet(Project(tmp_path), "empty", ZoneRows((), (), ()), state="s")
    assert pl.read_parquet(path).schema == SCHEMA


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (dataclasses.replace(HUB, base=(*HUB.base, HUB.base[0])), "more than one text"),
        (dataclasses.replace(HUB, voiced=(*HUB.voiced, HUB.voiced[0])), "more than one text"),
        (dataclasses.replace(HUB, voiced=(voiced("imke_dorr", "sign", TellState.Angry, "No."),)), "variant of no line"),
        (dataclasses.replace(HUB, voiced=(voiced("nobody", "greet", TellState.Angry, "No."),)), "variant of no line"),
    ],
)
def test_rows_that_contradict_each_other_are_refused_and_the_file_stays(
    project: Project, rows: ZoneRows, wanted: str
) -> None:
    before = zone_parquet_path(project, "test_hub").read_bytes()
    with pytest.raises(ValueError, match=wanted):
        write_zone_parquet(project, "test_hub", rows, state="new")
    assert zone_parquet_path(project, "test_hub").read_bytes() == before


def test_no_file_has_no_state_and_a_damaged_one_is_an_error(project: Project) -> None:
    assert zone_parquet_state(project, "nowhere") is None
    path = zone_parquet_path(project, "test_hub")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(CacheError, match="cannot be read") as error:
        zone_parquet_state(project, "test_hub")
    assert "voicebake bake test_hub" in str(error.value.hint)
    pl.DataFrame({"a": [1]}).write_parquet(path)
    with pytest.raises(CacheError, match="not written by voicebake"):
        zone_parquet_state(project, "test_hub")
    pl.DataFrame({"a": [1]}).write_parquet(path, metadata={"voicebake.format": "3", "voicebake.zone_state": "s"})
    with pytest.raises(CacheError, match="format version 3"):
        zone_parquet_state(project, "test_hub")


def test_an_id_that_is_a_path_is_refused(project: Project) -> None:
    with pytest.raises(UserError, match="is not an id"):
        write_zone_parquet(project, "../up", HUB, state="s")


def _content() -> ZoneContent:
    injector = Injector(
        register="Short.",
        context="A hull.",
        vocabulary=CultureVocabulary(exclamations=("stars",), greetings=("hey",), farewells=("gotta move",)),
        values="Show, stand by.",
        exclusions=Exclusions(text="No sir."),
        examples=(
            Example(kind=Kind.dialogue, base="a", voiced="b"),
            Example(kind=Kind.behavior, base="c", voiced="d"),
        ),
    )
    culture = Culture(
        id=CULTURE,
        name="VMS",
        injector=injector,
        institutions=Institutions(use=(AuthorityWord(word="shift lead", note="near"),), never=("navy",)),
        tell_tones=(),
    )
    npc = Npc(
        id="imke_dorr",
        name="Imke",
        role="counter",
        tier=Tier.Ambient,
        traits=("blunt",),
        mood="even",
        tell_behaviors=(
            TellBehavior(category=TellState.Nervous, base_text=TELL),
            TellBehavior(category=TellState.Angry, base_text="sets a tray down hard"),
            TellBehavior(category=TellState.Nervous, base_text="counts again"),
        ),
    )
    lines = (
        LineRef(npc, "sign", Kind.dialogue, Line(base_text=ANCHOR, anchor_line=True), culture),
        LineRef(npc, "greet", Kind.dialogue, Line(base_text="Good morning."), culture),
    )
    return ZoneContent(Zone(id="test_hub", name="Hub", default_culture=CULTURE), (npc,), lines)


def test_rows_take_authored_texts_as_they_are_and_number_tells_by_category() -> None:
    greet = voiced("imke_dorr", "greet", TellState.Neutral, "Morning.")
    rows = zone_rows(_content(), [greet])
    assert rows.voiced == (greet,)
    assert rows.base == (
        base("imke_dorr", "sign", ANCHOR, anchor=True),
        base("imke_dorr", "greet", "Good morning."),
    )
    assert [(tell.category, tell.ordinal, tell.text) for tell in rows.tells] == [
        (TellState.Nervous, 0, TELL),
        (TellState.Angry, 0, "sets a tray down hard"),
        (TellState.Nervous, 1, "counts again"),
    ]
