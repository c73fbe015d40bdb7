"""One partition per zone and per culture, read from the folder names. Parses no RON."""

from __future__ import annotations

import os
from pathlib import Path

import dagster as dg

from pipeline.project import Project


def project_root() -> Path:
    """The project of $VOICEBAKE_PROJECT, else the one that this package lies in."""
    return Path(os.environ.get("VOICEBAKE_PROJECT") or Path(__file__).resolve().parent.parent)


zones = dg.StaticPartitionsDefinition(Project.find(project_root()).zone_ids())
cultures = dg.StaticPartitionsDefinition(Project.find(project_root()).culture_ids())
