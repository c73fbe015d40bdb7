"""A verdict: one decision of one person, and how it is written as a line of JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from pipeline.content.terms import Kind, TellState
from pipeline.review.binding import Place, Root, base_hash, voiced_hash

_ID_LENGTH = 20


class Action(StrEnum):
    """What a person can decide. A member's name is its value."""

    approve = "approve"
    """The text is right."""
    edit = "edit"
    """Another text, which the person wrote, takes its place."""
    reject = "reject"
    """The text is wrong, wherever it occurs; other candidates are asked for."""
    waive = "waive"
    """A rule's finding does not count for this text of this line."""
    regenerate = "regenerate"
    """Other candidates are asked for; the text itself is not judged."""
    withdraw = "withdraw"
    """An earlier verdict is taken back."""


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of a verdict log. `docs/review.md` explains every field."""

    action: Action
    npc_id: str
    line_id: str
    kind: Kind
    culture: str
    tell_state: TellState
    base: str
    voiced: str | None
    """The text that is spoken of; of an edit the new one. None: of an empty variant."""
    base_hash: str
    voiced_hash: str | None
    reviewer: str
    time: str
    """ISO 8601, UTC."""
    reason: str = ""
    old_voiced: str | None = None
    """Edit: the text in whose place the new one stands."""
    rule: str | None = None
    """Waive: the rule."""
    withdraws: str | None = None
    """Withdraw: the id of the entry that is taken back."""
    supersedes: tuple[str, ...] = ()
    """Approve, edit: ids of earlier approvals and edits of this line and state that the person knew of."""
    findings: tuple[str, ...] = ()
    """Approve, edit: rules with a `review` finding on the text, which the person accepted."""
    fingerprint: str | None = None
    """Approve, edit: of the candidates that the person could choose from."""
    id: str = ""
    """First 20 hexadecimal digits of the sha256 over all other fields."""

    @property
    def place(self) -> Place:
        """The variant that it was made on, with its base text of then."""
        return Place(self.npc_id, self.line_id, Root(self.kind, self.culture, self.tell_state, self.base_hash))

    def identified(self) -> Verdict:
        """The verdict with its id filled in."""
        text = json.dumps(_filled(self), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return replace(self, id=hashlib.sha256(text.encode()).hexdigest()[:_ID_LENGTH])


def age(verdict: Verdict) -> tuple[str, str]:
    """Sorts verdicts, the oldest first; those of one moment by id."""
    return verdict.time, verdict.id


class VerdictError(ValueError):
    """A line of a log that is no verdict."""


_VERDICT = TypeAdapter(Verdict)
_ORDER = ("id", *(field.name for field in fields(Verdict) if field.name != "id"))
_ALWAYS = frozenset({"voiced", "voiced_hash", "reason"})


def verdict_row(verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON values, its id first. What does not apply to its action is left out."""
    values = {"id": verdict.id, **_filled(verdict)}
    return {key: values[key] for key in _ORDER if key in values}


def to_json(verdict: Verdict) -> str:
    """`verdict_row` as one line of JSON without its line end."""
    return json.dumps(verdict_row(verdict), ensure_ascii=False)


def from_json(text: str | bytes) -> Verdict:
    """The verdict of a line. An absent id is filled in, so that a line may be written by hand.

    Raises `VerdictError` for a line that is not JSON, lacks a field, or was changed after it was written.
    """
    try:
        verdict = _VERDICT.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise VerdictError(f"{where}: {first['msg']}" if where else str(first["msg"])) from None
    whole = verdict.identified()
    if verdict.id not in ("", whole.id):
        raise VerdictError("the entry was changed after it was written: its id does not fit it")
    if problem := _problem(whole):
        raise VerdictError(problem)
    return whole


def _problem(verdict: Verdict) -> str | None:
    """What makes a well-formed verdict meaningless."""
    if verdict.base_hash != base_hash(verdict.base):
        return "base_hash is not the hash of base"
    if verdict.voiced_hash != (None if verdict.voiced is None else voiced_hash(verdict.voiced)):
        return "voiced_hash is not the hash of voiced"
    wanted = {Action.waive: "rule", Action.withdraw: "withdraws"}.get(verdict.action)
    if wanted and not getattr(verdict, wanted):
        return f"{verdict.action} needs {wanted}"
    if verdict.voiced is None and verdict.action not in (Action.regenerate, Action.withdraw):
        return f"{verdict.action} needs voiced"
    return None


def _filled(verdict: Verdict) -> Mapping[str, Any]:
    """Every field but the id that says something, as JSON values."""
    found: dict[str, Any] = {}
    for field in fields(verdict):
        value = getattr(verdict, field.name)
        if field.name == "id" or (value in (None, ()) and field.name not in _ALWAYS):
            continue
        found[field.name] = list(value) if isinstance(value, tuple) else value
    return found
