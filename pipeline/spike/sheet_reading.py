"""Reads what reviewers wrote into their sheets. Spreadsheets are untrusted: all of them are read, or none.

Every row that cannot be read is listed with file and line; nothing is kept while there is one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.spike.answers import AnswerRow
from pipeline.spike.keys import Item, Key
from pipeline.spike.questions import LINE, NONE, QUESTIONS, Question, Sheet, Unreadable, read_answer
from pipeline.spike.sheets import ITEM

_LARGEST = 5_000_000
_SHOWN = 40
_QUESTION_IDS = frozenset(question.id for questions in QUESTIONS.values() for question in questions)


@dataclass(slots=True)
class _Reading:
    """The rows of all files so far, and what is wrong with them."""

    key: Mapping[str, Item]
    found: dict[str, dict[str, str]] = field(default_factory=dict)
    """By item code and question id."""
    places: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def row(self, place: str, cells: Mapping[str, str]) -> None:
        code = cells[ITEM].strip().upper()
        item = self.key.get(code)
        if item is None:
            self.wrong.append(f"{place}: {_short(cells[ITEM])} is no item of this packet.")
            return
        if code in self.places:
            self.wrong.append(f"{place}: {code} was answered before, at {self.places[code]}.")
            return
        self.places[code] = place
        self.found[code] = {}
        for question in QUESTIONS[item.sheet]:
            self._answer(place, item, question, cells.get(question.id, ""))

    def _answer(self, place: str, item: Item, question: Question, written: str) -> None:
        try:
            answer = read_answer(question, written)
        except Unreadable as error:
            self.wrong.append(f"{place}: {question.id}: {error}, found {_short(written)}.")
            return
        if answer is None:
            return
        if question.id == LINE and answer != NONE:
            named = self.key.get(answer)
            if named is None or named.sheet is not Sheet.lines or named.reviewer != item.reviewer:
                self.wrong.append(f"{place}: {question.id}: {answer} is no item of this reviewer's sheet lines.")
                return
        self.found[item.code][question.id] = answer


def read_sheets(paths: Sequence[Path], key: Key) -> tuple[AnswerRow, ...]:
    """The answers in CSV files, and in all CSV files below folders.

    Raises one `UserError` with every row and file that cannot be read; then nothing is imported.
    """
    items = {item.code: item for item in key.items}
    reading = _Reading(items)
    for path in _files(paths):
        _read_file(path, reading)
    if reading.wrong:
        more = len(reading.wrong) - _SHOWN
        shown = [*reading.wrong[:_SHOWN], *([f"... and {more} more."] if more > 0 else [])]
        raise UserError("\n".join(shown), "Nothing was imported. Mend these rows, then score all sheets again.")
    rows = []
    for code, answered in reading.found.items():
        item = items[code]
        for question, answer in answered.items():
            said = items[answer].line if question == LINE and answer != NONE else answer
            tell = items[answer].tell if question == LINE and answer != NONE else item.tell
            rows.append(_row(item, question, said, tell))
    return tuple(rows)


def _row(item: Item, question: str, answer: str, tell: TellState | None) -> AnswerRow:
    return AnswerRow(
        reviewer=item.reviewer,
        sheet=item.sheet,
        line=item.line,
        tell=tell,
        control=item.control,
        question=question,
        answer=answer,
    )


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    seen: set[Path] = set()
    for path in paths:
        found = sorted(path.rglob("*.csv")) if path.is_dir() else [path]
        if not found:
            raise UserError(f"{path}: there is no CSV file in this folder.", "Name the folder with the filled sheets.")
        for each in found:
            if each.resolve() not in seen:
                seen.add(each.resolve())
                yield each


def _read_file(path: Path, reading: _Reading) -> None:
    try:
        if path.stat().st_size > _LARGEST:
            reading.wrong.append(f"{path}: larger than {_LARGEST // 1_000_000} MB; no sheet is.")
            return
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.", "Name the filled sheets.") from None
    except UnicodeDecodeError as error:
        reading.wrong.append(f"{path}: not UTF-8 at byte {error.start}; save it as CSV UTF-8.")
        return
    read_table(text, str(path), reading)


def read_table(text: str, name: str, reading: _Reading) -> None:
    """Reads one sheet: comma, semicolon or tab, whatever its header is parted by."""
    head = text.lstrip("\r\n").partition("\n")[0]
    marks = [mark for mark in ",;\t" if ITEM in [_name(cell) for cell in head.split(mark)]]
    if not marks:
        reading.wrong.append(f"{name}:1: the header has no column `{ITEM}`.")
        return
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=marks[0], strict=True)
    header: list[str] = []
    try:
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            place = f"{name}:{rows.line_num}"
            if not header:
                header = [_name(cell) for cell in cells]
                if not _header_is_right(place, header, reading):
                    return
            elif len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
                reading.wrong.append(f"{place}: more cells than the header has.")
            else:
                reading.row(place, dict(zip(header, [*cells, *[""] * len(header)], strict=False)))
    except csv.Error as error:
        reading.wrong.append(f"{name}:{rows.line_num}: no CSV: {error}.")


def _header_is_right(place: str, header: list[str], reading: _Reading) -> bool:
    named = [cell for cell in header if cell in _QUESTION_IDS or cell == ITEM]
    if len(named) != len(set(named)):
        reading.wrong.append(f"{place}: a column stands twice in the header.")
    elif len(named) < 2:
        reading.wrong.append(f"{place}: the header names no question.")
    else:
        return True
    return False


def _name(cell: str) -> str:
    return cell.strip().strip('"').strip().lower()


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
