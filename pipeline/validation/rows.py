"""Rows of JSON, one text a row, as `voicebake validate` reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from pipeline.content.terms import Affect, Kind, Severity, TellState
from pipeline.errors import UserError
from pipeline.validation.finding import Finding
from pipeline.validation.ruleset import RuleSet
from pipeline.validation.texts import Speakers

UNREADABLE = "row"
"""The rule id of findings on rows that cannot be read: such a row is blocked, never passed over."""

_LONGEST = 10_000
"""Characters that a text may have. A line is a sentence or a few; the rules compare every word with every other."""

_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One row with its findings, gravest first."""

    number: int
    """Line of the file, from 1."""
    voiced: str
    """Empty where the row cannot be read."""
    findings: tuple[Finding, ...]

    @property
    def blocked(self) -> bool:
        return any(finding.severity is Severity.block for finding in self.findings)

    @property
    def unreadable(self) -> Finding | None:
        """Why the row cannot be read; None for a row that was validated."""
        return next((finding for finding in self.findings if finding.rule == UNREADABLE), None)


def judge_rows(rows: Iterable[bytes], rules: RuleSet, speakers: Speakers) -> Iterator[JudgedRow]:
    """Validates each row; blank ones are skipped. A row that cannot be read gives one `block` finding and stops
    nothing.

    A row is a JSON object with `base` and `voiced`, and, where they are known, `kind` (else dialogue), `tell` (else
    Neutral), `culture` (else the NPC's, else the hub's), `npc` (an id) and `affect`. Other keys are left alone.
    """
    for number, raw in enumerate(rows, 1):
        if not raw.strip():
            continue
        try:
            fields = _fields(raw)
            subject = speakers.subject(**fields)
        except UserError as error:
            message = f"Row {number}: {error.message}"
            yield JudgedRow(number, "", (Finding(UNREADABLE, Severity.block, message, None, error.hint),))
            continue
        yield JudgedRow(number, subject.voiced, rules.validate(subject))


def _fields(raw: bytes) -> dict[str, Any]:
    """The row's keys as `Speakers.subject` wants them."""
    row = _object(raw)
    return {
        "base": _text(row, "base", needed=True),
        "voiced": _text(row, "voiced", needed=True),
        "kind": _word(row, "kind", Kind) or Kind.dialogue,
        "tell": _word(row, "tell", TellState) or TellState.Neutral,
        "culture": _text(row, "culture"),
        "npc": _text(row, "npc"),
        "affect": _word(row, "affect", Affect),
    }


def _object(raw: bytes) -> dict[str, Any]:
    try:
        row = json.loads(raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UserError(f"byte {error.start + 1} is not UTF-8.", "Save the file as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise UserError(f"column {error.colno}: this is not JSON: {error.msg}.", _SHAPE) from None
    except (RecursionError, ValueError) as error:
        raise UserError(f"this cannot be read as JSON: {error}.", _SHAPE) from None
    if not isinstance(row, dict):
        raise UserError(f"expected a JSON object, found {_JSON_NAMES.get(type(row), 'a number')}.", _SHAPE)
    return row


_SHAPE = 'Write one object a line: {"base": "...", "voiced": "...", "kind": "dialogue", "tell": "Neutral"}'
_JSON_NAMES: dict[type, str] = {list: "an array", str: "a string", bool: "true or false", type(None): "null"}


def _text(row: dict[str, Any], key: str, *, needed: bool = False) -> str | None:
    value = row.get(key)
    if value is None and not needed:
        return None
    if key not in row:
        from difflib import get_close_matches

        near = get_close_matches(key, row, n=1)
        raise UserError(f"`{key}` is missing.", f"Is `{near[0]}` meant to be `{key}`?" if near else _SHAPE)
    if not isinstance(value, str):
        raise UserError(f"`{key}` must be a text.", _SHAPE)
    if len(value) > _LONGEST:
        raise UserError(
            f"`{key}` has {len(value):,} characters, more than {_LONGEST:,}.", "A line is a sentence or a few."
        )
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise UserError(f"`{key}` holds half a character (an escape such as \\ud800 alone).", "Write it out.")
    return value


def _word(row: dict[str, Any], key: str, words: type[_Word]) -> _Word | None:
    """One of a closed set of words, in any letter case; `routine_deviation` is read as RoutineDeviation."""
    text = _text(row, key)
    if text is None:
        return None
    plain = _plain(text)
    for word in words:
        if _plain(word.value) == plain:
            return word
    expected = ", ".join(word.value for word in words)
    raise UserError(f"`{key}` is {text!r}.", f"It is one of {expected}; leave it out where it is unknown.")


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
