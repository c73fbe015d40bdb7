"""A queue as rows for a spreadsheet or a text file, and the decisions that people wrote into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.review.binding import voiced_hash
from pipeline.review.decision import Decision, raise_all
from pipeline.review.verdict import Action

COLUMNS = (
    "zone",
    "npc_id",
    "line_id",
    "kind",
    "tell_state",
    "base",
    "voiced",
    "pending",
    "findings",
    "question",
    "others",
    "verdict",
    "text",
    "rule",
    "reason",
    "base_hash",
    "voiced_hash",
)
"""What a row holds; people fill in `verdict`, `text`, `rule` and `reason`."""

NEEDED = ("npc_id", "line_id", "tell_state", "verdict", "base_hash", "voiced_hash")
"""Columns without which a decision cannot be read back."""

ACTIONS = tuple(action for action in Action if action is not Action.withdraw)
"""What may stand under `verdict`."""

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row of a file that came back."""

    place: str
    """`row 12`, `line 40`: for messages."""
    cells: Row


def sheet_rows(queue: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """One row per variant of the lines of a queue, in the queue's order; `queue` holds rows of `read_queue`."""
    for line in queue:
        for variant in line["variants"]:
            yield {
                "zone": line["zone"],
                "npc_id": line["npc"]["id"],
                "line_id": line["line_id"],
                "kind": line["kind"],
                "tell_state": variant["tell_state"],
                "base": line["base"],
                "voiced": variant["voiced"] or "",
                "pending": "yes" if variant["pending"] else "",
                "findings": " | ".join(_remarks(variant)),
                "question": variant["question"] or "",
                "others": " | ".join(other["voiced"] for other in variant["others"]),
                "verdict": "",
                "text": "",
                "rule": "",
                "reason": "",
                "base_hash": line["base_hash"],
                "voiced_hash": variant["voiced_hash"] or "",
            }


def decisions_of(rows: Iterable[PlacedRow]) -> list[Decision]:
    """The decisions of rows whose `verdict` is filled in; other rows say nothing.

    Raises `UserError`, or `DecisionErrors` with everything that is wrong in any row.
    """
    decisions: list[Decision] = []
    errors: list[UserError] = []
    for row in rows:
        try:
            decisions += _decision(row)
        except UserError as error:
            errors.append(UserError(f"{row.place}: {error.message}", error.hint))
    raise_all(errors)
    return decisions


def _remarks(variant: Mapping[str, Any]) -> Iterator[str]:
    if variant["trouble"]:
        yield variant["trouble"]
    for finding in variant["findings"]:
        yield f"{finding['severity']} {finding['rule']}: {finding['message']}"


def _decision(row: PlacedRow) -> Sequence[Decision]:
    cells = {name: text.strip() for name, text in row.cells.items()}
    verdict, voiced = cells.get("verdict", "").lower(), row.cells.get("voiced", "")
    changed = bool(voiced) and voiced_hash(voiced) != cells["voiced_hash"]
    if not verdict:
        if cells.get("text"):
            raise UserError("there is a text but no verdict.", "Write edit under verdict.")
        if changed:
            raise UserError(
                "the voiced text was changed.", "Leave it; write edit under verdict and the text under text."
            )
        return ()
    action = _one_of(verdict, ACTIONS, "verdict")
    if changed:
        raise UserError("the voiced text was changed.", "Put it back; an edit stands under text.")
    if action is Action.edit and not cells.get("text"):
        raise UserError("an edit needs its text.", "Write the whole line under text.")
    if action is not Action.edit and cells.get("text"):
        raise UserError(f"{action} takes no text.", "Write edit under verdict, or clear text.")
    rules = cells.get("rule", "").replace(",", " ").split()
    decision = Decision(
        action=action,
        npc_id=cells["npc_id"],
        line_id=cells["line_id"],
        tell_state=_one_of(cells["tell_state"], tuple(TellState), "tell_state"),
        text=cells["text"] if action is Action.edit else None,
        seen_hash=cells["voiced_hash"] or None,
        base_hash=cells["base_hash"],
        waive=tuple(rules),
        reason=cells.get("reason", ""),
        origin=row.place,
    )
    return (decision,) if action is not Action.waive else _waivers(decision)


def _waivers(decision: Decision) -> Sequence[Decision]:
    if not decision.waive:
        raise UserError("a waiver needs its rule.", "Write the rule's id under rule.")
    return [replace(decision, rule=rule, waive=()) for rule in decision.waive]


def _one_of(text: str, members: Sequence[Any], column: str) -> Any:
    for member in members:
        if text.lower() == member.value.lower():
            return member
    raise UserError(f"{text!r} is no {column}.", f"Write one of {', '.join(one.value for one in members)}.")
