"""Where a voicebake project keeps its files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import UserError

_ID = re.compile(r"[a-z][a-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class Project:
    """A project folder: the one that holds `zones/` and `cultures/`. All paths are absolute."""

    root: Path

    @classmethod
    def find(cls, start: Path | None = None) -> Project:
        """The project that `start` (default: $VOICEBAKE_PROJECT, else the current folder) lies in.

        Raises `UserError` when neither it nor a folder above it holds `zones/` and `cultures/`.
        """
        here = (start or Path(os.environ.get("VOICEBAKE_PROJECT") or Path.cwd())).resolve()
        for folder in (here, *here.parents):
            if (folder / "zones").is_dir() and (folder / "cultures").is_dir():
                return cls(folder)
        raise UserError(
            f"{here}: no voicebake project here or in a folder above.",
            "A project holds the folders zones/ and cultures/. Change into one, or set VOICEBAKE_PROJECT.",
        )

    @property
    def zones(self) -> Path:
        return self.root / "zones"

    @property
    def cultures(self) -> Path:
        return self.root / "cultures"

    @property
    def prompts(self) -> Path:
        return self.root / "prompts"

    @property
    def review_queue(self) -> Path:
        return self.root / "review_queue"

    @property
    def build(self) -> Path:
        return self.root / "build"

    @property
    def draft_cache(self) -> Path:
        return self.build / "draft.duckdb"

    @property
    def voice_cache(self) -> Path:
        return self.build / "voice_cache.duckdb"

    @property
    def quality_sample(self) -> Path:
        return self.build / "voice_quality_sample.log"

    @property
    def report(self) -> Path:
        return self.build / "report.html"

    def zone_build(self, zone_id: str) -> Path:
        """The folder of a zone's bake store and Parquet file. Raises `UserError` for an id that is no plain name."""
        return self.build / "zones" / checked_id(zone_id)

    def zone_ids(self) -> list[str]:
        """The zone folders' names, sorted. Reads no RON."""
        return sorted(p.parent.name for p in self.zones.glob("*/zone.ron"))

    def culture_ids(self) -> list[str]:
        """The culture folders' names, sorted. Reads no RON."""
        return sorted(p.parent.name for p in self.cultures.glob("*/culture.ron"))

    def shown(self, path: Path) -> str:
        """`path` as people read it: relative to the project where it lies inside."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)


def checked_id(text: str) -> str:
    """`text` if it may become part of a file name (lower-case letters, digits, underscores), else `UserError`."""
    if not _ID.match(text):
        raise UserError(
            f"{text!r} is not an id.", "An id starts with a lower-case letter and holds only a-z, 0-9 and _."
        )
    return text
