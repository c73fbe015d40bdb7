"""Blind packets: what reviewers see of a result, and the key that says what it was.

Which variants are shown depends on the evaluation set alone, so that packets of two models show the same ones. Order
and codes come from hashes of the result's content and the reviewer's number, never from a random source.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence

from pipeline.content.terms import Kind, TellState
from pipeline.errors import UserError
from pipeline.spike.evaluation import ControlLine
from pipeline.spike.keys import Asked, Item, Key
from pipeline.spike.people import SENSED
from pipeline.spike.questions import CONVINCED, FELL_FLAT, Sheet
from pipeline.spike.result import Content, LineRow, Result
from pipeline.spike.rule_measures import suspects

STATES = (*SENSED, TellState.Neutral)
"""The states of the sheet `lines`; Neutral shows how often care is sensed where there is none."""
SHEET_OF = 10
"""Lines in a group of the sheet `culture`."""
_GROUPS = 2


def make_key(result: Result, controls: Sequence[ControlLine], *, reviewers: int, per_state: int) -> Key:
    """The packet of a result for so many reviewers, with `per_state` variants of each state.

    Raises `UserError` where too few lines are voiced to make a packet.
    """
    content = result.content
    lines = _selected(content, per_state)
    used = {one.line for one in lines}
    spoken = _ordered([one for one in content.lines if one.kind is Kind.dialogue], content.evaluation_digest)
    spoken.sort(key=lambda line: line.id in used)  # lines that the first sheet does not show come first
    recognised, groups = _groups(content, spoken, controls)
    if not any(_text(content, one) for one in lines):
        raise UserError(
            f"The result {result.short} has no voiced line to show.", "A model that voices nothing needs no reviewers."
        )
    shown = "\n".join(f"{one.id} {one.text}" for one in controls)
    packet = _digest(result.content_hash, str(reviewers), str(per_state), shown)[:12]
    names = tuple(f"reviewer-{number}" for number in range(1, reviewers + 1))
    items: list[Item] = []
    for reviewer in names:
        items += _items(packet, reviewer, content, lines, groups)
    return Key(
        packet=packet,
        content_hash=result.content_hash,
        culture=content.culture,
        reviewers=names,
        lines=tuple(lines),
        recognised=tuple(recognised),
        items=tuple(_coded(items, packet)),
    )


def _selected(content: Content, per_state: int) -> list[Asked]:
    """Half behaviors, half dialogue for each state; no base line is shown in two states."""
    chosen = []
    for kind, count in ((Kind.behavior, (per_state + 1) // 2), (Kind.dialogue, per_state // 2)):
        lines = _ordered([line for line in content.lines if line.kind is kind], content.evaluation_digest)
        each = min(count, max(1, len(lines) // len(STATES)))
        for number, line in enumerate(lines[: each * len(STATES)]):
            chosen.append(Asked(line=line.id, tell=STATES[number % len(STATES)]))
    return chosen


def _groups(
    content: Content, spoken: Sequence[LineRow], controls: Sequence[ControlLine]
) -> tuple[list[Asked], list[list[Asked | ControlLine]]]:
    """Groups of ten: some lines of the culture among controls, how many differs from group to group."""
    ours = [Asked(line=line.id, tell=TellState.Neutral) for line in spoken]
    others = sorted(controls, key=lambda one: _digest(content.evaluation_digest, one.id))
    asked: list[Asked] = []
    groups: list[list[Asked | ControlLine]] = []
    for number in range(_GROUPS):
        count = 4 + int(_digest(content.evaluation_digest, "group", str(number)), 16) % 3
        mine, ours = ours[:count], ours[count:]
        theirs, others = others[: SHEET_OF - count], others[SHEET_OF - count :]
        asked += mine
        if mine:
            groups.append([*(one for one in mine if _text(content, one)), *theirs])
    return asked, groups


def _items(
    packet: str,
    reviewer: str,
    content: Content,
    lines: Sequence[Asked],
    groups: Sequence[Sequence[Asked | ControlLine]],
) -> list[Item]:
    """A reviewer's rows, each sheet shuffled by hash."""
    shown = [_row(content, reviewer, Sheet.lines, one) for one in lines if _text(content, one)]
    doubtful = [Asked(line=line, tell=tell) for line, tell in suspects(content)]
    checks = [one for one in dict.fromkeys((*lines, *doubtful)) if _text(content, one)]
    items = _shuffled(shown, packet)
    for number, group in enumerate(groups, 1):
        rows = [
            Item(code="", reviewer=reviewer, sheet=Sheet.culture, line=one.id, control=True, text=one.text)
            if isinstance(one, ControlLine)
            else _row(content, reviewer, Sheet.culture, one)
            for one in group
        ]
        items += [one.model_copy(update={"group": number}) for one in _shuffled(rows, f"{packet} {number}")]
    items += [
        Item(code="", reviewer=reviewer, sheet=Sheet.favourites, line=question) for question in (CONVINCED, FELL_FLAT)
    ]
    return items + _shuffled([_row(content, reviewer, Sheet.checks, one) for one in checks], packet)


def _row(content: Content, reviewer: str, sheet: Sheet, asked: Asked) -> Item:
    line = next(one for one in content.lines if one.id == asked.line)
    text = line.variant(asked.tell).text or ""
    return Item(code="", reviewer=reviewer, sheet=sheet, line=line.id, tell=asked.tell, base=line.base, text=text)


def _text(content: Content, asked: Asked) -> str | None:
    return next(one for one in content.lines if one.id == asked.line).variant(asked.tell).text


def _shuffled(items: Sequence[Item], seed: str) -> list[Item]:
    return sorted(items, key=lambda one: _digest(seed, one.reviewer, one.sheet, one.line, one.tell or ""))


def _ordered(lines: Iterable[LineRow], seed: str) -> list[LineRow]:
    return sorted(lines, key=lambda line: _digest(seed, line.id))


def _coded(items: Iterable[Item], packet: str) -> list[Item]:
    """Gives every row a code of its own; it begins with a letter and a hyphen: no spreadsheet takes it for a number."""
    taken: set[str] = set()
    coded = []
    for item in items:
        attempt = 0
        while True:
            mark = _digest(packet, item.reviewer, item.sheet, item.line, item.tell or "", str(attempt))
            code = f"{item.sheet[0].upper()}-{base64.b32encode(bytes.fromhex(mark)).decode()[:6]}"
            if code not in taken:
                break
            attempt += 1
        taken.add(code)
        coded.append(item.model_copy(update={"code": code}))
    return coded


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
