"""The tell state is never named and never inferred."""

from __future__ import annotations

from pipeline.content.terms import Kind, TellState
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.rule import Canary, RuleDoc
from pipeline.validation.rules.vocabulary import VocabularyRule, said

_NERVOUS = TellState.Nervous


def rule(lexicon: Lexicon) -> VocabularyRule:
    """The rule over prompts/vocabulary/tell_naming.ron."""
    return VocabularyRule(
        lexicon,
        frozenset({"tell_naming"}),
        id="tell-naming",
        label="Names or infers the tell state ({group})",
        doc=RuleDoc(
            catches="Words that name a tell state (nervous, angrily, wary) or infer one (seems, as if, trying "
            "not to, something to hide), "
            "in every state, in dialogue and behaviors. Words of the base text are exempt.",
            severity="block; review for words with an everyday sense.",
            bad=("glances at the door, uneasy", "checks the gate as if worried", "Answers guardedly."),
            good=("Cable tension's low.", "Guarded switch, two hands.", "Stress fracture in the weld."),
            waive=(
                "a line that names its state gives the game away: edit it. For an innocent sense add a "
                "pattern to `allow`."
            ),
        ),
        canaries=(
            Canary(said("checks the gate", "checks the gate nervously", Kind.behavior, _NERVOUS), "names the state"),
            Canary(
                said("checks the gate", "checks the gate as if worried", Kind.behavior, _NERVOUS), "infers the state"
            ),
            Canary(
                said("answers briefly", "answers briefly, hiding something", Kind.behavior, TellState.Guarded),
                "infers the state",
            ),
            Canary(
                said("I do not know.", "I'm angry. Don't know.", Kind.dialogue, TellState.Angry),
                "names the state in speech",
            ),
        ),
    )
