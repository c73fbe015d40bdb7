"""From reviewers' answers to measures: majorities per item, what they clear, and how far reviewers agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pipeline.content.terms import Kind, TellState
from pipeline.spike.agreement import Agreement, agreements
from pipeline.spike.answers import AnswerRow, Answers
from pipeline.spike.keys import Asked, Key
from pipeline.spike.measure import PEOPLE, Behind, Measure
from pipeline.spike.outcomes import Case
from pipeline.spike.packet import STATES
from pipeline.spike.people import PEOPLE_MEASURES, People
from pipeline.spike.questions import (
    ADDED,
    CAREFUL,
    CONVINCED,
    EXPLAINABLE,
    KEPT,
    LINE,
    NONE,
    OF_CULTURE,
    QUESTIONS,
    SAYS_WHAT,
    SOUNDS_LIKE,
    WHY,
    Sheet,
)
from pipeline.spike.result import Result
from pipeline.spike.said import Said
from pipeline.spike.statistics import SMALL, Share, share_interval


@dataclass(slots=True)
class Scores:
    """What people said of one result."""

    people: People
    agreement: tuple[Agreement, ...]
    missing: dict[str, int] = field(default_factory=dict)
    """By reviewer: required answers that are not there. Reviewers who are not waited for are left out."""
    reviewers: tuple[str, ...] = ()
    favourites: tuple[Behind, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "reviewers": list(self.reviewers),
            "missing": self.missing,
            "agreement": [asdict(one) | {"small_sample": one.items < SMALL} for one in self.agreement],
        }


def score(key: Key, answers: Answers, result: Result) -> Scores:
    """Measures, clearances and agreement. While answers are missing the measures that need them have no value."""
    said = Said(key, answers)
    checks = _cases(key, Sheet.checks)
    shown = _cases(key, Sheet.lines)
    kinds = {line.id: line.kind for line in result.content.lines}
    named = {(Sheet.lines, case) for case in shown} | {(Sheet.checks, case) for case in checks}
    voiced = [(Sheet.culture, case) for case in _cases(key, Sheet.culture)]
    measures = [
        _count(said, "people-named", SAYS_WHAT, sorted(named)),
        _count(said, "people-added", ADDED, [(Sheet.checks, case) for case in checks]),
        *(
            _majority(
                said, f"people-kept-{kind.value}", Sheet.checks, KEPT, [a for a in key.lines if kinds[a.line] is kind]
            )
            for kind in Kind
        ),
        *(
            _majority(said, f"people-sensed-{s.value}", Sheet.lines, CAREFUL, [a for a in key.lines if a.tell is s])
            for s in STATES
        ),
        _majority(
            said, "people-explained", Sheet.lines, EXPLAINABLE, [a for a in key.lines if (a.line, a.tell) in shown]
        ),
        _recognised(said),
        _count(said, "people-register", SOUNDS_LIKE, [*voiced, *((Sheet.checks, case) for case in checks)]),
        _convinced(said),
    ]
    return Scores(
        People({one.id: one for one in measures}, _cleared(said, checks)),
        tuple(agreements(said)),
        _missing(key, said, answers),
        said.reviewers,
        tuple(_favourite(said, row) for row in said.favourites if row.question == LINE),
    )


def _cases(key: Key, sheet: Sheet) -> list[Case]:
    """The variants that a sheet shows, in one order."""
    return sorted({(one.line, one.tell) for one in key.items if one.sheet is sheet and one.tell is not None})


def _measure(
    name: str, value: float | None, cases: int, lines: Iterable[Behind], unanswered: int, by_item: Sequence[Share] = ()
) -> Measure:
    what, bar, at_most = PEOPLE_MEASURES[name]
    note = f"{unanswered} of {cases} items lack an answer" if unanswered else "" if cases else "no item asks for it"
    known = None if unanswered or not cases else value
    return Measure(
        name, PEOPLE, what, bar, at_most, known, cases, share_interval(by_item) if known is not None else None,
        tuple(lines), note,
    )  # fmt: skip


def _wrong(question: str) -> Callable[[str], bool]:
    return (lambda answer: answer != NONE) if question == SOUNDS_LIKE else (lambda answer: answer == "yes")


def _count(said: Said, name: str, question: str, cases: Sequence[tuple[Sheet, Case]]) -> Measure:
    """Variants that at least half of the reviewers object to: a tie counts."""
    marks = {each: said.share((each[0], *each[1], question), _wrong(question)) for each in cases}
    wrong = [(sheet, case) for (sheet, case), share in marks.items() if share is not None and share >= 0.5]
    lines = [said.behind(sheet, case[0], case[1], question) for sheet, case in wrong]
    return _measure(name, len({case for _, case in wrong}), len(marks), lines, sum(m is None for m in marks.values()))


def _majority(said: Said, name: str, sheet: Sheet, question: str, asked: Sequence[Asked]) -> Measure:
    """Share of variants of which more than half of the reviewers say yes. One without a text counts as a no."""
    shown = set(_cases(said.key, sheet))
    held: list[bool] = []
    lines = []
    unanswered = 0
    for one in asked:
        share = said.share((sheet, one.line, one.tell, question)) if (one.line, one.tell) in shown else 0.0
        unanswered += share is None
        held.append(share is not None and share > 0.5)
        if share is not None and share <= 0.5:
            lines.append(said.behind(sheet, one.line, one.tell, question))
    value = round(sum(held) / len(held), 3) if held else None
    return _measure(name, value, len(held), lines, unanswered, [Share(one, 1) for one in held])


def _recognised(said: Said) -> Measure:
    """Voiced and control lines of the sheet `culture` that most reviewers place rightly."""
    name = "people-recognised"
    ours: list[tuple[str, TellState | None]] = [(one.line, one.tell) for one in said.key.recognised]
    controls = sorted({(one.line, one.tell) for one in said.key.items if one.sheet is Sheet.culture and one.control})
    shown = set(_cases(said.key, Sheet.culture))
    held: list[bool] = []
    lines = []
    unanswered = 0
    for line, tell in (*ours, *controls):
        ask = tell is None or (line, tell) in shown
        share = said.share((Sheet.culture, line, tell, OF_CULTURE)) if ask else 0.0
        unanswered += share is None
        held.append(share is not None and (share > 0.5 if tell is not None else share < 0.5))
        if share is not None and not held[-1]:
            lines.append(said.behind(Sheet.culture, line, tell, OF_CULTURE))
    value = round(sum(held) / len(held), 3) if ours else None
    return _measure(name, value, len(held) if ours else 0, lines, unanswered, [Share(one, 1) for one in held])


def _convinced(said: Said) -> Measure:
    named = {row.reviewer: row.answer for row in said.favourites if (row.line, row.question) == (CONVINCED, LINE)}
    held = [named[name] != NONE for name in said.reviewers if name in named]
    lines = [_favourite(said, row) for row in said.favourites if row.question == LINE]
    value = round(sum(held) / len(held), 3) if held else None
    count = len(said.reviewers)
    return _measure("people-convinced", value, count, lines, count - len(held), [Share(one, 1) for one in held])


def _favourite(said: Said, row: AnswerRow) -> Behind:
    why = next(
        (
            one.answer
            for one in said.favourites
            if (one.reviewer, one.line, one.question) == (row.reviewer, row.line, WHY)
        ),
        "no reason given",
    )
    item = next((one for one in said.key.items if (one.line, one.tell) == (row.answer, row.tell)), None)
    tell = row.tell.value if row.tell else ""
    return Behind(
        row.answer, tell, item.base if item else "", item.text if item else "", f"{row.reviewer}: {row.line}: {why}"
    )


def _cleared(said: Said, checks: Sequence[Case]) -> Mapping[str, frozenset[Case]]:
    """By question: variants that more than half of the reviewers find right."""
    found: dict[str, frozenset[Case]] = {}
    for question in (KEPT, ADDED, SAYS_WHAT, SOUNDS_LIKE):
        right = (lambda a: a == "yes") if question == KEPT else (lambda a: a in ("no", NONE))
        shares = {case: said.share((Sheet.checks, *case, question), right) for case in checks}
        found[question] = frozenset(case for case, share in shares.items() if share is not None and share > 0.5)
    return found


def _missing(key: Key, said: Said, answers: Answers) -> dict[str, int]:
    answered = {(row.reviewer, row.sheet, row.line, row.question) for row in answers.rows}
    told = {(row.reviewer, row.sheet, row.line, row.tell, row.question) for row in answers.rows}
    found = {}
    for name in said.reviewers:
        wanted = [
            (name, item.sheet, item.line, question.id)
            if item.sheet is Sheet.favourites
            else (name, item.sheet, item.line, item.tell, question.id)
            for item in key.items
            if item.reviewer == name
            for question in QUESTIONS[item.sheet]
            if question.required
        ]
        found[name] = sum(one not in answered and one not in told for one in wanted)
    return found
