"""Institutions and titles that the Reach does not have."""

from __future__ import annotations

from pipeline.validation.lexicon import Lexicon
from pipeline.validation.rule import Canary, RuleDoc
from pipeline.validation.rules.vocabulary import WAIVE_WORD, VocabularyRule, said


def rule(lexicon: Lexicon) -> VocabularyRule:
    """The rule over prompts/vocabulary/politics.ron."""
    return VocabularyRule(
        lexicon,
        frozenset({"politics"}),
        id="politics",
        label="Politics that the Reach does not have ({group})",
        doc=RuleDoc(
            catches="Stock politics: governments, empires, councils, crowns, armies, police.",
            severity="block for institutions, review for words with an everyday sense.",
            bad=("The government wants its cut.", "Empire raised the berth fee."),
            good=("A fleet of carts blocks the way.", "Kingpin's worn. Kingbolt too."),
            waive=WAIVE_WORD,
        ),
        canaries=(
            Canary(said("The Commission wants its share.", "The government wants its cut."), "an institution"),
            Canary(said("The Commission wants its share.", "The Senate wants its cut."), "an institution"),
            Canary(said("The supervisor is angry.", "The president's on his way."), "a title"),
        ),
    )
