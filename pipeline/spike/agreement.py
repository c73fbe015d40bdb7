"""How far reviewers agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from pipeline.spike.questions import QUESTIONS, Answer
from pipeline.spike.said import Said


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


def agreements(said: Said) -> Iterable[Agreement]:
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
