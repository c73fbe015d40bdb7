"""What a bake store holds, as plain records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from pipeline.validation.finding import Finding

WHOLE_LINE = ""
"""The `variant` of a batch that holds all variants of a line."""

BatchKey = tuple[str, int, str]
"""Fingerprint, round and variant of a batch."""

DECIDED = frozenset({"approved", "edited"})
"""Sources of texts that a person answers for."""

_FINDINGS = TypeAdapter(tuple[Finding, ...])


# A record's fields are the columns of its table, by the same names and in the same order.


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """One generated batch: candidates of one line in one round."""

    fingerprint: str
    round: int
    variant: str
    """A tell state, where the batch holds the candidates of that variant alone; `WHOLE_LINE`: of all variants."""
    npc_id: str
    line_id: str
    culture_id: str
    base_text: str
    prompt_tokens: int
    output_tokens: int
    seconds: float
    generated_at: str
    """ISO 8601, UTC. Beside the content: it enters no hash."""


@dataclass(frozen=True, slots=True)
class ChoiceRecord:
    """What was chosen for one variant; an empty variant has a row too, without text."""

    npc_id: str
    line_id: str
    tell_state: str
    culture_id: str
    kind: str
    fingerprint: str
    """Of the batch that the chosen candidate came from; for other variants of the one that was asked for last."""
    source: str
    """`generated`, `approved`, `edited`, or `empty` (no candidate passed: the reader falls back)."""
    base_hash: str
    round: int | None = None
    candidate_index: int | None = None
    """With `round`: the candidate chosen; None for texts that a person decided on and for empty variants."""
    masked: str | None = None
    voiced: str | None = None
    """The text with its facts put back; None: empty."""
    voiced_hash: str | None = None
    score: float | None = None
    findings: tuple[Finding, ...] = ()
    """Of the chosen text; for an empty variant those of its best blocked candidate."""
    verdict: str | None = None
    """Id of the verdict that the choice rests on; None where nobody decided."""
    reviewer: str | None = None
    """Who decided."""
    trouble: str | None = None
    """Why an earlier decision on this variant does not count: contradictory verdicts, or a rule of today."""
    waits_for_bake: bool = False
    """True: candidates are missing that the next bake makes; the choice may change then."""

    @property
    def decided(self) -> bool:
        """True when a person approved or wrote the chosen text."""
        return self.source in DECIDED


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """What became of a line when it was last judged."""

    npc_id: str
    line_id: str
    digest: str
    """Of all that decides the result."""
    result: str
    """JSON, as the bake reads it."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One bake of the zone, as its summary was written."""

    number: int
    started_at: str
    finished_at: str
    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoreCost:
    """What all batches of a store took together."""

    batches: int
    prompt_tokens: int
    output_tokens: int
    seconds: float


def encode_findings(findings: tuple[Finding, ...]) -> str:
    """Findings as a JSON array."""
    return _FINDINGS.dump_json(findings).decode()


def decode_findings(text: str) -> tuple[Finding, ...]:
    """What `encode_findings` wrote."""
    return _FINDINGS.validate_json(text)


@cache
def columns(record: type[BatchRecord | ChoiceRecord]) -> tuple[str, ...]:
    """The columns of the record's table."""
    return tuple(field.name for field in fields(record))


def batch_values(record: BatchRecord) -> dict[str, Any]:
    """The record as named SQL parameters."""
    return {name: getattr(record, name) for name in columns(BatchRecord)}


def choice_values(record: ChoiceRecord) -> dict[str, Any]:
    """The record as named SQL parameters."""
    values = {name: getattr(record, name) for name in columns(ChoiceRecord)}
    return {**values, "findings": encode_findings(record.findings), "waits_for_bake": int(record.waits_for_bake)}


def choice_of(row: Sequence[Any]) -> ChoiceRecord:
    """The record of a row of `columns(ChoiceRecord)`."""
    values = dict(zip(columns(ChoiceRecord), row, strict=True))
    values["findings"] = decode_findings(values["findings"])
    values["waits_for_bake"] = bool(values["waits_for_bake"])
    return ChoiceRecord(**values)
