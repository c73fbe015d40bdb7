"""Idiom, slang and swearing that need Earth."""

from __future__ import annotations

from pipeline.validation.lexicon import Lexicon
from pipeline.validation.rule import Canary, RuleDoc
from pipeline.validation.rules.vocabulary import WAIVE_WORD, VocabularyRule, said


def rule(lexicon: Lexicon) -> VocabularyRule:
    """The rule over prompts/vocabulary/earth.ron."""
    return VocabularyRule(
        lexicon,
        frozenset({"earth"}),
        id="earth-idiom",
        label="Earth speech ({group})",
        doc=RuleDoc(
            catches="Idioms that need Earth to make sense, real-world slang and forms of address, swearing.",
            severity="block for idiom and hard swearing, review for what may be literal.",
            bad=("Piece of cake, that job.", "At the end of the day it's your neck."),
            good=("Wrapped a bloody rag round it.", "Pass the glass. Class two assembly."),
            waive=WAIVE_WORD,
        ),
        canaries=(
            Canary(said("That job is easy.", "Piece of cake, that job."), "idiom"),
            Canary(said("The pump failed.", "Sh1t, pump failed."), "swearing in leet"),
            Canary(said("What is wrong with it?", "What on earth's wrong with it?"), "idiom"),
        ),
    )
