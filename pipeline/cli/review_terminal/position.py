"""Where a person stopped in a zone's queue, kept in the build folder: it is nobody else's concern."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.cli.review_terminal.tray import Place
from pipeline.project import Project


def _path(project: Project, zone_id: str) -> Path:
    return project.zone_build(zone_id) / "review_position.json"


def read_position(project: Project, zone_id: str) -> tuple[Place, str] | None:
    """NPC id and line id, and the tell state; None when there is no position that can be read."""
    try:
        found = json.loads(_path(project, zone_id).read_bytes())
        return (str(found["npc_id"]), str(found["line_id"])), str(found["tell_state"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a bookmark: without it the review begins at the top


def write_position(project: Project, zone_id: str, place: Place, tell_state: str) -> None:
    """Keeps the position. A file that is cut off half-way counts as none. Raises `OSError`."""
    npc_id, line_id = place
    path = _path(project, zone_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"npc_id": npc_id, "line_id": line_id, "tell_state": tell_state}), encoding="utf-8")
