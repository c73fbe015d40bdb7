"""What a spike found for one model, kept as `evaluation/results/<content hash>.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.content.terms import Affect, Kind, Severity, TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.spike.evaluation import FOLDER, About

SCHEMA = 1
WHOLE = "whole"
"""The arm in which nothing is left out."""
_SHORTEST_NAME = 4


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


def results_folder(project: Project) -> Path:
    """Where results are kept."""
    return project.root / FOLDER / "results"


def write_result(project: Project, result: Result) -> Path:
    """Keeps a result under its content's hash; one of the same content is replaced, so only times can change."""
    path = results_folder(project) / f"{result.content_hash}.json"
    with replacing(path) as fresh:
        text = json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=1)
        fresh.write_text(text + "\n", encoding="utf-8")
    return path


def read_result(path: Path) -> Result:
    """A result from its file. Raises `UserError` for one that is none, or that was changed since."""
    try:
        result = Result.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.", "Name a result of voicebake spike.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UserError(
            f"{path}: no result of a spike: {where}: {first['msg']}.", "Run voicebake spike anew."
        ) from None
    if content_hash(result.content) != result.content_hash:
        raise UserError(
            f"{path}: the content is not the one that its hash was made of.", "Restore the file, or run the spike anew."
        )
    return result


def all_results(project: Project) -> Iterator[Result]:
    """All kept results, oldest first."""
    found = [read_result(path) for path in sorted(results_folder(project).glob("*.json"))]
    yield from sorted(found, key=lambda one: (one.run.written_at, one.content_hash))


def find_result(project: Project, name: str) -> Result:
    """The result whose hash begins with `name`, or the one in the file of that name. Raises `UserError` for none."""
    folder = results_folder(project)
    known = sorted(path.stem for path in folder.glob("*.json"))
    near = [stem for stem in known if len(name) >= _SHORTEST_NAME and stem.startswith(name)]
    if len(near) == 1:
        return read_result(folder / f"{near[0]}.json")
    path = Path(name)
    if not near and path.suffix == ".json":
        return read_result(path)
    shown = ", ".join(stem[:12] for stem in near or known) or "none"
    raise UserError(
        f"{name!r} names {'more than one result' if near else 'no result'} in {project.shown(folder)}.",
        f"The first {_SHORTEST_NAME} digits or more of a hash name one: {shown}.",
    )
