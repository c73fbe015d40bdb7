"""`voicebake diff`: for people and for scripts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from pipeline.project import Project
from tests.cli.test_commands import voicebake_plain
from tests.project_fixture import bake_all, edit


def test_an_edit_is_shown_where_a_player_would_notice_it(baked: Project, tmp_path: Path) -> None:
    before = Path(shutil.copy(baked.draft_cache, tmp_path / "before.duckdb"))
    same = voicebake_plain("diff", str(before), str(baked.draft_cache))
    assert (same.returncode, same.stdout) == (0, "A player would notice nothing.\n")
    edit(baked.zones / "test_hub/npcs/imke_dorr.ron", "Counter closes at shift change.", "Counter's shut at change.")
    edit(baked.zones / "test_hub/npcs/imke_dorr.ron", "drops the same seal twice", "drops a seal")
    bake_all(baked)
    shown = voicebake_plain("diff", str(before), str(baked.draft_cache)).stdout
    assert shown == (
        "imke_dorr sign\n"
        "  Neutral, Nervous, Angry, Friendly, Guarded, RoutineDeviation\n"
        "    - Counter closes at shift change.  (anchor)\n"
        "    + Counter's shut at change.  (anchor)\n"
        "imke_dorr tell Nervous 0\n"
        "    - drops the same seal twice\n"
        "    + drops a seal\n"
        "A player would notice 1 lines of 1 people: 6 changed (counting tell states), and 1 tell behaviors.\n"
    )
    found = json.loads(voicebake_plain("diff", str(before), str(baked.draft_cache), "--json").stdout)
    assert (found["same"], found["old_digest"] != found["new_digest"]) == (False, True)
    assert found["lines"][4] == {
        "npc": "imke_dorr",
        "line": "sign",
        "zone": "test_hub",
        "tell": "Guarded",
        "change": "changed",
        "old": {"text": "Counter closes at shift change.", "source": "anchor"},
        "new": {"text": "Counter's shut at change.", "source": "anchor"},
    }
    assert [tell["change"] for tell in found["tells"]] == ["changed"]


def test_a_missing_file_is_one_clear_error(baked: Project, tmp_path: Path) -> None:
    done = voicebake_plain("diff", str(tmp_path / "none.duckdb"), str(baked.draft_cache))
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no voice cache" in done.stderr
