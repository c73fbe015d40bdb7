"""`voicebake ship`: what it says, what it writes, how it refuses."""

from __future__ import annotations

import json

import polars as pl

from pipeline.project import Project
from tests.cli.test_commands import voicebake


def test_it_refuses_with_every_reason_and_exit_code_5(baked: Project) -> None:
    done = voicebake(baked, "ship")
    assert (done.returncode, done.stdout) == (5, "")
    assert "zone test_hub (policy All)" in done.stderr
    assert "zone test_yard (policy All)" in done.stderr
    assert "voicebake review test_hub" in done.stderr
    assert "--allow-fallback" in done.stderr
    assert "Traceback" not in done.stderr
    assert not baked.voice_cache.exists()
    told = json.loads(voicebake(baked, "ship", "--json").stdout)
    assert told["shipped"] is False
    assert [(one["reason"], one["zone"]) for one in told["refusals"]] == [
        ("pending", "test_hub"),
        ("pending", "test_yard"),
    ]


def test_it_ships_as_fallback_says_so_and_exports(baked: Project) -> None:
    folder = baked.root / "out"
    done = voicebake(baked, "ship", "--allow-fallback", "--export", str(folder))
    assert done.returncode == 0, done.stderr
    assert "test_hub (hub): 0 of 54 variants ship a text of their own" in done.stdout
    assert "pending ship as fallback" in done.stdout
    assert "Voice cache   build/voice_cache.duckdb" in done.stdout
    names = {f"{table}.{kind}" for table in TABLES for kind in ("parquet", "jsonl")}
    assert {path.name for path in folder.iterdir()} == names
    assert pl.read_parquet(folder / "base_lines.parquet").height == 13
    said = voicebake(baked, "say", "imke_dorr", "greet", "--cache", str(baked.voice_cache), "--json")
    assert json.loads(said.stdout)["source"] == "base"


TABLES = ("base_lines", "tells", "voiced_lines", "manifest")


def test_as_json_it_counts_what_ships(baked: Project) -> None:
    told = json.loads(voicebake(baked, "ship", "--allow-fallback", "--json").stdout)
    assert (told["shipped"], told["path"], told["exports"]) == (True, "build/voice_cache.duckdb", [])
    hub, yard = told["zones"]
    assert (hub["zone"], hub["hub"], hub["policy"], hub["variants"], hub["shipped"]) == ("test_hub", True, "All", 54, 0)
    assert hub["pending_as_fallback"] > 0
    assert sum(told["coverage"].values()) == hub["variants"] + yard["variants"]
    assert len(told["content_digest"]) == 64
    assert voicebake(baked, "ship", "--allow-fallback", "--quiet").stdout == ""


def test_an_unbaked_project_is_told_what_to_do(project: Project) -> None:
    done = voicebake(project, "ship")
    assert done.returncode == 5
    assert "zone test_hub: it has not been baked." in done.stderr
    assert "voicebake bake test_hub" in done.stderr
