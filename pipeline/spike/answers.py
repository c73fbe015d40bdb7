"""What reviewers answered about a packet, as `evaluation/answers/<packet>.json`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.spike.evaluation import FOLDER
from pipeline.spike.keys import Key
from pipeline.spike.questions import Sheet
from pipeline.spike.result import Row


class AnswerRow(Row):
    """One answer of one reviewer, with what the row was."""

    reviewer: str
    sheet: Sheet
    line: str
    tell: TellState | None
    control: bool
    question: str
    answer: str


class Answers(Row):
    """`evaluation/answers/<packet>.json`: all that was answered about a packet."""

    packet: str
    content_hash: str
    left_out: tuple[str, ...] = ()
    """Reviewers who are not waited for; somebody said so."""
    rows: tuple[AnswerRow, ...] = ()


def answers_path(project: Project, packet: str) -> Path:
    """Where the answers about a packet stand."""
    return project.root / FOLDER / "answers" / f"{packet}.json"


def merged(earlier: Answers | None, key: Key, rows: Sequence[AnswerRow], left_out: Sequence[str]) -> Answers:
    """Earlier answers with new ones: a reviewer who is in the new ones is replaced as a whole."""
    anew = {row.reviewer for row in rows}
    kept = [row for row in earlier.rows if row.reviewer not in anew] if earlier else []
    ordered = sorted(
        (*kept, *rows),
        key=lambda row: (row.reviewer, list(Sheet).index(row.sheet), row.line, row.tell or "", row.question),
    )
    out = sorted({*(earlier.left_out if earlier else ()), *left_out} - anew)
    return Answers(packet=key.packet, content_hash=key.content_hash, left_out=tuple(out), rows=tuple(ordered))


def write_answers(project: Project, answers: Answers) -> Path:
    """Keeps the answers."""
    path = answers_path(project, answers.packet)
    with replacing(path) as fresh:
        fresh.write_text(answers.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path


def read_answers(project: Project, packet: str) -> Answers | None:
    """What was answered about a packet; None: nothing yet. Raises `UserError` for a damaged file."""
    path = answers_path(project, packet)
    if not path.is_file():
        return None
    try:
        return Answers.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise UserError(
            f"{project.shown(path)}: no answers: {error.errors()[0]['msg']}.", "Restore the file, or score anew."
        ) from None
