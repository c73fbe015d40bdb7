"""Rows of JSON, one base text a row, as `voicebake try --file` reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.bake.trial import TrialLine
from pipeline.content.terms import Affect, Kind
from pipeline.errors import UserError

_SHAPE = 'Write one object a line: {"base": "...", "kind": "dialogue"}'


class _Row(BaseModel):
    """Other keys are left alone, so that exports of other programs can be read as they are."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    base: str = Field(strict=True)
    kind: Kind = Kind.dialogue
    npc: str | None = None
    affect: Affect | None = None
    culture: str | None = None


def trial_rows(rows: Iterable[bytes], name: str, given: Mapping[str, str]) -> Iterator[tuple[int, TrialLine]]:
    """The lines of a file called `name`, with their numbers from 1; blank ones are skipped.

    `given` holds what rows need not say themselves. Raises `UserError` that names file and line.
    """
    for number, raw in enumerate(rows, 1):
        if not raw.strip():
            continue
        try:
            row = json.loads(raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
        except (UnicodeDecodeError, ValueError, RecursionError) as error:
            raise UserError(f"{name}:{number}: this is not JSON: {error}.", _SHAPE) from None
        if not isinstance(row, dict):
            found = raw[:40].decode("utf-8", "replace")
            raise UserError(f"{name}:{number}: expected a JSON object, found {found}.", _SHAPE)
        try:
            yield number, trial_line({**given, **{key: value for key, value in row.items() if value is not None}})
        except UserError as error:
            raise UserError(f"{name}:{number}: {error.message}", error.hint or _SHAPE) from None


def trial_line(words: Mapping[str, Any]) -> TrialLine:
    """The line that a row's words describe. Raises `UserError` for words that do not fit."""
    try:
        row = _Row.model_validate(dict(words))
    except ValidationError as error:
        said = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        raise UserError("; ".join(said) + ".") from None
    if any("\ud800" <= char <= "\udfff" for char in row.base):
        raise UserError("base: it holds half a character (an escape such as \\ud800 alone).", "Write it out.")
    return TrialLine(row.base, row.kind, row.npc, row.affect, row.culture)
