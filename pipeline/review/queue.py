"""The review queue of a zone: `review_queue/<zone>.queue.jsonl`, generated, one JSON object per line that waits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content.models import Npc
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.project import Project, checked_id
from pipeline.replacing import replacing
from pipeline.review.binding import base_hash, voiced_hash
from pipeline.validation.finding import Finding

_SEVERITY_RANK = {Severity.block: 0, Severity.review: 1, Severity.info: 2}
_UNFLAGGED = len(_SEVERITY_RANK)


@dataclass(frozen=True, slots=True)
class QueueCandidate:
    """A candidate that was not chosen, for a person who wants another one."""

    round: int
    index: int
    voiced: str
    score: float
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class QueueVariant:
    """One tell state of a line, as a reviewer sees it."""

    tell_state: TellState
    voiced: str | None
    """The chosen text; None: empty, the reader falls back."""
    pending: bool
    """True: a person should decide."""
    score: float | None = None
    findings: tuple[Finding, ...] = ()
    others: tuple[QueueCandidate, ...] = ()


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One line with all its variants."""

    npc: Npc
    line_id: str
    kind: Kind
    culture_id: str
    base: str
    position: int
    """Place among the zone's lines: the order in which they were authored."""
    variants: tuple[QueueVariant, ...]
    """In the order of `TellState`."""

    @property
    def pending(self) -> bool:
        """True when a person should decide on any variant."""
        return any(variant.pending for variant in self.variants)


def queue_path(project: Project, zone_id: str) -> Path:
    """Where a zone's queue stands. Raises `UserError` for an id that is no plain name."""
    return project.review_queue / f"{checked_id(zone_id)}.queue.jsonl"


def write_queue(project: Project, zone_id: str, lines: Iterable[QueueLine]) -> int:
    """Writes the lines that wait and gives their number. The earlier queue is replaced as a whole.

    Order: tier (PlotCritical first), the most severe finding on a pending variant, NPC id, place in the zone. The same
    lines give the same bytes, in whatever order they come. Raises `UserError` when the file cannot be written.
    """
    waiting = sorted((line for line in lines if line.pending), key=_order)
    with (
        replacing(queue_path(project, zone_id)) as fresh,
        fresh.open("w", encoding="utf-8", newline="\n") as file,
    ):
        for line in waiting:
            file.write(json.dumps(_row(zone_id, line), ensure_ascii=False, separators=(",", ":")) + "\n")
    return len(waiting)


def deniability_question(npc_name: str, state: TellState) -> str | None:
    """What a reviewer asks of a tell variant; None for Neutral, which hides nothing."""
    if state is TellState.Neutral:
        return None
    return (
        f"Deniability: could someone who does not know that {npc_name} is in the state {state} explain this phrasing "
        "without it?"
    )


def _order(line: QueueLine) -> tuple[int, int, str, int, str]:
    return line.npc.tier.rank, _severity_rank(line.variants), line.npc.id, line.position, line.line_id


def _severity_rank(variants: Sequence[QueueVariant]) -> int:
    ranks = [
        _SEVERITY_RANK[finding.severity] for variant in variants if variant.pending for finding in variant.findings
    ]
    return min(ranks, default=_UNFLAGGED)


def _row(zone_id: str, line: QueueLine) -> dict[str, Any]:
    return {
        "zone": zone_id,
        "npc": {"id": line.npc.id, "name": line.npc.name, "role": line.npc.role, "tier": line.npc.tier},
        "line_id": line.line_id,
        "kind": line.kind,
        "culture": line.culture_id,
        "base": line.base,
        "base_hash": base_hash(line.base),
        "variants": [_variant_row(line.npc.name, variant) for variant in line.variants],
    }


def _variant_row(npc_name: str, variant: QueueVariant) -> dict[str, Any]:
    return {
        "tell_state": variant.tell_state,
        "voiced": variant.voiced,
        "voiced_hash": None if variant.voiced is None else voiced_hash(variant.voiced),
        "pending": variant.pending,
        "score": variant.score,
        "question": deniability_question(npc_name, variant.tell_state),
        "findings": [_finding_row(finding) for finding in variant.findings],
        "others": [
            {
                "round": other.round,
                "index": other.index,
                "voiced": other.voiced,
                "score": other.score,
                "findings": [_finding_row(finding) for finding in other.findings],
            }
            for other in variant.others
        ],
    }


def _finding_row(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "span": finding.span,
        "message": finding.message,
        "suggestion": finding.suggestion,
    }
