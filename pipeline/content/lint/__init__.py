"""Lints: remarks on content that loads but may not be what its writer meant. One lint per file or pair.

Lints that need the vocabulary matcher stand in `pipeline/validation`; they join `run_lints` as plain `Lint` objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.content.lint.budgets import ToneBudget
from pipeline.content.lint.common_anchors import CommonAnchor
from pipeline.content.lint.lint import CountTokens, Level, LineView, Lint, View
from pipeline.content.lint.missing_tells import MissingTells
from pipeline.content.lint.near_duplicates import NearDuplicateLines
from pipeline.content.lint.profile_limits import GuardedRow, NpcTraits
from pipeline.content.lint.running import WAIVER_EXPLANATION, WAIVERS, Remark, run_lints
from pipeline.content.lint.slot_meanings import SlotWithoutMeaning
from pipeline.content.lint.tones import ToneNamesState, ToneWithoutProhibition
from pipeline.content.lint.unknown_names import NameNotInGlossary
from pipeline.content.mistakes import MISTAKES
from pipeline.content.models import Content
from pipeline.content.sources import Sources

LINTS: tuple[Lint, ...] = (
    CommonAnchor(),
    GuardedRow(),
    MissingTells(),
    NameNotInGlossary(),
    NearDuplicateLines(),
    NpcTraits(),
    SlotWithoutMeaning(),
    ToneBudget(),
    ToneNamesState(),
    ToneWithoutProhibition(),
)
"""The lints that need no vocabulary, by id."""
_WAIVING = 'To waive it for one file: waive: [(lint: "{id}", reason: "..")], in that file.'


def lint_content(
    content: Content, sources: Sources, *, count_tokens: CountTokens | None = None, more: Sequence[Lint] = ()
) -> list[Remark]:
    """All remarks of `LINTS` and `more` in order of file and place; what a file waives is marked as waived."""
    return run_lints(View(content, sources, count_tokens), (*LINTS, *more))


def explanations(more: Sequence[Lint] = ()) -> dict[str, str]:
    """What each lint looks for, why, and what to do, by id; the mistakes that keep content from loading included."""
    lints = {
        each.id: f"{each.explanation}\n\nSeverity: {each.level}. {_WAIVING.format(id=each.id)}"
        for each in (*LINTS, *more)
    }
    mistakes = {name: f"{text}\n\nSeverity: error. It cannot be waived." for name, text in MISTAKES.items()}
    return lints | mistakes | {WAIVERS: f"{WAIVER_EXPLANATION}\n\nSeverity: warning."}


__all__ = [
    "LINTS",
    "CountTokens",
    "Level",
    "LineView",
    "Lint",
    "Remark",
    "View",
    "explanations",
    "lint_content",
    "run_lints",
]
