"""Pre-voicing: nearest zones first, important people first, in time, and on from where it stopped."""

from __future__ import annotations

import pytest

from pipeline.bake import BakeSummary, Silent, Workspace, bake_background, prevoicing_order
from pipeline.bake.workspace import UnknownZone
from pipeline.cache import VoiceCache
from pipeline.content import load_content
from pipeline.content.models import Zone, ZoneContent
from pipeline.project import Project
from pipeline.store import zone_lock
from tests.content_factory import JORA, YARD
from tests.project_fixture import batches

BAY = YARD.replace("test_yard", "test_bay")
RIM = YARD.replace("test_yard", "test_rim").replace('"test_hub"', '"test_bay"')
BORA = JORA.replace("jora_vant", "bora_vant").replace("Jora", "Bora").replace("Ambient", "PlotCritical")
RUNE = JORA.replace("jora_vant", "rune_vant").replace("Jora", "Rune").replace("Ambient", "SemiUnique")
# Other texts than Jora's: within a zone, lines that read alike share their candidates.
RUNE = RUNE.replace("crates", "drums").replace("tug", "lift").replace("loader.", "step.")


def _zones(**adjacent: str) -> dict[str, ZoneContent]:
    """Zones by id; a leading `hub:` makes one a hub, the rest are the zones it names."""
    found = {}
    for zone_id, words in adjacent.items():
        hub = words.startswith("hub:")
        names = tuple(words.removeprefix("hub:").split())
        zone = Zone(id=zone_id, name=zone_id, hub=hub, default_culture="c", adjacent_zones=names)
        found[zone_id] = ZoneContent(zone, (), ())
    return found


@pytest.mark.parametrize(
    ("zones", "start", "order"),
    [
        (_zones(a="b", b="c", c="", d=""), "a", ["a", "b", "c", "d"]),
        (_zones(a="b", b="c", c="", d=""), "c", ["c", "b", "a", "d"]),  # adjacency holds both ways
        (_zones(h="hub:z b", b="", z="a", a=""), "h", ["b", "z", "a"]),  # hubs are passed through, not baked
        (_zones(a="h", h="hub:b", b="", c="a"), "a", ["a", "c", "b"]),
        (_zones(a="b", b="a"), "a", ["a", "b"]),
        (_zones(h="hub:"), "h", []),
    ],
)
def test_the_order_of_zones(zones: dict[str, ZoneContent], start: str, order: list[str]) -> None:
    assert [stop.zone_id for stop in prevoicing_order(zones, start)] == order
    shuffled = dict(reversed(zones.items()))
    assert [stop.zone_id for stop in prevoicing_order(shuffled, start)] == order


@pytest.fixture
def wide(project: Project) -> Project:
    """The hub, two zones one step from it (an Ambient and a PlotCritical person, the latter with a SemiUnique
    neighbour) and one two steps away."""
    for zone, text in (("test_bay", BAY), ("test_rim", RIM)):
        (project.zones / zone / "npcs").mkdir(parents=True)
        (project.zones / zone / "zone.ron").write_text(text)
    (project.zones / "test_yard/npcs/rune_vant.ron").write_text(RUNE)
    (project.zones / "test_bay/npcs/bora_vant.ron").write_text(BORA)
    (project.zones / "test_rim/npcs/cora_vant.ron").write_text(BORA.replace("bora", "cora").replace("Bora", "Cora"))
    load_content(project)
    return project


def _prevoice(project: Project, lines: int | None = None) -> tuple[BakeSummary, list[str]]:
    """Pre-voices from the hub, `lines` lines at most; gives the NPCs in the order in which they were generated."""
    with Workspace.open(project) as workspace:
        spoken: list[str] = []

        class Watching(Silent):
            def line_done(self, job, *, generated: bool, voiced: int) -> None:  # type: ignore[no-untyped-def]
                if generated:
                    spoken.append(job.line.npc.id)

        summary = bake_background(workspace, "test_hub", Watching(), lambda: lines is not None and len(spoken) >= lines)
    return summary, spoken


WHOLE = ["bora_vant"] * 3 + ["rune_vant"] * 3 + ["jora_vant"] * 3 + ["cora_vant"] * 3


def test_near_zones_come_first_and_important_people_first_among_them(wide: Project) -> None:
    summary, spoken = _prevoice(wide)
    assert spoken == WHOLE
    assert [zone.status.zone for zone in summary.zones] == ["test_bay", "test_yard", "test_rim"]
    assert [zone.tally.lines for zone in summary.zones] == [3, 6, 3]
    assert not summary.stopped
    with VoiceCache(wide.draft_cache) as cache:
        assert cache.npcs() == ["bora_vant", "cora_vant", "jora_vant", "rune_vant"]


@pytest.mark.parametrize(("lines", "finished"), [(0, []), (2, []), (4, ["test_bay"]), (9, ["test_bay", "test_yard"])])
def test_it_stops_when_told_and_resumes(wide: Project, lines: int, finished: list[str]) -> None:
    summary, first = _prevoice(wide, lines)
    assert first == WHOLE[:lines]
    assert summary.stopped
    assert [zone.status.zone for zone in summary.zones if not zone.stopped] == finished
    # What is finished can be heard at once.
    assert wide.draft_cache.is_file() == bool(finished)
    if finished:
        with VoiceCache(wide.draft_cache) as cache:
            assert cache.npcs("test_bay") == ["bora_vant"]
    again, rest = _prevoice(wide)
    assert rest == WHOLE[lines:]
    assert not again.stopped
    assert all(zone.unchanged for zone in _prevoice(wide)[0].zones)


def test_it_bakes_what_a_plain_bake_does(wide: Project, baked: Project) -> None:
    _prevoice(wide)
    jora = {row for row in batches(wide, "test_yard") if row[0] == "jora_vant"}
    assert jora == batches(baked, "test_yard")
    assert not (wide.zone_build("test_hub") / "bake.sqlite").exists()


def test_a_zone_that_another_bakes_is_left_to_it(wide: Project) -> None:
    with zone_lock(wide, "test_yard", wait=False):
        summary, spoken = _prevoice(wide)
    assert set(spoken) == {"bora_vant", "cora_vant"}
    assert [zone.status.zone for zone in summary.zones] == ["test_bay", "test_rim"]
    assert set(_prevoice(wide)[1]) == {"rune_vant", "jora_vant"}


def test_an_unknown_start_is_named(wide: Project) -> None:
    with Workspace.open(wide) as workspace, pytest.raises(UnknownZone, match="test_hubb"):
        bake_background(workspace, "test_hubb", Silent())


def test_all_is_planned_before_anything_is_generated(wide: Project) -> None:
    path = wide.zones / "test_rim/npcs/cora_vant.ron"
    tell = '    tell_behaviors: [(category: Angry, base_text: "stacks empty crates by the wall")],\n)\n'
    text = path.read_text()
    path.write_text(text[: text.rstrip().rindex(")")] + tell)
    with Workspace.open(wide) as workspace, pytest.raises(Exception, match="stacks empty crates"):
        bake_background(workspace, "test_hub", Silent())
    assert not (wide.zone_build("test_bay") / "bake.sqlite").exists()


def test_the_summary_counts_a_zone_once(wide: Project) -> None:
    summary, _ = _prevoice(wide)
    yard = next(zone for zone in summary.zones if zone.status.zone == "test_yard")
    assert yard.tally.batches >= 6
    assert not yard.unchanged
