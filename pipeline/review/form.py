"""A form: decisions filled in for a reviewer, who changes what is to change and hands it in as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pipeline.content.terms import Severity, TellState

Row = Mapping[str, Any]
"""A row of the queue, or a part of one, as `read_queue` gives it."""

HASH_LENGTH = 12
"""How much of a text's hash a form shows: enough to know the text again, short enough to read past."""

BULK_TEXTS = 600
"""The most texts that are approved in one go without a form that names them: a hub zone of 100 lines."""


class Choice(StrEnum):
    """What a form says of a text. A member's name is its value."""

    approve = "approve"
    """The text is right as it stands."""
    use = "use"
    """The text in the form counts: as it stands, or another candidate's, it is approved; any other is an edit."""
    edit = "edit"
    """The text in the form takes its place."""
    reject = "reject"
    """The text is wrong; other candidates are asked for."""
    regenerate = "regenerate"
    """Other candidates are asked for; the text itself is not judged."""
    waive = "waive"
    """A rule's finding does not count here."""
    withdraw = "withdraw"
    """An earlier verdict is taken back."""
    skip = "skip"
    """Nothing; the text goes on waiting."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision, filled in, on one or more variants of a line."""

    choice: Choice
    npc_id: str
    line_id: str
    seen: Mapping[TellState, str]
    """Per tell state the beginning of the hash of the text that the reviewer sees; empty where there is no text."""
    text: str | None = None
    rule: str = ""
    verdict: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()
    """What to know for the decision, shown above it."""


@dataclass(frozen=True, slots=True)
class Bulk:
    """The first texts of the queue that wait and have no finding; holds only for the queue that was looked at."""

    texts: int
    queue: str
    """`queue_digest` of it."""
    with_remarks: bool = False
    """True: texts with findings of severity `info` too."""


@dataclass(frozen=True, slots=True)
class View:
    """Which lines of the queue the cards show."""

    from_line: int = 1
    npc: str = ""
    """Only this NPC's; empty: all."""
    rule: str = ""
    """Only lines with a waiting text on which this rule has a finding; empty: all."""


@dataclass(frozen=True, slots=True)
class Form:
    """Decisions that are handed in together."""

    title: str
    entries: tuple[Entry, ...] = ()
    bulk: Bulk | None = None
    hints: tuple[str, ...] = ()
    view: View = View()
    """What the cards show afterwards."""


def short_hash(variant: Row) -> str:
    """The beginning of the hash of a variant's chosen text; empty for a variant without one."""
    return str(variant["voiced_hash"] or "")[:HASH_LENGTH]


def waiting(row: Row) -> list[Row]:
    """The variants of a row that a person should decide on."""
    return [variant for variant in row["variants"] if variant["pending"]]


def flagged(variant: Row) -> bool:
    """True when a rule asks for a person about the chosen text, or when an earlier decision does not count."""
    severe = any(finding["severity"] != Severity.info for finding in variant["findings"])
    return bool(variant["trouble"]) or (variant["voiced"] is not None and severe)


def unflagged(rows: Sequence[Row], most: int, *, with_remarks: bool = False) -> list[tuple[Row, list[Row]]]:
    """The first `most` texts that wait without a finding, by their lines, in the order of the queue.

    `with_remarks`: those with findings of severity `info` too.
    """
    found: list[tuple[Row, list[Row]]] = []
    left = most
    for row in rows:
        clean = [one for one in waiting(row) if not flagged(one) and (with_remarks or not one["findings"])][:left]
        left -= len(clean)
        if clean:
            found.append((row, clean))
    return found
