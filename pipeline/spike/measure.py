"""What a spike says of a model: criteria, each with the measures that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.spike.outcomes import Case
from pipeline.spike.result import Content
from pipeline.spike.statistics import SMALL

RULES, PEOPLE = "rules", "people"


@dataclass(frozen=True, slots=True)
class Behind:
    """One line that a measure rests on."""

    line: str
    """Line id; a control line's or a reviewer's where there is no other."""
    tell: str
    base: str
    text: str
    """What the game would show or, where nothing was chosen, nothing."""
    why: str


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure, who found it, and the bar that it is held against."""

    id: str
    by: str
    """`rules` or `people`."""
    what: str
    bar: float | None
    """None: it is told and decides nothing."""
    at_most: bool
    """True: the value must not be higher than the bar; False: not lower."""
    value: float | None
    """None: not measured, or people have not answered."""
    cases: int
    """What the value is a count or a share of."""
    interval: tuple[float, float] | None = None
    lines: tuple[Behind, ...] = ()
    note: str = ""
    over: int | None = None
    """How many lines the cases belong to, where several are of one line; None: each stands alone."""

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where nothing is known or nothing is asked."""
        if self.bar is None or self.value is None:
            return None
        return self.value <= self.bar if self.at_most else self.value >= self.bar

    @property
    def pending(self) -> bool:
        """Whether it has to be known and is not."""
        return self.bar is not None and self.value is None

    @property
    def small(self) -> bool:
        """Whether it rests on a small sample."""
        return (self.cases if self.over is None else self.over) < SMALL

    def as_json(self) -> dict[str, Any]:
        """For files and scripts."""
        return {
            "id": self.id,
            "by": self.by,
            "what": self.what,
            "bar": None if self.bar is None else {"at_most" if self.at_most else "at_least": self.bar},
            "value": self.value,
            "cases": self.cases,
            "small_sample": self.small,
            "interval": None if self.interval is None else list(self.interval),
            "met": self.met,
            "note": self.note,
            "lines": [
                {"line": one.line, "tell": one.tell, "base": one.base, "text": one.text, "why": one.why}
                for one in self.lines
            ],
        }


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that a model has to do."""

    id: str
    title: str
    group: str
    """`hard`, a soft group, or `told` for what decides nothing."""
    measures: tuple[Measure, ...]

    @property
    def hard(self) -> bool:
        """Whether a model that fails it cannot be used."""
        return self.group == HARD

    @property
    def met(self) -> bool | None:
        """Whether every bar is met; None while anything is missing. False is certain even then."""
        marks = [one.met for one in self.measures if one.bar is not None]
        if False in marks:
            return False
        return None if None in marks or not marks else True

    @property
    def pending(self) -> tuple[Measure, ...]:
        """What is missing."""
        return tuple(one for one in self.measures if one.pending)

    def as_json(self) -> dict[str, Any]:
        """For files and scripts."""
        return {
            "id": self.id,
            "title": self.title,
            "group": self.group,
            "hard": self.hard,
            "met": self.met,
            "measures": [one.as_json() for one in self.measures],
        }


HARD, TOLD = "hard", "told"
INFORMATION_BEHAVIORS, INFORMATION_DIALOGUE = "information-behaviors", "information-dialogue"
UNDERTONE, CULTURE, CONVINCING = "undertone", "culture", "convincing-line"
SOFT_GROUPS = (INFORMATION_BEHAVIORS, INFORMATION_DIALOGUE, UNDERTONE, CULTURE, CONVINCING)


def behind(content: Content, case: Case, why: str) -> Behind:
    """A variant of a result as a line behind a measure."""
    line = next(one for one in content.lines if one.id == case[0])
    return Behind(line.id, case[1].value, line.base, line.variant(case[1]).text or "", why)
