"""Choosing one candidate per variant, by a documented score of that line alone."""

from pipeline.selection.choice import (
    Judged,
    Validate,
    VariantChoice,
    candidates_left,
    choose_judged,
    choose_variant,
    judge,
    judge_held,
    settles,
)
from pipeline.selection.score import CandidateText, Score, VariantFacts, score
from pipeline.selection.standing import UNDECIDED, Held, Standing

__all__ = [
    "UNDECIDED",
    "CandidateText",
    "Held",
    "Judged",
    "Score",
    "Standing",
    "Validate",
    "VariantChoice",
    "VariantFacts",
    "candidates_left",
    "choose_judged",
    "choose_variant",
    "judge",
    "judge_held",
    "score",
    "settles",
]
