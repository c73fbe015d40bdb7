"""What is kept beside an adapter: what it was trained on, how, and how well it does on lines it never saw."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.content.models import Culture
from pipeline.content.voice_bank import load_bank
from pipeline.errors import UserError
from pipeline.project import Project, checked_id

RECORD_FILE = "voice.json"


class TrainingSettings(BaseModel):
    """How an adapter is trained. Every value may change it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int = 16
    alpha: int = 32
    epochs: int = 2
    learning_rate: float = 4e-4
    warmup: float = 0.05
    """Share of the steps in which the rate rises; then it falls to zero in a straight line."""
    lines_per_step: int = 4
    reverse_states: int = 1
    """Tell states per line and epoch that are also learned the other way round, from voiced to base."""
    seed: int = 1


class TrainingRecord(BaseModel):
    """`cultures/<culture>/voice.json`. Losses are mean nats per token of the answer, on held-out lines."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    culture: str
    bank_sha256: str
    base_model_sha256: str
    adapter_sha256: str
    settings: TrainingSettings
    lines: int
    """Lines trained on."""
    held_out_lines: int
    left_out: int
    """Forms that could not be used: their facts differ from the base text, or a token is not in the vocabulary."""
    loss_before: dict[str, float]
    """By kind and tell state (`dialogue Nervous`), `reverse`, and `all`: the model without the adapter."""
    loss_after: dict[str, float]

    def write(self, project: Project) -> Path:
        """Writes the record beside the adapter."""
        path = record_path(project, self.culture)
        path.write_text(
            json.dumps(self.model_dump(), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        return path


class AdapterState(StrEnum):
    """How an adapter stands to its bank."""

    none = "none"
    """The culture names no adapter."""
    current = "current"
    older = "older"
    """The bank has changed since the adapter was trained."""
    unknown = "unknown"
    """There is no record, or no bank."""


def record_path(project: Project, culture_id: str) -> Path:
    """Where a culture's training record stands."""
    return project.cultures / checked_id(culture_id) / RECORD_FILE


def read_record(project: Project, culture_id: str) -> TrainingRecord | None:
    """A culture's training record; None when there is none. Raises `UserError` for a damaged one."""
    path = record_path(project, culture_id)
    if not path.is_file():
        return None
    try:
        return TrainingRecord.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as error:
        raise UserError(
            f"{project.shown(path)}: this is no training record: {error}", "Restore it, or train the adapter again."
        ) from error


def adapter_state(project: Project, culture: Culture) -> AdapterState:
    """Whether a culture's adapter was trained on the bank as it is now.

    Raises `ContentErrors` for a broken bank, `UserError` for a damaged record.
    """
    if culture.adapter is None:
        return AdapterState.none
    record, loaded = read_record(project, culture.id), load_bank(project, culture.id)
    if record is None or loaded is None:
        return AdapterState.unknown
    return AdapterState.current if record.bank_sha256 == loaded.digest else AdapterState.older
