"""docs/cli.md and the README name the commands that there are, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from pipeline.cli.app import app
from pipeline.cli.check import explained_lints
from pipeline.content.lint import LINTS
from pipeline.content.lint.running import WAIVERS
from pipeline.content.mistakes import MISTAKES

ROOT = Path(__file__).parents[2]


def test_the_command_table_and_the_commands_agree() -> None:
    table = re.findall(r"(?m)^\| `(\w+)[ `]", (ROOT / "docs/cli.md").read_text("utf-8"))
    commands = typer.main.get_command(app)
    assert sorted(table) == sorted(commands.commands)  # type: ignore[attr-defined]


def test_every_command_in_the_readme_exists() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    named = set(re.findall(r"\.venv/bin/voicebake (\w+)", (ROOT / "README.md").read_text("utf-8")))
    assert named
    assert named <= set(commands)


def test_every_link_in_the_readme_leads_somewhere() -> None:
    links = re.findall(r"\]\(([\w./-]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_table_of_checks_and_the_checks_agree() -> None:
    section = (ROOT / "docs/cli.md").read_text("utf-8").partition("## Checking content")[2].partition("\n## ")[0]
    rows = re.findall(r"(?m)^\| (`[^|]*`) \| (\w+)", section)
    table = {name: level for ids, level in rows for name in re.findall(r"`([\w-]+)`", ids)}
    levels = {lint.id: str(lint.level) for lint in (*LINTS, *explained_lints())}
    assert table == levels | {WAIVERS: "warning"} | dict.fromkeys(MISTAKES, "mistake")
