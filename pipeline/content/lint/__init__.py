"""Lints: remarks on content that loads but may not be what its writer meant. One lint per file or pair.

Lints that need the vocabulary matcher stand in `pipeline/validation`; they join `run_lints` as plain `Lint` objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.content.lint.budgets import BlockBudget
from pipeline.content.lint.common_anchors import CommonAnchor
from pipeline.content.lint.lint import CountTokens, Level, LineView, Lint, View
from pipeline.content.lint.missing_tells import MissingTells
from pipeline.content.lint.near_duplicates import NearDuplicateLines
from pipeline.content.lint.profile_limits import GuardedRow, NpcTraits
from pipeline.content.lint.running import WAIVER_EXPLANATION, WAIVERS, Remark, run_lints
from pipeline.content.lint.slot_meanings import SlotWithoutMeaning
from pipeline.content.lint.tones import ToneNamesState, ToneWithoutProhibition
from pipeline.content.lint.unknown_names import NameNotInGlossary
from pipeline.content.models import Content
from pipeline.content.sources import Sources
from pipeline.errors import UserError
from pipeline.ron import closest

LINTS: tuple[Lint, ...] = (
    BlockBudget(),
    CommonAnchor(),
    GuardedRow(),
    MissingTells(),
    NameNotInGlossary(),
    NearDuplicateLines(),
    NpcTraits(),
    SlotWithoutMeaning(),
    ToneNamesState(),
    ToneWithoutProhibition(),
)
"""The lints that need no vocabulary, by id."""


def lint_content(
    content: Content, sources: Sources, *, count_tokens: CountTokens | None = None, more: Sequence[Lint] = ()
) -> list[Remark]:
    """All remarks of `LINTS` and `more` in order of file and place; what a file waives is marked as waived."""
    return run_lints(View(content, sources, count_tokens), (*LINTS, *more))


def explain(lint_id: str, *, more: Sequence[Lint] = ()) -> str:
    """What a lint looks for, why, and what to do. Raises `UserError` for an unknown id."""
    texts = {each.id: each.explanation for each in (*LINTS, *more)} | {WAIVERS: WAIVER_EXPLANATION}
    if lint_id not in texts:
        near = closest(lint_id, texts)
        raise UserError(
            f"There is no lint {lint_id!r}.",
            f"Did you mean {near}?" if near else f"There are {', '.join(sorted(texts))}.",
        )
    return texts[lint_id]


__all__ = [
    "LINTS",
    "CountTokens",
    "Level",
    "LineView",
    "Lint",
    "Remark",
    "View",
    "explain",
    "lint_content",
    "run_lints",
]
