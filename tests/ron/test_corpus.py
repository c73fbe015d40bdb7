"""The conformance corpus: values exactly, and errors at an accepted place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.ron import RonError, parse, project

CORPUS = Path(__file__).parent.parent / "corpora" / "ron_corpus.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").split("\n") if line]
VALID = [row for row in ROWS if row["valid"]]
INVALID = [row for row in ROWS if not row["valid"]]


def test_corpus_is_whole() -> None:
    assert (len(VALID), len(INVALID)) == (147, 106)


@pytest.mark.parametrize("row", VALID, ids=lambda row: str(row["id"]))
def test_value(row: dict[str, Any]) -> None:
    document = parse(row["ron"])
    # As JSON text, so that 1, 1.0 and true differ.
    assert json.dumps(project(document.value)) == json.dumps(row["value"])
    assert list(document.extensions) == row.get("extensions", [])


@pytest.mark.parametrize("row", INVALID, ids=lambda row: str(row["id"]))
def test_error_place(row: dict[str, Any]) -> None:
    with pytest.raises(RonError) as caught:
        parse(row["ron"], "file.ron")
    error = caught.value
    assert [error.line, error.col] in [[row["line"], row["col"]], *row.get("also", [])]
    assert error.message.startswith(f"file.ron:{error.line}:{error.col}: {error.problem}\n")
