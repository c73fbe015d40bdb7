"""Review rows as CSV, for people who work in a spreadsheet."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from pipeline.errors import UserError
from pipeline.review.sheet import COLUMNS, NEEDED, PlacedRow, Row

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would run."""
_DELIMITERS = (",", ";", "\t")


def to_csv(rows: Iterable[Row]) -> bytes:
    """CSV in UTF-8 with a mark at its start, without which spreadsheets read dashes and quotes wrongly.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front; reading takes it off again.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _shielded(text) for name, text in row.items()} for row in rows)
    return codecs.BOM_UTF8 + out.getvalue().encode()


def from_csv(raw: bytes) -> Iterator[PlacedRow]:
    """The rows of a CSV file with commas, semicolons or tabs, in UTF-8 or UTF-16.

    Raises `UserError` for another encoding, for a file that is no CSV and for missing columns.
    """
    text = _decoded(raw)
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        lacking = [name for name in NEEDED if name not in (reader.fieldnames or ())]
        if lacking:
            raise UserError(
                f"The file lacks the columns {', '.join(lacking)}.", "Keep all columns of the export, in any order."
            )
        for number, cells in enumerate(reader, 2):
            if any(cells.get(name) for name in COLUMNS):
                yield PlacedRow(f"row {number}", _cells(cells))
    except csv.Error as error:
        raise UserError(f"line {reader.line_num}: this is no CSV: {error}.", "Save the sheet as CSV (UTF-8).") from None


def _decoded(raw: bytes) -> str:
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"The file is not UTF-8: {error.reason}.", "Save the sheet as CSV (UTF-8).") from None


def _cells(cells: Mapping[str | None, object]) -> dict[str, str]:
    """The cells of known columns; what stands beyond the last column has no name and is left alone."""
    return {name: _bare(str(cells.get(name) or "")) for name in COLUMNS}


def _shielded(text: str) -> str:
    return f"'{text}" if text.startswith((*_FORMULA, "'")) else text


def _bare(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith((*_FORMULA, "'")) else text
