"""The project as a Dagster resource: opened once per run, its model given back at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import PrivateAttr

if TYPE_CHECKING:
    from pipeline.bake import LineResult, Rebuilt, Workspace, ZonePlan, ZoneStatus
    from pipeline.review.form import View


class VoicebakeProject(dg.ConfigurableResource):
    """A voicebake project and the model to bake it with."""

    root: str
    """The project folder."""
    model: str = ""
    """A GGUF file; empty: as `voicebake.toml` says."""
    allow_other_model: bool = False
    """Allow a model that is neither Gemma nor Phi; the manifest records it."""

    _workspace: Workspace | None = PrivateAttr(default=None)
    _plans: dict[str, ZonePlan] = PrivateAttr(default_factory=dict)
    _results: dict[str, list[LineResult]] = PrivateAttr(default_factory=dict)
    _reviewed: dict[str, tuple[Rebuilt, View]] = PrivateAttr(default_factory=dict)

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Iterator[VoicebakeProject]:
        """The resource for the length of a run (the executor is in-process, so a run is one process)."""
        try:
            yield self
        finally:
            if self._workspace is not None:
                self._workspace.close()

    @property
    def workspace(self) -> Workspace:
        """The opened project. Raises `UserError` for content that does not load."""
        if self._workspace is None:
            from pathlib import Path

            from pipeline.bake import Workspace
            from pipeline.project import Project
            from pipeline.settings import load_settings

            project = Project.find(Path(self.root))
            settings = load_settings(project, path=self.model or None, allow_other_model=self.allow_other_model or None)
            self._workspace = Workspace.open(project, settings)
        return self._workspace

    def plan(self, zone_id: str) -> ZonePlan:
        """A zone's plan, made once per run."""
        if zone_id not in self._plans:
            from pipeline.bake import plan_zone

            self._plans[zone_id] = plan_zone(self.workspace, zone_id)
        return self._plans[zone_id]

    def judged(self, zone_id: str) -> list[LineResult]:
        """A zone's stored candidates, judged and chosen from, once per run.

        Raises `UserError` when candidates are missing.
        """
        if zone_id not in self._results:
            from pipeline.bake import judge_stored_zone

            self._results[zone_id] = judge_stored_zone(self.workspace, self.plan(zone_id))
        return self._results[zone_id]

    def remember(self, zone_id: str, outcome: Rebuilt, view: View) -> None:
        """Keeps what the decisions of this run made of a zone, and which lines its reviewer wants to see."""
        self._reviewed[zone_id] = outcome, view

    def queued(self, zone_id: str) -> tuple[ZoneStatus | None, View]:
        """Writes a zone's queue unless the decisions of this run did, and gives the zone's status.

        None: another process bakes the zone, and the queue is as it was.
        """
        from pipeline.bake import queue_published
        from pipeline.review.form import View

        if zone_id in self._reviewed:
            outcome, view = self._reviewed[zone_id]
            return outcome.status, view
        return queue_published(self.workspace, self.plan(zone_id), self.judged(zone_id))[1], View()
