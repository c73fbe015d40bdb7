"""A bake leaves its report, and `voicebake report` writes it again."""

from __future__ import annotations

import json

from pipeline.project import Project
from tests.cli.test_commands import voicebake
from tests.project_fixture import edit


def test_a_bake_that_changes_something_writes_the_report(baked: Project) -> None:
    first = voicebake(baked, "bake", "test_hub")
    assert "Report        build/report.html" in first.stdout
    made = baked.report.stat().st_mtime_ns
    assert voicebake(baked, "bake").returncode == 0
    assert baked.report.stat().st_mtime_ns == made
    edit(baked.zones / "test_hub/npcs/imke_dorr.ron", "What do you need?", "What do you want?")
    assert json.loads(voicebake(baked, "bake", "--json").stdout)["report"] == "build/report.html"
    assert "variants have another text than before" in baked.report.read_text("utf-8")


def test_the_command_names_the_file(baked: Project) -> None:
    assert voicebake(baked, "report").stdout == "Report        build/report.html\n"
    assert json.loads(voicebake(baked, "report", "--json").stdout) == {"report": "build/report.html"}
    assert baked.report.is_file()
