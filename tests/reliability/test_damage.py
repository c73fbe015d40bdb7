"""Files that were damaged or are gone: told by name, or made anew where they are only a memory."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipeline.project import Project
from tests.generation.gguf_files import write_adapter
from tests.project_fixture import digest, edit
from tests.reliability.programs import told, voicebake

CULTURE = "van_maanens_star"


@pytest.mark.parametrize("damage", ["garbage", "cut"])
def test_a_damaged_bake_store_is_told_and_kept_and_a_fresh_one_gives_the_same_texts(
    baked: Project, damage: str
) -> None:
    before, store = digest(baked), baked.zone_build("test_hub") / "bake.sqlite"
    for beside in (store.with_name("bake.sqlite-wal"), store.with_name("bake.sqlite-shm")):
        beside.unlink(missing_ok=True)
    good = store.read_bytes()
    spoilt = good[: len(good) // 2] if damage == "cut" else b"\xa5" * len(good)
    store.write_bytes(spoilt)
    told(
        voicebake(baked, "bake"),
        "bake.sqlite: the bake store is damaged",
        "Nothing was changed",
        "voicebake bake test_hub",
    )
    assert store.read_bytes() == spoilt
    assert digest(baked) == before
    store.unlink()
    done = json.loads(voicebake(baked, "bake", "--json").stdout)
    assert {zone["zone"]: zone["generated"]["lines"] for zone in done["zones"]} == {"test_hub": 9, "test_yard": 0}
    assert digest(baked) == before


def test_a_damaged_zone_file_is_told_and_made_again_without_generating(baked: Project) -> None:
    before, parquet = digest(baked), baked.zone_build("test_hub") / "voiced_lines.parquet"
    parquet.write_bytes(parquet.read_bytes()[:200])
    told(voicebake(baked, "bake"), "voiced_lines.parquet: this zone's texts cannot be read", "Remove the file")
    parquet.unlink()
    done = json.loads(voicebake(baked, "bake", "--json").stdout)
    assert all(zone["generated"]["lines"] == 0 for zone in done["zones"])
    assert digest(baked) == before


def test_a_damaged_draft_is_merged_anew(baked: Project) -> None:
    before = digest(baked)
    baked.draft_cache.write_bytes(b"not a database")
    assert voicebake(baked, "say", "imke_dorr", "greet").returncode == 1
    assert voicebake(baked, "bake").returncode == 0
    assert digest(baked) == before


def test_damaged_memories_are_made_anew(baked: Project) -> None:
    before = digest(baked)
    memories = [*baked.build.rglob("*.json"), *baked.build.rglob("tokens.sqlite")]
    assert memories
    texts = ["Mind the loader.", "Mind that loader."]
    for garbage in (b"{", b"[]", b'{"a": 1}', b"\xff\xfe\x00" * 99):
        for path in memories:
            path.write_bytes(garbage)
        edit(baked.zones / "test_yard/npcs/jora_vant.ron", *texts)
        texts.reverse()
        done = voicebake(baked, "bake", "--json")
        assert done.returncode == 0, done.stderr
    assert digest(baked) == before


def test_a_lock_note_of_a_dead_bake_hinders_nobody(baked: Project) -> None:
    for note in ('{"pid": 1', "[]", '{"pid": 999999, "command": "voicebake bake"}'):
        (baked.zone_build("test_hub") / "bake.lock.json").write_text(note, encoding="utf-8")
        assert voicebake(baked, "bake", "--no-wait").returncode == 0


@pytest.mark.parametrize("missing", ["file", "content"])
def test_a_missing_adapter_is_told_at_its_place_and_the_draft_stands(baked: Project, missing: str) -> None:
    before, folder = digest(baked), baked.cultures / CULTURE
    adapter = write_adapter(folder / "voice.gguf", seed=1)
    edit(
        folder / "culture.ron", 'name: "Van Maanen\'s Star",', 'name: "Van Maanen\'s Star",\n    adapter: "voice.gguf",'
    )
    if missing == "file":
        adapter.unlink()
        wanted = (f"cultures/{CULTURE}/culture.ron:", "there is no file `voice.gguf`")
    else:
        adapter.write_bytes(b"GGUF")
        wanted = ("voice.gguf", "not a usable GGUF file")
    told(voicebake(baked, "bake"), *wanted)
    assert digest(baked) == before


def test_a_build_folder_that_was_removed_is_baked_anew_with_the_same_texts(baked: Project, tmp_path: Path) -> None:
    before = digest(baked)
    keep = tmp_path / "inflections"
    keep.mkdir()
    for path in baked.build.glob("inflections-*.json"):  # they take seconds to work out and are tested elsewhere
        shutil.copy(path, keep)
    shutil.rmtree(baked.build)
    shutil.copytree(keep, baked.build)
    assert voicebake(baked, "bake").returncode == 0
    assert digest(baked) == before
