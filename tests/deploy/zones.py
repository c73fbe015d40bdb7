"""A project of four zones, enough for two machines to share."""

from __future__ import annotations

from pathlib import Path

from pipeline.project import Project
from tests.content_factory import JORA, YARD
from tests.project_fixture import bakeable_project, edit

ZONES = ("test_dock", "test_hub", "test_lane", "test_yard")


def four_zones(root: Path) -> Project:
    """The test project with two more zones like its yard, each with people of its own."""
    project = bakeable_project(root)
    for zone, npc in (("test_dock", "dane_orr"), ("test_lane", "lio_marr")):
        folder = project.zones / zone
        (folder / "npcs").mkdir(parents=True)
        (folder / "zone.ron").write_text(YARD.replace("test_yard", zone), encoding="utf-8")
        (folder / "npcs" / f"{npc}.ron").write_text(JORA.replace("jora_vant", npc), encoding="utf-8")
    edit(project.zones / "test_hub/zone.ron", '["test_yard"]', '["test_yard", "test_dock", "test_lane"]')
    return project
