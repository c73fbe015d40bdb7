"""Exports hold what the cache holds, sorted, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from pipeline.cache import CacheError, VoiceCache, export_jsonl, export_parquet
from tests.cache.zones import ANCHOR, HUB, TELL, YARD

TABLES = ["base_lines", "tells", "voiced_lines", "manifest"]


def _rows(path: Path) -> list[dict[str, object]]:
    if path.suffix == ".parquet":
        return pl.read_parquet(path).to_dicts()
    return [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("export", "suffix"), [(export_parquet, ".parquet"), (export_jsonl, ".jsonl")])
def test_an_export_holds_every_row_in_key_order(shared_draft: Path, tmp_path: Path, export, suffix: str) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "export"
    paths = export(shared_draft, folder)
    assert [path.name for path in paths] == [f"{table}{suffix}" for table in TABLES]
    base, tells, voiced, manifest = (_rows(path) for path in paths)
    assert len(base) == len(HUB.base) + len(YARD.base)
    assert len(voiced) == len(HUB.voiced) + len(YARD.voiced)
    assert [row["text"] for row in tells if row["category"] == "Nervous"] == [TELL, "counts the trays again"]
    assert {"npc_id": "imke_dorr", "line_id": "sign", "base_text": ANCHOR, "anchor": True} in [
        {key: row[key] for key in ("npc_id", "line_id", "base_text", "anchor")} for row in base
    ]
    keys = [(row["npc_id"], row["line_id"], row["tell_state"]) for row in voiced]
    assert keys == sorted(keys)
    with VoiceCache(shared_draft) as cache:
        assert {row["key"]: row["value"] for row in manifest} == cache.manifest
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in paths)


@pytest.mark.parametrize("export", [export_parquet, export_jsonl])
def test_exporting_what_is_no_cache_writes_nothing(tmp_path: Path, export) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(CacheError, match="there is no voice cache"):
        export(tmp_path / "none.duckdb", tmp_path / "export")
    assert not (tmp_path / "export").exists()
