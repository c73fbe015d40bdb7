"""`voicebake new`: what it writes passes `check` without a remark, and nothing is ever overwritten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.project import Project
from tests.cli.test_commands import voicebake

CULTURE = Path(__file__).parents[2] / "cultures/van_maanens_star/culture.ron"


def files_of(project: Project) -> dict[str, bytes]:
    return {
        str(path.relative_to(project.root)): path.read_bytes()
        for folder in (project.zones, project.cultures)
        for path in folder.rglob("*.ron")
    }


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (("npc", "ivo_marn", "--zone", "test_hub"), ["zones/test_hub/npcs/ivo_marn.ron"]),
        (("npc", "ivo_marn", "--zone", "test_yard"), ["zones/test_yard/npcs/ivo_marn.ron"]),
        (("npc", "a", "--zone", "test_yard", "--name", 'The "Old" \\ Man'), ["zones/test_yard/npcs/a.ron"]),
        (("zone", "long_pier"), ["zones/long_pier/npcs/long_pier_resident.ron", "zones/long_pier/zone.ron"]),
        (("culture", "ketteran"), ["cultures/ketteran/culture.ron"]),
    ],
)
def test_a_scaffold_passes_check(project: Project, words: tuple[str, ...], written: list[str]) -> None:
    text = re.sub(r"(?m)^    adapter:.*\n", "", CULTURE.read_text(encoding="utf-8"))
    (project.cultures / "van_maanens_star/culture.ron").write_text(text, encoding="utf-8")
    before = files_of(project)
    done = voicebake(project, "new", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:-1] == [f"Wrote {name}" for name in written]
    after = files_of(project)
    assert sorted(set(after) - set(before)) == sorted(written)
    assert {name: after[name] for name in before} == before
    checked = voicebake(project, "check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "no mistakes found" in checked.stdout
    again = voicebake(project, "new", *words)
    assert again.returncode == 1
    assert files_of(project) == after


def test_names_are_as_given_or_made_from_the_id(project: Project) -> None:
    assert voicebake(project, "new", "zone", "long_pier", "--name", 'Pier "Nine"').returncode == 0
    zone = load_content(project).zones["long_pier"]
    assert (zone.zone.name, zone.zone.default_culture) == ('Pier "Nine"', "van_maanens_star")
    assert [npc.name for npc in zone.npcs] == ["Long Pier Resident"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("npc", "imke_dorr", "--zone", "test_yard"),
            "zones/test_hub/npcs/imke_dorr.ron: the NPC id 'imke_dorr' is taken",
        ),
        (("npc", "ivo"), "Add --zone with one of test_hub, test_yard"),
        (("npc", "ivo", "--zone", "test_yrd"), "Did you mean test_yard?"),
        (("npc", "../ivo", "--zone", "test_yard"), "'../ivo' is not an id"),
        (("npc", "Ivo", "--zone", "test_yard"), "'Ivo' is not an id"),
        (("npc", "ivo", "--zone", "../.."), "There is no zone '../..'"),
        (("zone", "/tmp/x"), "'/tmp/x' is not an id"),
        (("zone", "pier", "--culture", "vms"), "There is no culture 'vms'"),
        (("zone", "pier", "--zone", "test_yard"), "--zone belongs to `new npc`"),
        (("zone", "test_hub"), "zones/test_hub/zone.ron exists already"),
        (("culture", "van_maanens_star"), "cultures/van_maanens_star/culture.ron exists already"),
        (("culture", "pier", "--culture", "x"), "--culture belongs to `new zone`"),
        (("culture", "pier", "--name", "two\nlines"), "is no name"),
    ],
)
def test_what_cannot_be_written_is_one_clear_error(project: Project, words: tuple[str, ...], said: str) -> None:
    before = files_of(project)
    done = voicebake(project, "new", *words)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert files_of(project) == before
