"""The rules there are, each once, in the order in which they run."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.validation.lexicon import Lexicon
from pipeline.validation.rule import Rule
from pipeline.validation.rules import (
    earth_idiom,
    franchise_bleed,
    guard_vocabulary,
    politics,
    tell_naming,
)
from pipeline.validation.rules.culture_words import AUTHORITY_WORDS, EXCLUSIONS
from pipeline.validation.rules.exclamations import Exclamations
from pipeline.validation.rules.fidelity import Fidelity
from pipeline.validation.rules.figures import Figures
from pipeline.validation.rules.fillers import Fillers
from pipeline.validation.rules.greetings import Greetings
from pipeline.validation.rules.negation import Negation
from pipeline.validation.rules.new_names import NewNames
from pipeline.validation.rules.repeats import Repeats
from pipeline.validation.rules.replies import Replies
from pipeline.validation.rules.shape import Shape
from pipeline.validation.rules.siblings import Siblings
from pipeline.validation.rules.slots import Slots
from pipeline.validation.rules.speech_act import SpeechAct
from pipeline.validation.rules.tense import Tense
from pipeline.validation.rules.tics import Tics
from pipeline.validation.rules.way_back import WayBack
from pipeline.validation.rules.who_does_what import WhoDoesWhat
from pipeline.validation.rules.word_salad import WordSalad
from pipeline.validation.zone import ZoneRule

OF_STATE = frozenset({"shape", "fidelity", "siblings"})
"""Rules that also look at a candidate's tell state, at the Neutral variant beside it, or at whether it was finished."""
OF_CANDIDATE = frozenset({"slots", "way-back"})
"""Rules that look at more of a candidate: its masks, how it was measured."""


def text_rules(
    lexicon: Lexicon, guard_ids: frozenset[str], foreign: Mapping[str, frozenset[str]] | None = None
) -> tuple[Rule, ...]:
    """The rules that look at one text, over the vocabularies of `lexicon`; `foreign` are each culture's foreign
    oaths."""
    return (
        Shape(),
        WordSalad(),
        Slots(),
        Figures(),
        guard_vocabulary.rule(lexicon, guard_ids),
        franchise_bleed.rule(lexicon),
        politics.rule(lexicon),
        earth_idiom.rule(lexicon),
        tell_naming.rule(lexicon),
        NewNames(),
        EXCLUSIONS,
        AUTHORITY_WORDS,
        Exclamations(foreign or {}),
        Fillers(),
        Greetings(),
        SpeechAct(),
        Replies(),
        Negation(),
        WhoDoesWhat(),
        Fidelity(),
        Siblings(),
        Tense(),
        WayBack(),
    )


def zone_rules() -> tuple[ZoneRule, ...]:
    """The rules that look at a zone's chosen texts side by side."""
    return (Repeats(), Tics())
