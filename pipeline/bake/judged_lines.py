"""What became of each line of a zone at its last bake, kept so that an edit costs the lines that it changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache

from pydantic import TypeAdapter

from pipeline.bake.plan import ZonePlan, choosing_digest
from pipeline.bake.voice import LineResult
from pipeline.bake.workspace import Workspace
from pipeline.content.models import Culture
from pipeline.content.terms import TellState
from pipeline.prompting import LineJob
from pipeline.selection import Standing, VariantChoice
from pipeline.store import BakeStore, JudgedLine
from pipeline.validation.digest import rules_digest

Choices = Mapping[TellState, VariantChoice]


class JudgedLines:
    """The judged lines of a zone's store. A line is found again as long as nothing that decides its choices changed."""

    def __init__(self, workspace: Workspace, plan: ZonePlan, names: frozenset[str], store: BakeStore) -> None:
        """`names` are those that the zone's lines may use."""
        self._content = workspace.content
        self._store = store
        self._lines = {(ref.npc.id, ref.line_id) for ref in plan.zone.lines}
        self._common = (choosing_digest(), workspace.settings.sampling.rounds, sorted(names))
        self._standings = plan.standings
        self._rules: dict[str, str] = {}
        self._kept = {(one.npc_id, one.line_id): one for one in store.judged_lines()}
        self._fresh: list[JudgedLine] = []

    def find(self, job: LineJob) -> LineResult | None:
        """What was kept of a line; None when it is to be judged anew."""
        kept = self._kept.get((job.line.npc.id, job.line.line_id))
        if kept is None or kept.digest != self._digest(job):
            return None
        return LineResult(job, _choices().validate_json(kept.result), standings=self._standings_of(job))

    def keep(self, result: LineResult) -> None:
        """Remembers a line that was judged anew, until `save`. One that is not complete is left out."""
        if result.complete:
            ref = result.job.line
            text = _choices().dump_json(result.choices).decode()
            self._fresh.append(JudgedLine(ref.npc.id, ref.line_id, self._digest(result.job), text))

    def save(self) -> None:
        """Writes what was judged anew and forgets lines that the zone no longer has."""
        gone = [line for line in self._kept if line not in self._lines]
        if self._fresh or gone:
            self._store.keep_judged_lines(self._fresh, gone)
            self._fresh = []

    def _digest(self, job: LineJob) -> str:
        """sha256 over all that decides what becomes of a line.

        Its candidates are a function of its fingerprints. All else that a rule, the score or the choice can see of a
        line stands here; of a person only that, because traits and moods are edited often. Who decided stands here
        too, since it is part of the result.
        """
        ref = job.line
        parts = [
            *self._common,
            self._rules_of(ref.culture),
            job.fingerprints,
            [ref.line_id, ref.kind, ref.line.base_text, ref.line.affect],
            [ref.npc.id, ref.npc.name, ref.npc.cultural_markers.filler_words],
            _culture_json(ref.culture),
            dict(job.masked.slots),
            {state.value: asdict(standing) for state, standing in self._standings_of(job).items()},
        ]
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=sorted)  # the sets of a standing
        return hashlib.sha256(text.encode()).hexdigest()

    def _standings_of(self, job: LineJob) -> Mapping[TellState, Standing]:
        return self._standings.get((job.line.npc.id, job.line.line_id), {})

    def _rules_of(self, culture: Culture) -> str:
        if culture.id not in self._rules:
            self._rules[culture.id] = rules_digest(self._content, {culture.id})
        return self._rules[culture.id]


@cache
def _choices() -> TypeAdapter[Choices]:
    return TypeAdapter(Choices)


@cache
def _culture_json(culture: Culture) -> str:
    return culture.model_dump_json()
