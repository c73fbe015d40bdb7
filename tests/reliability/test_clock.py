"""A clock that was set back: what was written "in the future" neither hides an edit nor outlives it."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import closing

from pipeline.project import Project
from tests.project_fixture import digest, edit
from tests.reliability.programs import voicebake

TEN_YEARS = 10 * 365 * 24 * 3600
IMKE = "test_hub/npcs/imke_dorr.ron"


def test_an_edit_older_than_what_was_baked_is_baked(baked: Project) -> None:
    """Everything built stands ten years ahead; the edit is stamped in 1980, as by a machine with a dead battery."""
    for path in baked.build.rglob("*"):
        os.utime(path, (time.time() + TEN_YEARS, time.time() + TEN_YEARS))
    for store in baked.build.glob("zones/*/bake.sqlite"):
        with closing(sqlite3.connect(store)) as db, db:
            db.execute("UPDATE batches SET generated_at = '2099-01-01T00:00:00+00:00'")
            db.execute(
                "UPDATE runs SET started_at = '2099-01-01T00:00:00+00:00', finished_at = '2099-01-01T00:00:00+00:00'"
            )
    before = digest(baked)
    nothing = json.loads(voicebake(baked, "bake", "--json").stdout)
    assert all(zone["unchanged"] for zone in nothing["zones"])
    edit(baked.zones / IMKE, "What do you need?", "What do you want?")
    os.utime(baked.zones / IMKE, (315532800, 315532800))
    done = json.loads(voicebake(baked, "bake", "--json").stdout)
    assert {zone["zone"]: zone["generated"]["lines"] for zone in done["zones"]} == {"test_hub": 1, "test_yard": 0}
    assert done["draft"]["content_digest"] == digest(baked) != before
    edit(baked.zones / IMKE, "What do you want?", "What do you need?")
    os.utime(baked.zones / IMKE, (315532800, 315532800))
    assert voicebake(baked, "bake").returncode == 0
    assert digest(baked) == before
