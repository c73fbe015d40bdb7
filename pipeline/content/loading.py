"""Loading a project's content: read every file, bind it, check what spans files, and only then build `Content`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.content.binding import bind
from pipeline.content.bound import Bound, Model
from pipeline.content.culture_checks import check_culture, check_tells
from pipeline.content.files import ContentFiles
from pipeline.content.models import (
    Content,
    Culture,
    Guard,
    LineRef,
    Npc,
    TellTable,
    WordList,
    Zone,
    ZoneContent,
)
from pipeline.content.npc_checks import check_npc, check_unique, line_id, npc_lines
from pipeline.content.problems import ContentErrors, Problem
from pipeline.content.sources import Sources
from pipeline.content.text_checks import check_texts
from pipeline.content.vocabulary_checks import check_guards, check_word_lists
from pipeline.content.voice_bank import load_bank
from pipeline.content.zone_checks import check_zone
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.ron import RonError, parse_file


def load_content(project: Project) -> Content:
    """All content of `project`, checked. Raises `ContentErrors` with every mistake of every file."""
    return load_content_with_sources(project)[0]


def load_content_with_sources(project: Project) -> tuple[Content, Sources]:
    """Content, and where each part of it stands. Raises `ContentErrors` with every mistake of every file."""
    loader = _Loader(project)
    loader.read()
    loader.check()
    if loader.problems:
        raise ContentErrors(loader.problems)
    return loader.content(), loader.sources()


class _Loader:
    """One run over a project's files. What cannot be read is left out and noted in `problems`."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.files = ContentFiles.of(project)
        self.problems: list[Problem] = self.files.missing(project)
        self.zones: dict[str, Bound[Zone]] = {}
        self.npcs: dict[str, list[Bound[Npc]]] = {}
        self.cultures: dict[str, Bound[Culture]] = {}
        self.tells: Bound[TellTable] | None = None
        self.guards: list[Bound[Guard]] = []
        self.word_lists: list[Bound[WordList]] = []

    def read(self) -> None:
        """Bind every file that exists."""
        for folder, path in self.files.zones.items():
            self.zones.update((folder, each) for each in self._bind(Zone, [path]))
            self.npcs[folder] = list(self._bind(Npc, self.files.npcs[folder]))
        for folder, path in self.files.cultures.items():
            self.cultures.update((folder, each) for each in self._bind(Culture, [path]))
            self._read_bank(folder)
        self.tells = next(self._bind(TellTable, [self.files.tells]), None)
        self.guards = list(self._bind(Guard, self.files.guards))
        self.word_lists = list(self._bind(WordList, self.files.word_lists))

    def _read_bank(self, culture_id: str) -> None:
        """Only for its mistakes: content itself does not hold voice banks."""
        try:
            load_bank(self.project, culture_id)
        except ContentErrors as errors:
            self.problems += errors.problems
        except UserError as error:
            where = self.project.shown(self.project.cultures / culture_id)
            self.problems.append(Problem(where, None, None, error.message, hint=error.hint))

    def _bind(self, model: type[Model], paths: Iterable[Path]) -> Iterator[Bound[Model]]:
        for path in paths:
            if not path.is_file():
                continue
            try:
                document = parse_file(path, self.project.shown(path))
            except RonError as error:
                self.problems.append(Problem.unreadable(error))
                continue
            except UserError as error:
                self.problems.append(
                    Problem(self.project.shown(path), None, None, "cannot be read", hint=error.message)
                )
                continue
            bound, problems = bind(model, document)
            self.problems += problems
            if bound is not None:
                self.problems += check_texts(bound)
                yield bound

    def check(self) -> None:
        """Check what spans fields and files, on what could be read."""
        zones, cultures = list(self.files.zones), list(self.files.cultures)
        for folder, zone in self.zones.items():
            self.problems += check_zone(zone, folder, zones, cultures)
        for folder, npcs in self.npcs.items():
            bound = self.zones.get(folder)
            for npc in npcs:
                self.problems += check_npc(npc, bound.value if bound else None, cultures)
        self.problems += check_unique(self.npcs)
        for folder, culture in self.cultures.items():
            self.problems += check_culture(culture, self.project.cultures / folder)
        if self.tells:
            self.problems += check_tells(self.tells)
        complete = 0 < len(self.guards) == len(self.files.guards)
        self.problems += check_guards(
            self.guards, self.project.shown(self.project.prompts / "guards"), complete=complete
        )
        self.problems += check_word_lists(self.word_lists)

    def content(self) -> Content:
        """The content, once no problem is left."""
        assert self.tells is not None  # a missing file is a problem
        return Content(
            zones={zone: self._zone_content(zone) for zone in sorted(self.zones)},
            cultures={culture: self.cultures[culture].value for culture in sorted(self.cultures)},
            guards=tuple(sorted((guard.value for guard in self.guards), key=lambda guard: guard.id)),
            word_lists=tuple(sorted((each.value for each in self.word_lists), key=lambda each: each.id)),
            tells=self.tells.value,
        )

    def _zone_content(self, folder: str) -> ZoneContent:
        zone = self.zones[folder].value
        npcs = tuple(sorted((npc.value for npc in self.npcs[folder]), key=lambda npc: npc.id))
        lines = [
            LineRef(npc, line_id(kind, line), kind, line, self.cultures[npc.culture or zone.default_culture].value)
            for npc in npcs
            for kind, _, line in npc_lines(npc)
        ]
        return ZoneContent(zone, npcs, tuple(lines))

    def sources(self) -> Sources:
        """Where each part of the content stands."""
        assert self.tells is not None
        return Sources(
            zones=self.zones,
            npcs={npc.value.id: npc for npcs in self.npcs.values() for npc in npcs},
            cultures=self.cultures,
            guards={guard.value.id: guard for guard in self.guards},
            word_lists={each.value.id: each for each in self.word_lists},
            tells=self.tells,
        )
