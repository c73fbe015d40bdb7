"""The answers about a packet, looked up by what was asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from pipeline.content.terms import TellState
from pipeline.spike.answers import AnswerRow, Answers
from pipeline.spike.keys import Item, Key
from pipeline.spike.measure import Behind
from pipeline.spike.questions import WHAT, Sheet

Place = tuple[Sheet, str, TellState | None, str]
"""Sheet, line, tell state and question."""


class Said:
    """The answers of the reviewers that count, by what was asked."""

    def __init__(self, key: Key, answers: Answers) -> None:
        self.key = key
        self.reviewers = tuple(name for name in key.reviewers if name not in answers.left_out)
        self.by_place: dict[Place, dict[str, str]] = defaultdict(dict)
        self.favourites: list[AnswerRow] = []
        for row in answers.rows:
            if row.reviewer not in self.reviewers:
                continue
            if row.sheet is Sheet.favourites:
                self.favourites.append(row)
            else:
                self.by_place[row.sheet, row.line, row.tell, row.question][row.reviewer] = row.answer

    def share(self, place: Place, counts: Callable[[str], bool] = lambda answer: answer == "yes") -> float | None:
        """Of the reviewers, how many gave such an answer; None while one of them has given none."""
        said = self.by_place.get(place, {})
        if not self.reviewers or len(said) < len(self.reviewers):
            return None
        return sum(map(counts, said.values())) / len(said)

    def behind(self, sheet: Sheet, line: str, tell: TellState | None, question: str) -> Behind:
        """A row as a line behind a measure, with what each reviewer said of it."""
        item = next(
            (one for one in self.key.items if (one.sheet, one.line, one.tell) == (sheet, line, tell)),
            Item(code="", reviewer="", sheet=sheet, line=line),
        )
        said = self.by_place.get((sheet, line, tell, question), {})
        told = self.by_place.get((Sheet.lines, line, tell, WHAT), {})
        why = "; ".join(
            f"{name}: {answer}" + (f" ({told[name]})" if name in told else "") for name, answer in said.items()
        )
        return Behind(line, tell.value if tell else "", item.base, item.text, why or "no text was chosen")
