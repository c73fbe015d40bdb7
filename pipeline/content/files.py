"""Which files hold content, by folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline.content.problems import Problem
from pipeline.project import Project


@dataclass(frozen=True, slots=True)
class ContentFiles:
    """The content files of a project, each tuple in order of path. `zones` and `cultures` hold folder names."""

    zones: dict[str, Path]
    npcs: dict[str, tuple[Path, ...]]
    cultures: dict[str, Path]
    tells: Path
    guards: tuple[Path, ...]
    word_lists: tuple[Path, ...]

    @classmethod
    def of(cls, project: Project) -> ContentFiles:
        """The files of `project`, whether they exist or not."""
        zones = _folders(project.zones)
        return cls(
            zones={folder.name: folder / "zone.ron" for folder in zones},
            npcs={folder.name: _ron_files(folder / "npcs") for folder in zones},
            cultures={folder.name: folder / "culture.ron" for folder in _folders(project.cultures)},
            tells=project.prompts / "tells.ron",
            guards=_ron_files(project.prompts / "guards"),
            word_lists=_ron_files(project.prompts / "vocabulary"),
        )

    def all(self) -> list[Path]:
        """Every file, sorted by path."""
        npcs = [path for paths in self.npcs.values() for path in paths]
        single = [*self.zones.values(), *self.cultures.values(), self.tells]
        return sorted([*single, *npcs, *self.guards, *self.word_lists])

    def missing(self, project: Project) -> list[Problem]:
        """What has to exist and does not: one problem per file or folder."""
        problems = []
        if not self.zones:
            problems.append(_absent(project, project.zones, "holds no zone", "zones/<zone>/zone.ron"))
        if not self.cultures:
            problems.append(_absent(project, project.cultures, "holds no culture", "cultures/<culture>/culture.ron"))
        for path in [*self.zones.values(), *self.cultures.values(), self.tells]:
            if not path.is_file():
                problems.append(_absent(project, path, "is missing", "this file"))
        for zone, paths in self.npcs.items():
            if not paths:
                folder = project.zones / zone / "npcs"
                problems.append(_absent(project, folder, "holds no NPC", f"zones/{zone}/npcs/<npc>.ron"))
        if not self.guards:
            problems.append(
                _absent(project, project.prompts / "guards", "holds no guard", "prompts/guards/<guard>.ron")
            )
        return problems


def content_files(project: Project) -> list[Path]:
    """Every existing file that content is read from, as absolute paths, sorted."""
    return [path for path in ContentFiles.of(project).all() if path.is_file()]


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        return []
    return sorted(each for each in parent.iterdir() if each.is_dir() and not each.name.startswith((".", "_")))


def _ron_files(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(each for each in folder.glob("*.ron") if each.is_file() and not each.name.startswith(".")))


def _absent(project: Project, path: Path, message: str, expected: str) -> Problem:
    return Problem(
        project.shown(path), None, None, message, expected, f"Add {expected}; docs/content.md shows its form."
    )
