"""Words of other stories."""

from __future__ import annotations

from pipeline.validation.lexicon import Lexicon
from pipeline.validation.rule import Canary, RuleDoc
from pipeline.validation.rules.vocabulary import WAIVE_WORD, VocabularyRule, said


def rule(lexicon: Lexicon) -> VocabularyRule:
    """The rule over prompts/vocabulary/franchise_bleed.ron."""
    return VocabularyRule(
        lexicon,
        frozenset({"franchise_bleed"}),
        id="franchise-bleed",
        label="A word of another story ({group})",
        doc=RuleDoc(
            catches="Names, slogans and slang of other franchises, grouped by franchise.",
            severity="block for words that belong to one story only, review for words that may be innocent.",
            bad=("A light-saber on the wall.", "Beltalowda, hold the line.", "Copy that. Out."),
            good=("Force it shut.", "Bit of spice in the stew.", "Make a copy of the manifest."),
            waive=WAIVE_WORD,
        ),
        canaries=(
            Canary(said("There is a lamp on the wall.", "A light-saber on the wall."), "written apart"),
            Canary(said("My people, hold on.", "Beltalowda, hold on."), "creole of another story"),
            Canary(said("The pump failed.", "Frakking pump failed."), "an inflected oath"),
            Canary(said("The patrol is here.", "Stоrmtroopers are here."), "a Cyrillic letter in the word"),
        ),
    )
