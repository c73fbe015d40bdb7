"""The merge: what it builds, its digest, and what it refuses."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path

import duckdb
import polars as pl
import pytest

from pipeline.cache import (
    CacheError,
    VoiceCache,
    ZoneRows,
    engine_manifest,
    merge_cache,
    merge_draft,
    write_zone_parquet,
    zone_parquet_path,
)
from pipeline.cache.digest import content_digest
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.generation.engine import EngineIdentity, SamplerSettings
from pipeline.project import Project
from pipeline.prompting.jobs import VariantKey
from tests.cache.zones import CULTURE, HUB, YARD, voiced

ZONES = ["test_hub", "test_yard"]


def _digest(project: Project) -> str:
    return merge_draft(project, ZONES, {}).content_digest


def test_the_summary_counts_what_went_in(project: Project) -> None:
    summary = merge_draft(project, [*ZONES, "not_baked"], {})
    assert summary.path == project.draft_cache
    assert (summary.zones, summary.missing) == (("test_hub", "test_yard"), ("not_baked",))
    assert (summary.base_lines, summary.tells, summary.voiced_lines) == (6, 3, 6)
    # Five lines are no anchors: 30 variants. Four have a Neutral text; one of their 20 tell variants has its own.
    assert dataclasses.astuple(summary.coverage) == (6, 19, 5)


def test_the_manifest_holds_what_was_given_and_what_the_merge_knows(project: Project) -> None:
    summary = merge_draft(project, ZONES, {"engine": "fake 1", "prompts": "abc"})
    with VoiceCache(summary.path) as cache:
        manifest = dict(cache.manifest)
    assert manifest.pop("built_at").endswith("+00:00")
    assert manifest == {
        "engine": "fake 1",
        "prompts": "abc",
        "schema_version": "1",
        "zones": json.dumps(ZONES),
        "zone_state.test_hub": "hub state",
        "zone_state.test_yard": "yard state",
        "rows.base_lines": "6",
        "rows.tells": "3",
        "rows.voiced_lines": "6",
        "coverage.voiced": "6",
        "coverage.fallback_neutral": "19",
        "coverage.fallback_base": "5",
        "content_digest": summary.content_digest,
    }


def test_the_engine_is_written_out_in_the_manifest() -> None:
    identity = EngineIdentity("llama 1 avx2", "Gemma", "aa", "gemma", "base", SamplerSettings(), 8, False)
    manifest = engine_manifest(identity)
    assert manifest["model.sha256"] == "aa"
    assert manifest["model.override"] == "false"
    assert (manifest["engine"], manifest["vocabulary"]) == ("llama 1 avx2", "whole")
    assert json.loads(manifest["sampler"])["candidates"] == SamplerSettings().candidates


def test_the_merge_keeps_its_own_keys(project: Project) -> None:
    with pytest.raises(ValueError, match="content_digest"):
        merge_draft(project, ZONES, {"content_digest": "mine"})


def test_the_digest_depends_on_content_alone(project: Project, tmp_path: Path) -> None:
    first = _digest(project)
    for seed in range(5):
        shuffler = random.Random(seed)
        other = Project(tmp_path / f"other_{seed}")
        zones = [("test_hub", HUB), ("test_yard", YARD)]
        shuffler.shuffle(zones)
        for zone_id, rows in zones:
            shuffled = [list(part) for part in (rows.base, rows.tells, rows.voiced)]
            for part in shuffled:
                shuffler.shuffle(part)
            write_zone_parquet(other, zone_id, ZoneRows(*(tuple(part) for part in shuffled)), state=f"state {seed}")
        summary = merge_draft(other, [zone_id for zone_id, _ in zones], {"engine": f"another {seed}"})
        assert summary.content_digest == first


@pytest.mark.parametrize(
    "changed",
    [
        dataclasses.replace(HUB, voiced=HUB.voiced[:-1]),
        dataclasses.replace(HUB, tells=HUB.tells[:-1]),
        dataclasses.replace(HUB, tells=(dataclasses.replace(HUB.tells[0], text="x"), *HUB.tells[1:])),
        dataclasses.replace(HUB, base=(dataclasses.replace(HUB.base[0], text="x"), *HUB.base[1:])),
        dataclasses.replace(HUB, voiced=(*HUB.voiced, voiced("imke_dorr", "bare", TellState.Neutral, "No one."))),
    ],
)
def test_the_digest_changes_with_any_text(project: Project, changed: ZoneRows) -> None:
    first = _digest(project)
    write_zone_parquet(project, "test_hub", changed, state="hub state")
    assert _digest(project) != first
    write_zone_parquet(project, "test_hub", HUB, state="later")
    assert _digest(project) == first


def test_the_digest_is_stored_and_can_be_taken_again_from_the_file(draft: Path) -> None:
    with duckdb.connect(str(draft), read_only=True) as connection, VoiceCache(draft) as cache:
        assert content_digest(connection) == cache.manifest["content_digest"]


def test_withheld_variants_fall_back(project: Project, tmp_path: Path) -> None:
    target = tmp_path / "build" / "other.duckdb"
    withheld = [
        VariantKey("imke_dorr", "greet", TellState.Guarded, CULTURE),
        VariantKey("x", "y", TellState.Angry, "z"),
    ]
    summary = merge_cache(project, ZONES, target, {}, withheld=withheld)
    assert summary.voiced_lines == 5
    with VoiceCache(target) as cache:
        assert cache.line("imke_dorr", "greet", "Guarded").source == "neutral"


def test_zones_can_be_held_to_what_people_decided(project: Project, tmp_path: Path) -> None:
    sources = ("approved", "edited", "generated", "generated", "approved")
    rows = tuple(dataclasses.replace(row, source=source) for row, source in zip(HUB.voiced, sources, strict=True))
    write_zone_parquet(project, "test_hub", dataclasses.replace(HUB, voiced=rows), state="hub state")
    target = tmp_path / "build" / "other.duckdb"
    assert merge_cache(project, ZONES, target, {}).voiced_lines == 6
    assert merge_cache(project, ZONES, target, {}, decided_only=["test_hub"]).voiced_lines == 4
    assert merge_cache(project, ZONES, target, {}, decided_only=ZONES).voiced_lines == 3


def test_a_zone_of_another_state_than_the_one_asked_for_is_refused(project: Project, draft: Path) -> None:
    states = {"test_hub": "hub state", "test_yard": "yard state"}
    assert merge_cache(project, ZONES, draft, {}, states=states).zones == ("test_hub", "test_yard")
    before = draft.read_bytes()
    with pytest.raises(CacheError, match="written for another state"):
        merge_cache(project, ZONES, draft, {}, states=states | {"test_yard": "later"})
    assert draft.read_bytes() == before


def test_rows_lie_in_key_order(draft: Path) -> None:
    with duckdb.connect(str(draft), read_only=True) as connection:
        rows = connection.execute("SELECT npc_id, line_id, tell_state FROM voiced_lines").fetchall()
    assert rows == sorted(rows)


def test_no_baked_zone_gives_an_empty_cache(tmp_path: Path) -> None:
    summary = merge_draft(Project(tmp_path), ["test_hub"], {})
    assert (summary.base_lines, summary.missing) == (0, ("test_hub",))
    with VoiceCache(summary.path) as cache:
        assert cache.npcs() == []


def test_an_npc_of_two_zones_is_refused_and_the_earlier_cache_stays(project: Project, draft: Path) -> None:
    before = draft.read_bytes()
    write_zone_parquet(project, "test_yard", HUB, state="s")
    with pytest.raises(CacheError, match=r"imke_dorr stands in .* test_hub, test_yard") as error:
        merge_draft(project, ZONES, {})
    assert error.value.hint is not None
    assert "voicebake bake test_hub test_yard" in error.value.hint
    assert draft.read_bytes() == before
    assert [path.name for path in draft.parent.iterdir() if path.name.startswith(".")] == []


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _scratch(path: Path) -> None:
    good = path.read_bytes()
    path.write_bytes(good[:4] + b"\xa5" * 400 + good[404:])


def _strange(path: Path) -> None:
    metadata = {"voicebake.format": "1", "voicebake.zone_state": "s"}
    pl.DataFrame({"a": [1]}).write_parquet(path, metadata=metadata)


def _moved(path: Path) -> None:
    path.write_bytes((path.parent.parent / "test_yard" / path.name).read_bytes())


@pytest.mark.parametrize("spoil", [_cut, _scratch, _strange, _moved])
def test_a_damaged_zone_file_is_named_and_the_earlier_cache_stays(project: Project, draft: Path, spoil) -> None:  # type: ignore[no-untyped-def]
    before = draft.read_bytes()
    path = zone_parquet_path(project, "test_hub")
    spoil(path)
    with pytest.raises(CacheError, match="cannot be read") as error:
        merge_draft(project, ZONES, {})
    assert str(path) in error.value.message
    assert error.value.hint is not None
    assert "voicebake bake test_hub" in error.value.hint
    assert draft.read_bytes() == before


def test_a_build_folder_that_cannot_be_written_is_told(project: Project, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="could not be written"):
        merge_cache(project, ZONES, tmp_path / "file" / "cache.duckdb", {})


def test_an_open_reader_keeps_the_file_that_it_opened(project: Project, draft: Path) -> None:
    with VoiceCache(draft) as cache:
        changed = dataclasses.replace(YARD, voiced=(voiced("tam_orley", "greet", TellState.Neutral, "Morning."),))
        write_zone_parquet(project, "test_yard", changed, state="s")
        merge_draft(project, ZONES, {})
        with VoiceCache(draft) as newer:
            assert newer.line("tam_orley", "greet").text == "Morning."
        assert cache.line("tam_orley", "greet").text == "Hey."
