"""`voicebake check`: mistakes and remarks with their places, exit codes, JSON, and explanations."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pipeline.cli.check import explained_lints
from pipeline.content.lint import LINTS, explanations
from pipeline.content.mistakes import MISTAKES
from pipeline.project import Project
from pipeline.validation.ruleset import rule_docs
from tests.cli.test_commands import voicebake
from tests.generation.gguf_files import write_header
from tests.project_fixture import edit

HUB = "zones/test_hub/zone.ron"
IMKE = "zones/test_hub/npcs/imke_dorr.ron"
CULTURE = "cultures/van_maanens_star/culture.ron"
GOOD = "2 zones, 3 NPCs, 13 lines, 1 culture: no mistakes found.\n"


@pytest.fixture
def project(project: Project) -> Project:
    """The test project with the real culture, so that it has no remarks to begin with."""
    text = (Path(__file__).parents[2] / CULTURE).read_text(encoding="utf-8")
    # An adapter lies beside the culture's file, and nothing here needs it.
    text = re.sub(r"(?m)^    adapter:.*\n", "", text)
    (project.root / CULTURE).write_text(text, encoding="utf-8")
    return project


def test_good_content(project: Project) -> None:
    done = voicebake(project, "check")
    assert (done.returncode, done.stdout, done.stderr) == (0, GOOD, "")
    assert voicebake(project, "check", "--quiet").stdout == ""


def test_warnings_show_their_place_and_do_not_fail(project: Project) -> None:
    edit(project.root / IMKE, "Good morning. What do you need?", "Good morning. The sergeant is out.")
    done = voicebake(project, "check")
    assert done.returncode == 0
    assert re.search(rf"^{IMKE}:15:53: .*sergeant.* \[line-vocabulary\]\n  15 \|", done.stderr, re.MULTILINE)
    assert "1 warning (--explain ID tells more)." in done.stdout
    assert "Token counts are estimated: The fake engine" in done.stdout
    quiet = voicebake(project, "check", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


def test_an_error_fails_even_when_quiet_and_can_be_waived(project: Project) -> None:
    edit(
        project.root / CULTURE, "Morning. Shift treating you alright?", "Morning, sergeant. Shift treating you alright?"
    )
    done = voicebake(project, "check", "--quiet")
    assert done.returncode == 1
    assert re.search(rf"{CULTURE}:\d+:\d+: .*sergeant.* \[example-vocabulary\]", done.stderr)
    edit(
        project.root / CULTURE,
        "    institutions: (",
        '    waive: [(lint: "example-vocabulary", reason: "a nickname")],\n    institutions: (',
    )
    waived = voicebake(project, "check")
    assert (waived.returncode, waived.stdout) == (0, GOOD.replace("found.", "found, 1 waived."))


def test_an_idle_waiver_is_remarked_on(project: Project) -> None:
    edit(project.root / HUB, "    hub: true,", '    hub: true,\n    waive: [(lint: "common-anchor", reason: "x")],')
    done = voicebake(project, "check")
    assert "nothing to waive [idle-waiver]" in done.stderr


def test_json(project: Project) -> None:
    good = json.loads(voicebake(project, "check", "--json").stdout)
    assert good == {
        "ok": True,
        "errors": [],
        "remarks": [],
        "tokens": "estimated",
        "zones": 2,
        "npcs": 3,
        "lines": 13,
        "cultures": 1,
    }
    edit(project.root / IMKE, "Good morning. What do you need?", "Good morning. Kelverin sent me.")
    remarks = json.loads(voicebake(project, "check", "--json").stdout)["remarks"]
    assert [(each["lint"], each["level"], each["file"], each["line"], each["waived"]) for each in remarks] == [
        ("name-not-in-glossary", "warning", IMKE, 15, None)
    ]
    edit(project.root / IMKE, 'id: "price"', 'id: "greet"')
    done = voicebake(project, "check", "--json")
    broken = json.loads(done.stdout)
    assert (done.returncode, broken["ok"], broken["errors"][0]["id"]) == (1, False, "duplicate-id")


def test_a_template_that_is_broken_is_a_mistake(project: Project) -> None:
    edit(project.prompts / "profiles/injector.j2", "{{ culture.register }}", "{{ culture.register }")
    done = voicebake(project, "check")
    assert done.returncode == 1
    assert "prompts/profiles/injector.j2:" in done.stderr
    assert "Traceback" not in done.stderr
    broken = json.loads(voicebake(project, "check", "--json").stdout)
    assert (broken["ok"], broken["errors"][0]["message"][:28]) == (False, "prompts/profiles/injector.j2")


def test_a_model_file_whose_tokeniser_cannot_be_used_means_an_estimate(project: Project) -> None:
    write_header(project.root / "m.gguf", {"general.name": "Gemma 3 270M"}, "gemma3")
    done = voicebake(project, "check", "--json", VOICEBAKE_ENGINE="llama", VOICEBAKE_MODEL="m.gguf")
    assert (done.returncode, json.loads(done.stdout)["tokens"]) == (0, "estimated")


IDS = {*(each.id for each in (*LINTS, *explained_lints())), "idle-waiver", *MISTAKES}


def test_every_id_is_explained_and_means_one_thing() -> None:
    assert set(explanations(explained_lints())) == IDS
    assert not IDS & set(rule_docs())


@pytest.mark.parametrize("name", ["line-vocabulary", "duplicate-id", "injector-budget", "fidelity", "tics"])
def test_explain(project: Project, name: str) -> None:
    done = voicebake(project, "check", "--explain", name)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{name}\n\n")
    assert "Severity: " in done.stdout


def test_explain_of_an_unknown_id_names_the_near_ones_and_all(project: Project) -> None:
    done = voicebake(project, "check", "--explain", "tone-budgets")
    assert done.returncode == 1
    assert "There is no lint or rule 'tone-budgets'.\n  Did you mean tone-budget" in done.stderr
    assert all(name in done.stderr for name in (*IDS, *rule_docs()))
