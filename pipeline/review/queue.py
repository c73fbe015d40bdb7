"""The review queue of a zone: `review_queue/<zone>.queue.jsonl`, generated, one JSON object per line that is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content.models import Npc
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.errors import UserError
from pipeline.project import Project, checked_id
from pipeline.replacing import replacing
from pipeline.review.binding import base_hash, voiced_hash
from pipeline.review.verdict import Verdict
from pipeline.review.word_diff import word_diff
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
    source: str = "generated"
    """`generated`, `approved`, `edited` or `empty`."""
    trouble: str | None = None
    """Why an earlier decision does not count."""
    waits_for_bake: bool = False
    """True: other candidates were asked for; the next bake makes them."""
    offer: bool = False
    """True: the text stands, and there are new candidates of which one is at least as good."""
    last_approved: tuple[Verdict, ...] = ()
    """Approvals and edits of other texts of this variant, newest first."""
    verdicts: tuple[Verdict, ...] = ()
    """Live verdicts on the chosen text."""

    @property
    def decided(self) -> bool:
        """True when a person approved or wrote the chosen text."""
        return self.source in ("approved", "edited")


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
    def pending(self) -> int:
        """How many variants a person should decide on."""
        return sum(variant.pending for variant in self.variants)

    @property
    def shown(self) -> bool:
        """True when the line belongs into the queue: something waits, for a person or a bake, or is on offer."""
        return any(one.pending or one.waits_for_bake or one.offer for one in self.variants)


def queue_path(project: Project, zone_id: str) -> Path:
    """Where a zone's queue stands. Raises `UserError` for an id that is no plain name."""
    return project.review_queue / f"{checked_id(zone_id)}.queue.jsonl"


def write_queue(project: Project, zone_id: str, lines: Iterable[QueueLine]) -> int:
    """Writes the lines that are shown and gives the number of those that wait for a person.

    Order: what waits for a person, by tier (PlotCritical first), the most severe finding on a pending variant, NPC id,
    place in the zone; then lines that wait for a bake or hold an offer, likewise. The earlier queue is replaced as a
    whole. The same lines give the same bytes, in whatever order they come. Raises `UserError` when the file cannot be
    written.
    """
    shown = sorted((line for line in lines if line.shown), key=_order)
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    with (
        replacing(queue_path(project, zone_id)) as fresh,
        fresh.open("w", encoding="utf-8", newline="\n") as file,
    ):
        file.writelines(f"{encode(queue_row(zone_id, line))}\n" for line in shown)
    return sum(line.pending > 0 for line in shown)


def read_queue(project: Project, zone_id: str) -> list[dict[str, Any]]:
    """The rows of a zone's queue, as `queue_row` makes them, in order. Raises `UserError` when there is no queue."""
    path = queue_path(project, zone_id)
    try:
        return [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]
    except FileNotFoundError:
        raise UserError(f"zone {zone_id}: there is no review queue yet.", f"Run: voicebake bake {zone_id}") from None
    except (OSError, ValueError) as error:
        raise UserError(
            f"{project.shown(path)}: the review queue cannot be read: {error}.",
            f"Remove the file and run: voicebake bake {zone_id}. Nothing is generated anew.",
        ) from error


def deniability_question(npc_name: str, state: TellState) -> str | None:
    """What a reviewer asks of a tell variant; None for Neutral, which hides nothing."""
    if state is TellState.Neutral:
        return None
    return (
        f"Deniability: could someone who does not know that {npc_name} is in the state {state} explain this phrasing "
        "without it?"
    )


def _order(line: QueueLine) -> tuple[bool, int, int, str, int, str]:
    rank = _severity_rank(line.variants)
    return line.pending == 0, line.npc.tier.rank, rank, line.npc.id, line.position, line.line_id


def _severity_rank(variants: Sequence[QueueVariant]) -> int:
    waiting = [variant for variant in variants if variant.pending]
    if any(variant.trouble for variant in waiting):
        return _SEVERITY_RANK[Severity.block]
    ranks = [_SEVERITY_RANK[finding.severity] for variant in waiting for finding in variant.findings]
    return min(ranks, default=_UNFLAGGED)


def queue_row(zone_id: str, line: QueueLine) -> dict[str, Any]:
    """A line as the queue file holds it. `docs/review.md` explains every key."""
    return {
        "zone": zone_id,
        "npc": {"id": line.npc.id, "name": line.npc.name, "role": line.npc.role, "tier": line.npc.tier},
        "line_id": line.line_id,
        "kind": line.kind,
        "culture": line.culture_id,
        "base": line.base,
        "base_hash": base_hash(line.base),
        "pending": line.pending,
        "variants": [_variant_row(line, variant) for variant in line.variants],
    }


def _variant_row(line: QueueLine, variant: QueueVariant) -> dict[str, Any]:
    return {
        "tell_state": variant.tell_state,
        "voiced": variant.voiced,
        "voiced_hash": None if variant.voiced is None else voiced_hash(variant.voiced),
        "pending": variant.pending,
        "source": variant.source,
        "trouble": variant.trouble,
        "waits_for_bake": variant.waits_for_bake,
        "offer": variant.offer,
        "score": variant.score,
        "question": deniability_question(line.npc.name, variant.tell_state),
        "diff": [] if variant.voiced is None else word_diff(line.base, variant.voiced),
        "findings": [_finding_row(finding) for finding in variant.findings],
        "last_approved": [
            {
                "voiced": one.voiced,
                "base": one.base,
                "action": one.action,
                "reviewer": one.reviewer,
                "time": one.time,
            }
            for one in variant.last_approved
        ],
        "verdicts": [
            {"id": one.id, "action": one.action, "reviewer": one.reviewer, "time": one.time, "reason": one.reason}
            for one in variant.verdicts
        ],
        "others": [
            {
                "round": other.round,
                "index": other.index,
                "voiced": other.voiced,
                "voiced_hash": voiced_hash(other.voiced),
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
