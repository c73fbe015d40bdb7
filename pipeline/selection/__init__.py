"""Choosing one candidate per variant, by a documented score of that line alone."""

from pipeline.selection.choice import Judged, Validate, VariantChoice, choose_judged, choose_variant, judge
from pipeline.selection.score import CandidateText, Score, VariantFacts, score

__all__ = [
    "CandidateText",
    "Judged",
    "Score",
    "Validate",
    "VariantChoice",
    "VariantFacts",
    "choose_judged",
    "choose_variant",
    "judge",
    "score",
]
