"""Two ways of voicing the same lines, side by side: two models, two prompts, or an ablation and the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.spike.answers import Answers
from pipeline.spike.arms import LEFT_OUT
from pipeline.spike.keys import Key
from pipeline.spike.measure import Behind
from pipeline.spike.outcomes import OUTCOMES, Outcome
from pipeline.spike.questions import ADDED, CAREFUL, KEPT, SAYS_WHAT, Sheet
from pipeline.spike.result import WHOLE, Content, LineRow, Result
from pipeline.spike.statistics import SMALL, Paired, mean_interval, paired
from pipeline.spike.told import told

_ASKED = (
    (Sheet.lines, CAREFUL, "people sense care", None),
    (Sheet.lines, SAYS_WHAT, "people say that the text tells what", False),
    (Sheet.checks, KEPT, "people find that all is kept", True),
    (Sheet.checks, ADDED, "people find something added", False),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One outcome on the same lines, twice."""

    id: str
    title: str
    higher_is_better: bool | None
    paired: Paired

    @property
    def verdict(self) -> str:
        """`better`, `worse` or `no difference shown`: only what the sign test finds at 5 % counts."""
        if self.paired.p > 0.05 or self.higher_is_better is None or self.paired.higher == self.paired.lower:
            return "no difference shown"
        return "better" if (self.paired.higher > self.paired.lower) is self.higher_is_better else "worse"

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "id": self.id,
            "title": self.title,
            "higher_is_better": self.higher_is_better,
            "verdict": self.verdict,
            "small_sample": self.paired.small,
            **asdict(self.paired),
        }


@dataclass(frozen=True, slots=True)
class Told:
    """How often a classifier tells the state from the words of the same lines, twice; None: too few texts."""

    first: float | None
    second: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that can be compared line by line."""

    lines: int
    differences: tuple[Difference, ...]
    told: Told
    changed: tuple[str, ...] = ()
    """What differs between the inputs of two results."""
    texts: tuple[tuple[Behind, Behind], ...] = ()
    """Variants whose text changed."""

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "lines": self.lines,
            "changed": list(self.changed),
            "outcomes": [one.as_json() for one in self.differences],
            "told": asdict(self.told),
            "texts_changed": len(self.texts),
        }


def compare_lines(first: Sequence[LineRow], second: Sequence[LineRow]) -> Comparison:
    """Compares lines that both have, with the same base text, on every outcome."""
    bases = {line.id: line.base for line in second}
    shared = {line.id for line in first if bases.get(line.id) == line.base}
    ones, others = ([line for line in lines if line.id in shared] for lines in (first, second))
    return Comparison(
        len(shared),
        tuple(each for one in OUTCOMES if (each := _difference(one, ones, others))),
        Told(_told(ones), _told(others)),
        texts=tuple(_texts(ones, others)),
    )


def compare_results(
    first: Result,
    second: Result,
    people: tuple[Sequence[tuple[Key, Answers]], Sequence[tuple[Key, Answers]]] = ((), ()),
) -> Comparison:
    """The same for two results, with what people answered on variants of both, and what differs in their inputs.

    Raises `UserError` where they share no line.
    """
    found = compare_lines(first.content.lines, second.content.lines)
    if not found.lines:
        raise UserError(
            f"The results {first.short} and {second.short} share no line.",
            "Compare results of one evaluation set.",
        )
    asked = [
        Difference(f"people-{question}", title, better, each)
        for sheet, question, title, better in _ASKED
        if (each := paired(_answered(people[0], sheet, question), _answered(people[1], sheet, question)))
    ]
    return Comparison(
        found.lines, (*found.differences, *asked), found.told, _changed(first.content, second.content), found.texts
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """One outcome of one result: the mean over lines."""

    id: str
    title: str
    higher_is_better: bool | None
    mean: float
    interval: tuple[float, float] | None
    """95 %, bootstrap over lines."""
    lines: int

    @property
    def small(self) -> bool:
        """Whether it rests on a small sample."""
        return self.lines < SMALL

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return asdict(self) | {"small_sample": self.small}


def figures(content: Content) -> list[Figure]:
    """Every outcome of a result: how much is voiced, kept, told apart, and how far candidates drift."""
    found = []
    for outcome in OUTCOMES:
        values = list(outcome.by_line(content.lines).values())
        if values:
            mean = round(sum(values) / len(values), 3)
            interval = mean_interval(values)
            found.append(Figure(outcome.id, outcome.title, outcome.higher_is_better, mean, interval, len(values)))
    return found


def ablated(content: Content) -> dict[str, Comparison]:
    """By arm: the lines without a block (second) beside the same lines with it (first)."""
    return {arm.arm: compare_lines(content.lines, arm.lines) for arm in content.arms if arm.arm != WHOLE}


def ablation_table(content: Content) -> list[tuple[str, str, Comparison | None]]:
    """What was left out, in words; why there is no comparison; the comparison."""
    found = ablated(content)
    return [
        (f"without {LEFT_OUT[row.arm]}", row.why if row.applies else f"not applicable: {row.why}", found.get(row.arm))
        for row in content.ablations
    ]


def _difference(outcome: Outcome, first: Sequence[LineRow], second: Sequence[LineRow]) -> Difference | None:
    each = paired(outcome.by_line(first), outcome.by_line(second))
    return Difference(outcome.id, outcome.title, outcome.higher_is_better, each) if each else None


def _told(lines: Sequence[LineRow]) -> float | None:
    texts: list[tuple[str, str, TellState]] = [
        (line.base, one.text, one.tell) for line in lines for one in line.variants if one.text
    ]
    return told(texts, punctuation=False)


def _texts(first: Sequence[LineRow], second: Sequence[LineRow]) -> list[tuple[Behind, Behind]]:
    others = {line.id: line for line in second}
    changed = []
    for line in first:
        for one in line.variants:
            other = others[line.id].variant(one.tell)
            if one.text != other.text:
                changed.append(
                    (Behind(line.id, one.tell.value, line.base, one.text or "", ""),
                     Behind(line.id, one.tell.value, line.base, other.text or "", ""))
                )  # fmt: skip
    return changed


def _answered(packets: Sequence[tuple[Key, Answers]], sheet: Sheet, question: str) -> Mapping[str, float]:
    """By variant: the share of reviewers who said yes."""
    said: dict[str, list[bool]] = {}
    for _, answers in packets:
        for row in answers.rows:
            if (row.sheet, row.question) == (sheet, question) and row.tell is not None:
                said.setdefault(f"{row.line} {row.tell.value}", []).append(row.answer == "yes")
    return {case: sum(marks) / len(marks) for case, marks in said.items()}


def _changed(first: Content, second: Content) -> tuple[str, ...]:
    pairs = {
        "the model": (first.model.sha256, second.model.sha256),
        "the profile": (first.model.profile, second.model.profile),
        "the adapter": (first.model.adapter_sha256, second.model.adapter_sha256),
        "the voice bank": (first.inputs.bank, second.inputs.bank),
        "the prompts": (first.inputs.prompts, second.inputs.prompts),
        "word lists or rules": (first.inputs.rules, second.inputs.rules),
        "score or choice": (first.inputs.choosing, second.inputs.choosing),
        "the settings": (first.settings, second.settings),
        "the engine": (first.model.engine, second.model.engine),
        "the culture": (first.culture, second.culture),
        "the evaluation set": (first.evaluation_digest, second.evaluation_digest),
        "how many lines were voiced": (len(first.lines), len(second.lines)),
    }
    return tuple(name for name, (one, other) in pairs.items() if one != other)
