"""docs/cli.md and the README name the commands that there are, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from pipeline.cli.app import app

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
