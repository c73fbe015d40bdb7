"""What a spike found for one model, kept as `evaluation/results/<content hash>.json`."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict

from pipeline.content.terms import Affect, Kind, Severity, TellState
from pipeline.spike.evaluation import About

SCHEMA = 1
WHOLE = "whole"
"""The arm in which nothing is left out."""


class Row(BaseModel):
    """A part of a result: unknown keys are errors, values never change."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FindingRow(Row):
    """What a rule says of a chosen text."""

    rule: str
    severity: Severity
    message: str
    points: bool
    """True: it points at words of the voiced text; False: at the whole, or at what is missing."""


class VariantRow(Row):
    """One tell state of a line."""

    tell: TellState
    text: str | None
    """The chosen text; None: nothing passed, and the game falls back."""
    findings: tuple[FindingRow, ...]
    """On the chosen text."""
    candidates: int
    """How many were judged, over all rounds."""
    blocked: int
    """How many of them a rule blocked."""
    hits: dict[str, int]
    """By rule (guards: by `guard-vocabulary/NI-n`): how many candidates it found something in. Sorted."""


class LineRow(Row):
    """One line of the evaluation set, in all tell states."""

    id: str
    kind: Kind
    about: About
    affect: Affect
    base: str
    """With the culture's authority word in place."""
    authority: str | None
    exclamation: bool
    """True: the line calls for an exclamation."""
    fingerprint: str
    """Of the line's batch."""
    variants: tuple[VariantRow, ...]

    def variant(self, tell: TellState) -> VariantRow:
        """The variant of a tell state."""
        return next(one for one in self.variants if one.tell is tell)


class ArmRow(Row):
    """The lines as one way of prompting voiced them."""

    arm: str
    """`whole`, or what was left out: `injector`, `guards`, `tells`, `adapter`."""
    lines: tuple[LineRow, ...]


class AblationRow(Row):
    """What became of one ablation."""

    arm: str
    applies: bool
    why: str
    """Why it does not apply, or why it was not run; empty where it was."""


class Settings(Row):
    """What a bake's settings were, as far as they decide texts."""

    candidates: int
    rounds: int
    temperature: float
    top_k: int
    top_p: float
    greedy_first: bool
    width: int
    vocabulary: str


class ModelRow(Row):
    """Which model it was."""

    name: str
    sha256: str
    engine: str
    profile: str
    """How the lines were prompted: `adapter`, `base` or `instruct`."""
    adapter_sha256: str | None
    override: bool


class Inputs(Row):
    """Digests of what a person may change between two spikes."""

    prompts: str
    """All rendered prompts of the whole arm."""
    rules: str
    """Word lists, what cultures allow, and the rules themselves."""
    choosing: str
    """The code that scores and chooses."""
    bank: str | None
    """The culture's voice bank."""


class Content(Row):
    """All that a result's hash covers."""

    schema_version: int
    evaluation: str
    evaluation_digest: str
    set_lines: int
    """Lines of the whole set; a spike of fewer decides nothing."""
    culture: str
    exclamations: tuple[str, ...]
    """The culture's own."""
    model: ModelRow
    settings: Settings
    inputs: Inputs
    arms: tuple[ArmRow, ...]
    """`whole` first."""
    ablations: tuple[AblationRow, ...]

    @property
    def lines(self) -> tuple[LineRow, ...]:
        """The lines of the whole arm."""
        return self.arms[0].lines

    def arm(self, name: str) -> ArmRow | None:
        """The arm of that name, if it was run."""
        return next((one for one in self.arms if one.arm == name), None)


class Run(Row):
    """What stands beside the content: it enters no hash."""

    written_at: str
    seconds: float
    """What generating took, over all parts of the run."""
    lines_generated: int
    threads: int | None


class Result(Row):
    """A result as its file holds it."""

    content_hash: str
    content: Content
    run: Run
    criteria: tuple[dict[str, Any], ...] = ()
    """What rules measured (`Criterion.as_json`), worked out from the content; human answers stand elsewhere."""

    @property
    def short(self) -> str:
        """The first twelve digits of the hash: enough to name it."""
        return self.content_hash[:12]

    @property
    def label(self) -> str:
        """The model and how it is prompted, for people."""
        return f"{self.content.model.name} ({self.content.model.profile})"


def content_hash(content: Content) -> str:
    """sha256 over the canonical JSON of `content`."""
    text = json.dumps(content.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
