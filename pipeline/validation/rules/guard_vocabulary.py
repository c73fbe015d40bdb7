"""NI-1 to NI-5: the words that the guards forbid."""

from __future__ import annotations

from pipeline.validation.lexicon import Lexicon
from pipeline.validation.rule import Canary, RuleDoc
from pipeline.validation.rules.vocabulary import WAIVE_WORD, VocabularyRule, said


def rule(lexicon: Lexicon, guard_ids: frozenset[str]) -> VocabularyRule:
    """The rule over the vocabularies of all guards; the message names the guard."""
    return VocabularyRule(
        lexicon,
        guard_ids,
        id="guard-vocabulary",
        label="{list} ({group})",
        doc=RuleDoc(
            catches=(
                "Words that the guards NI-1 to NI-5 forbid: religion, military ranks, wrong technology "
                "words, banter, Earth."
            ),
            severity="as the term says in prompts/guards/*.ron.",
            bad=(
                "The Commander's at the lock.",
                "Warp-drive's cold.",
                "He'll catch hell for that.",
                "Come Tuesday, we load.",
            ),
            good=("She's captain of the tug.", "The door's frame has warped.", "He'll be down the dock by now."),
            waive=WAIVE_WORD,
        ),
        canaries=(
            Canary(said("The supervisor is at the lock.", "The Commander's at the lock."), "NI-2: a rank"),
            Canary(said("The gate is cold.", "Hyperdrive's cold."), "NI-3: a technology word of other stories"),
            Canary(said("He will be in trouble.", "He'll catch hell for that."), "NI-1: an oath of religion"),
            Canary(said("We load soon.", "We load on Tuesday."), "NI-5: a weekday"),
            Canary(said("The pump failed.", "That g0ddamn pump failed."), "disguised by a digit"),
        ),
    )
