"""The queries of docs/cache-format.md run as they stand, and answer what the reader answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipeline.cache import VoiceCache
from pipeline.cache.schema import SCHEMA_VERSION, TABLES
from pipeline.content.terms import TELL_CATEGORIES, TellState
from tests.cache.zones import HUB, YARD

TEXT = (Path(__file__).parents[2] / "docs/cache-format.md").read_text("utf-8")
LINE, TELLS, ZONE_BASE, ZONE_VOICED, KNOWN = [
    statement.strip() for statement in re.findall(r"(?ms)^    (SELECT .*?);$", TEXT)
]


@pytest.fixture(scope="module")
def connection(shared_draft: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(shared_draft), read_only=True) as connection:
        yield connection


def test_the_line_query_answers_as_the_reader_does(connection: duckdb.DuckDBPyConnection, shared_draft: Path) -> None:
    with VoiceCache(shared_draft) as cache:
        for line in (*HUB.base, *YARD.base):
            for state in TellState:
                named = {"npc_id": line.npc_id, "line_id": line.line_id, "tell_state": str(state)}
                wanted = cache.template(line.npc_id, line.line_id, state).text
                assert connection.execute(LINE, named).fetchall() == [(wanted,)]


def test_the_tell_query_answers_as_the_reader_does(connection: duckdb.DuckDBPyConnection, shared_draft: Path) -> None:
    with VoiceCache(shared_draft) as cache:
        for category in TELL_CATEGORIES:
            rows = connection.execute(TELLS, {"npc_id": "imke_dorr", "category": str(category)}).fetchall()
            assert tuple(text for (text,) in rows) == cache.tells("imke_dorr", category)


def test_the_zone_queries_give_everything(connection: duckdb.DuckDBPyConnection) -> None:
    assert len(connection.execute(ZONE_BASE, {"zone_id": "test_hub"}).fetchall()) == len(HUB.base)
    assert len(connection.execute(ZONE_VOICED, {"zone_id": "test_hub"}).fetchall()) == len(HUB.voiced)
    assert dict(connection.execute(KNOWN).fetchall())["schema_version"] == str(SCHEMA_VERSION)


def test_every_column_is_documented() -> None:
    assert f"Schema version {SCHEMA_VERSION}." in TEXT
    for table, columns in TABLES.items():
        section = TEXT.partition(f"### `{table}`")[2].partition("\n### ")[0]
        assert set(columns) <= set(re.findall(r"`(\w+)`", section))
