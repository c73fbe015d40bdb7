"""Writes a packet's sheets: per reviewer a folder with CSV files to fill in and a page that explains them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from pipeline.content.models import Culture
from pipeline.errors import UserError
from pipeline.replacing import replacing
from pipeline.spike.keys import Item, Key
from pipeline.spike.questions import QUESTIONS, Sheet

ITEM = "item"
READ_ME = "READ_ME.md"
_SHOWN: dict[Sheet, tuple[str, ...]] = {
    Sheet.lines: ("kind", "text"),
    Sheet.culture: ("group", "text"),
    Sheet.favourites: ("question",),
    Sheet.checks: ("base_text", "text"),
}
"""What stands beside the item, before the questions."""
_FILES = {sheet: f"{number}-{sheet.value}.csv" for number, sheet in enumerate(Sheet, 1)}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_sheets(folder: Path, key: Key, culture: Culture, kinds: dict[str, str]) -> list[Path]:
    """Writes the sheets of all reviewers below `folder`, with `kinds` by line id; gives the reviewers' folders.

    Raises `UserError` where they stand already: they may hold answers.
    """
    for reviewer in key.reviewers:
        if (folder / reviewer).exists():
            raise UserError(
                f"{folder / reviewer}: the sheets were written before and may hold answers.",
                "Score them, or move the folder away first.",
            )
    folders = []
    for reviewer in key.reviewers:
        place = folder / reviewer
        for sheet in Sheet:
            with replacing(place / _FILES[sheet]) as fresh:
                # A byte order mark: without it spreadsheets take UTF-8 for something else.
                fresh.write_text(_table(key.of(reviewer, sheet), sheet, kinds), encoding="utf-8-sig", newline="")
        with replacing(place / READ_ME) as fresh:
            fresh.write_text(_read_me(key, culture), encoding="utf-8")
        folders.append(place)
    return folders


def _table(items: list[Item], sheet: Sheet, kinds: dict[str, str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([ITEM, *_SHOWN[sheet], *(question.id for question in QUESTIONS[sheet])])
    for item in items:
        values = {
            "kind": kinds.get(item.line, ""),
            "group": str(item.group),
            "question": item.line,
            "text": item.text,
            "base_text": item.base,
        }
        writer.writerow(
            [item.code, *(_harmless(values[name]) for name in _SHOWN[sheet]), *("" for _ in QUESTIONS[sheet])]
        )
    return out.getvalue()


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _read_me(key: Key, culture: Culture) -> str:
    """What a reviewer has to know, and nothing of the state, the model or the expected answer."""
    injector = culture.injector
    parts = [
        f"# Packet {key.packet}\n",
        "You see lines of a game: what people do (lower case, third person) or say. Fill in the four files in the",
        "order of their numbers, and open none before the earlier one is done: it shows things that would change your",
        "answers. Write into the empty columns only; leave the column `item` as it is. Answer every row.\n",
        "Words in braces, such as {price}, are filled in by the game.\n",
    ]
    for sheet in Sheet:
        parts.append(f"## {_FILES[sheet]}\n")
        parts += [f"- `{one.id}`: {one.text} ({one.answer.value})" for one in QUESTIONS[sheet]]
        parts.append("")
        if sheet is Sheet.culture:
            parts += [
                f"The culture is {culture.name}: {injector.register_} {injector.context}",
                "Some lines of each group are of this culture, some are not; how many differs.\n",
            ]
    return "\n".join(parts)
