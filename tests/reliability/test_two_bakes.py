"""Two bakes of one zone at the same time: one waits, and nothing is generated twice."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.project import Project
from tests.project_fixture import bake_all, bakeable_project, batches, digest
from tests.reliability.programs import started


def test_two_bakes_of_one_zone_share_the_work(project: Project, tmp_path: Path) -> None:
    bakes = [started(project, "bake", "--json", VOICEBAKE_FAKE_DELAY="0.2") for _ in range(2)]
    summaries = []
    for bake in bakes:
        out, err = bake.communicate(timeout=300)
        assert bake.returncode == 0, err
        summaries.append(json.loads(out))
    generated = [{zone["zone"]: zone["generated"]["lines"] for zone in summary["zones"]} for summary in summaries]
    assert {zone: sum(one[zone] for one in generated) for zone in generated[0]} == {"test_hub": 9, "test_yard": 3}
    alone = bakeable_project(tmp_path / "alone")
    bake_all(alone)
    assert digest(project) == digest(alone)
    for zone in ("test_hub", "test_yard"):
        assert batches(project, zone) == batches(alone, zone)
