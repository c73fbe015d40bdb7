"""Review rows as a Markdown document, for people who work in a text editor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from pipeline.errors import UserError
from pipeline.escaping import markdown_escaped
from pipeline.review.sheet import ACTIONS, PlacedRow, Row

_FIELDS = ("verdict", "text", "rule", "reason")
_KEYS = ("zone", "npc_id", "line_id", "tell_state", "base_hash", "voiced_hash")
_MARK = re.compile(r"<!-- variant (\{.*\}) -->\s*\Z")
_FIELD = re.compile(rf"({'|'.join(_FIELDS)}):(.*)\Z", re.IGNORECASE)


def to_markdown(rows: Iterable[Row]) -> str:
    """A section per line and a part per variant, with empty fields to fill in."""
    parts = [
        "# Review\n\n"
        f"Write one of {', '.join(ACTIONS)} after `verdict:`, and what it needs after the other words: the new text "
        "of an edit, the rule of a waiver, a reason. Leave a verdict empty to decide later.\n"
    ]
    line: tuple[str, str] | None = None
    for row in rows:
        if line != (row["npc_id"], row["line_id"]):
            line = (row["npc_id"], row["line_id"])
            title = f"{markdown_escaped(row['npc_id'])} {markdown_escaped(row['line_id'])} ({row['kind']})"
            parts.append(f"\n## {title}\n\n{_block(row['base'])}")
        parts.append(_variant(row))
    return "".join(parts)


def from_markdown(text: str) -> Iterator[PlacedRow]:
    """The rows of a document that `to_markdown` wrote. Raises `UserError` where it holds none, or a broken mark."""
    number, cells = 0, None
    for at, line in enumerate(text.splitlines(), 1):
        if line.startswith("<!-- variant"):
            if cells is not None:
                yield PlacedRow(f"line {number}", cells)
            number, cells = at, _marked(line, at)
        elif cells is not None and (field := _FIELD.match(line)):
            cells[field[1].lower()] = field[2].strip()
    if cells is None:
        raise UserError("The file holds no variant.", "Give a file that `voicebake review ZONE --export md` wrote.")
    yield PlacedRow(f"line {number}", cells)


def _variant(row: Row) -> str:
    told = [row["findings"], row["question"], f"Others: {row['others']}" if row["others"] else ""]
    remarks = "".join(f"- {markdown_escaped(one)}\n" for one in told if one)
    # Two hyphens would end the comment.
    mark = json.dumps({key: row[key] for key in _KEYS}, ensure_ascii=True).replace("-", "\\u002d")
    fields = "".join(f"{field}:\n" for field in _FIELDS)
    title = f"### {row['tell_state']}{'' if row['pending'] else ' (does not wait)'}"
    return f"\n{title}\n\n{_block(row['voiced'] or '(empty)')}\n{remarks}\n<!-- variant {mark} -->\n{fields}"


def _block(text: str) -> str:
    """`text` as a code block, in which nothing is markup."""
    return f"    {' '.join(text.split())}\n"


def _marked(line: str, number: int) -> dict[str, str]:
    found = _MARK.match(line)
    try:
        mark = json.loads(found[1]) if found else None
    except ValueError:
        mark = None
    if not isinstance(mark, dict) or not all(isinstance(mark.get(key), str) for key in _KEYS):
        raise UserError(
            f"line {number}: the mark of this variant was changed.", "Leave the lines `<!-- variant ...` alone."
        )
    return {key: mark[key] for key in _KEYS} | dict.fromkeys(_FIELDS, "")
