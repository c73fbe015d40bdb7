"""A project opened for baking: its content, settings, engine and rules, each made when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pipeline.content import Sources, load_content_with_sources
from pipeline.content.models import Content, Culture
from pipeline.errors import UserError
from pipeline.generation import Engine, EngineIdentity, EngineSettings, SamplerSettings, describe_engine, open_engine
from pipeline.generation.file_hashes import FileHashes
from pipeline.generation.models import adapter_suits
from pipeline.project import Project
from pipeline.prompting import Profile, load_profile
from pipeline.review import Ledger, load_ledger
from pipeline.settings import Settings, load_settings
from pipeline.validation.digest import rules_digest

if TYPE_CHECKING:
    from pipeline.validation.ruleset import RuleSet


_BUILT: dict[str, RuleSet] = {}
"""The last rule set that was built, by its digest: building one takes longer than a small bake."""


class UnknownZone(UserError):
    """A zone that the project does not have."""


def engine_settings(settings: Settings) -> EngineSettings:
    """Project settings in the engine's terms."""
    model, sampling = settings.model, settings.sampling
    return EngineSettings(
        model=model.path,
        allow_other_model=model.allow_other_model,
        threads=model.threads,
        width=sampling.width,
        vocabulary=sampling.vocabulary,
        sampler=SamplerSettings(
            candidates=sampling.candidates,
            temperature=sampling.temperature,
            top_k=sampling.top_k,
            top_p=sampling.top_p,
            greedy_first=sampling.greedy_first,
        ),
    )


@dataclass
class Workspace:
    """What all stages of a bake share. Close it, or use it as a context, to give the model back."""

    project: Project
    settings: Settings
    content: Content
    wait: bool = True
    """False: an error instead of a wait when another process holds the zone or the model."""
    notify: Callable[[str], None] = lambda _text: None
    """Told once what is waited for."""
    sources: Sources | None = None
    """Where each part of the content stands in its file; None where it comes from no file."""
    alter: Callable[[Profile], Profile] = lambda profile: profile
    """Changes a profile before it is used: for measuring what a block is worth. A bake changes nothing."""
    _engine: Engine | None = field(default=None, init=False, repr=False)

    @classmethod
    def open(cls, project: Project, settings: Settings | None = None) -> Self:
        """Loads settings and content. Raises `ContentErrors` with everything that is wrong in the content."""
        content, sources = load_content_with_sources(project)
        return cls(project, settings or load_settings(project), content, sources=sources)

    def place(self, npc_id: str, line_id: str | None) -> str:
        """`file:line:col` of a line, or of an NPC; the folder of all zones for one that stands in no file."""
        if self.sources is None or npc_id not in self.sources.npcs:
            return self.project.shown(self.project.zones)
        try:
            return self.sources.npcs[npc_id].where() if line_id is None else self.sources.line(npc_id, line_id)
        except KeyError:
            return self.sources.npcs[npc_id].where()

    @property
    def engine_settings(self) -> EngineSettings:
        """The settings in the engine's terms."""
        return engine_settings(self.settings)

    @cached_property
    def identity(self) -> EngineIdentity:
        """What the engine is. Loads no model."""
        return describe_engine(self.project, self.engine_settings)

    @property
    def engine(self) -> Engine:
        """The engine. It loads its model with the first line that it generates."""
        if self._engine is None:
            self._engine = open_engine(self.project, self.engine_settings, wait=self.wait, notify=self.notify)
        return self._engine

    @cached_property
    def profile(self) -> Profile:
        """How the model is prompted. Raises `UserError` for a broken template."""
        return self.alter(load_profile(self.project.prompts / "profiles", self.identity.profile))

    @cached_property
    def adapter_hashes(self) -> dict[str, str | None]:
        """sha256 of each culture's adapter by culture id; None where a culture has none.

        Raises `UserError` for one that cannot be read.
        """
        hashes = FileHashes(self.project.build / "models" / "hashes.json")
        return {
            culture.id: hashes.sha256(path) if (path := self.adapter_path(culture)) else None
            for culture in self.content.cultures.values()
        }

    def adapter_path(self, culture: Culture) -> Path | None:
        """The LoRA GGUF that a culture names, where it suits the model in use."""
        return self._adapters.get(culture.id)

    @cached_property
    def adapted_profiles(self) -> dict[str, Profile]:
        """The profile of each culture that has an adapter for the base model in use, by culture id."""
        if self.identity.profile != "base" or not self._adapters:
            return {}
        profile = self.alter(load_profile(self.project.prompts / "profiles", "adapter"))
        return dict.fromkeys(self._adapters, profile)

    @cached_property
    def _adapters(self) -> dict[str, Path]:
        """The adapters that suit the model in use, by culture id. One for another model is told of and left out."""
        found = {}
        for culture in self.content.cultures.values():
            if culture.adapter is None:
                continue
            path = self.project.cultures / culture.id / culture.adapter
            if adapter_suits(path, self.identity.model_sha256):
                found[culture.id] = path
            else:
                self.notify(f"{self.project.shown(path)} was trained for another model; {culture.name} does without.")
        return found

    @cached_property
    def rules(self) -> RuleSet:
        """The rules over this content. Built once per process while nothing that decides findings changes."""
        from pipeline.validation.ruleset import build_rules

        if self.rules_digest not in _BUILT:
            _BUILT.clear()
            _BUILT[self.rules_digest] = build_rules(self.content, self.project.build)
        return _BUILT[self.rules_digest]

    @cached_property
    def rules_digest(self) -> str:
        """Hash of all that decides findings. Builds no matcher."""
        return rules_digest(self.content)

    def ledger(self) -> Ledger:
        """All verdicts of the project as they are on disk now: other people decide meanwhile."""
        return load_ledger(self.project)

    def check_zone(self, zone_id: str) -> str:
        """`zone_id`, or `UnknownZone` with the nearest name."""
        if zone_id in self.content.zones:
            return zone_id
        from difflib import get_close_matches

        near = get_close_matches(zone_id, self.content.zones, n=1)
        known = ", ".join(self.content.zones)
        raise UnknownZone(
            f"There is no zone {zone_id!r}.", f"Did you mean {near[0]}?" if near else f"The zones are: {known}."
        )

    def close(self) -> None:
        """Gives the model back."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
