"""From reviewers' answers to measures: majorities per item, what they clear, and how far reviewers agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from pipeline.content.terms import Kind, TellState
from pipeline.spike.answers import AnswerRow, Answers
from pipeline.spike.criteria import PEOPLE_MEASURES, People
from pipeline.spike.measure import PEOPLE, Behind, Measure
from pipeline.spike.outcomes import Case
from pipeline.spike.packet import STATES, Asked, Item, Key
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
    WHAT,
    WHY,
    Answer,
    Sheet,
)
from pipeline.spike.result import Result
from pipeline.spike.statistics import SMALL, Share, share_interval

_Place = tuple[Sheet, str, TellState | None, str]
"""Sheet, line, tell state and question."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far reviewers agree on a question: means over pairs of reviewers, on the items that both answered."""

    sheet: str
    question: str
    pairs: int
    items: int
    same: float | None
    """Share of equal answers; None without a pair."""
    kappa: float | None
    """Cohen's; None where nobody ever answered differently, so that chance explains all."""


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


class _Said:
    """The answers of the reviewers that count, by what was asked."""

    def __init__(self, key: Key, answers: Answers, result: Result) -> None:
        self.key = key
        self.result = result
        self.reviewers = tuple(name for name in key.reviewers if name not in answers.left_out)
        self.by_place: dict[_Place, dict[str, str]] = defaultdict(dict)
        self.favourites: list[AnswerRow] = []
        for row in answers.rows:
            if row.reviewer not in self.reviewers:
                continue
            if row.sheet is Sheet.favourites:
                self.favourites.append(row)
            else:
                self.by_place[row.sheet, row.line, row.tell, row.question][row.reviewer] = row.answer

    def share(self, place: _Place, counts: Callable[[str], bool] = lambda answer: answer == "yes") -> float | None:
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


def score(key: Key, answers: Answers, result: Result) -> Scores:
    """Measures, clearances and agreement. While answers are missing the measures that need them have no value."""
    said = _Said(key, answers, result)
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
        tuple(_agreements(said)),
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


def _count(said: _Said, name: str, question: str, cases: Sequence[tuple[Sheet, Case]]) -> Measure:
    """Variants that at least half of the reviewers object to: a tie counts."""
    marks = {each: said.share((each[0], *each[1], question), _wrong(question)) for each in cases}
    wrong = [(sheet, case) for (sheet, case), share in marks.items() if share is not None and share >= 0.5]
    lines = [said.behind(sheet, case[0], case[1], question) for sheet, case in wrong]
    return _measure(name, len({case for _, case in wrong}), len(marks), lines, sum(m is None for m in marks.values()))


def _majority(said: _Said, name: str, sheet: Sheet, question: str, asked: Sequence[Asked]) -> Measure:
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


def _recognised(said: _Said) -> Measure:
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


def _convinced(said: _Said) -> Measure:
    named = {row.reviewer: row.answer for row in said.favourites if (row.line, row.question) == (CONVINCED, LINE)}
    held = [named[name] != NONE for name in said.reviewers if name in named]
    lines = [_favourite(said, row) for row in said.favourites if row.question == LINE]
    value = round(sum(held) / len(held), 3) if held else None
    count = len(said.reviewers)
    return _measure("people-convinced", value, count, lines, count - len(held), [Share(one, 1) for one in held])


def _favourite(said: _Said, row: AnswerRow) -> Behind:
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


def _cleared(said: _Said, checks: Sequence[Case]) -> Mapping[str, frozenset[Case]]:
    """By question: variants that more than half of the reviewers find right."""
    found: dict[str, frozenset[Case]] = {}
    for question in (KEPT, ADDED, SAYS_WHAT, SOUNDS_LIKE):
        right = (lambda a: a == "yes") if question == KEPT else (lambda a: a in ("no", NONE))
        shares = {case: said.share((Sheet.checks, *case, question), right) for case in checks}
        found[question] = frozenset(case for case, share in shares.items() if share is not None and share > 0.5)
    return found


def _missing(key: Key, said: _Said, answers: Answers) -> dict[str, int]:
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


def _agreements(said: _Said) -> Iterable[Agreement]:
    from sklearn.metrics import cohen_kappa_score

    for sheet, questions in QUESTIONS.items():
        for question in questions:
            if question.answer not in (Answer.yes_no, Answer.register):
                continue
            items = [by for (at, *_, asked), by in said.by_place.items() if (at, asked) == (sheet, question.id)]
            same, kappas, shared = [], [], 0
            for one, other in combinations(said.reviewers, 2):
                both = [(by[one], by[other]) for by in items if one in by and other in by]
                if not both:
                    continue
                shared = max(shared, len(both))
                same.append(sum(a == b for a, b in both) / len(both))
                if len({answer for pair in both for answer in pair}) > 1:
                    kappas.append(float(cohen_kappa_score(*zip(*both, strict=True))))
            yield Agreement(sheet.value, question.id, len(same), shared, _mean(same), _mean(kappas))


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
