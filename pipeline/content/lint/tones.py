"""`tone-without-prohibition` and `tone-names-state`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.content.bound import Bound
from pipeline.content.lint.lint import Level, View
from pipeline.content.models import Culture, ToneRow
from pipeline.content.problems import Problem
from pipeline.content.terms import TELL_CATEGORIES

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_FORBIDS = re.compile(
    r"\b(?:never|not|don['’]t|cannot|nor|without|no|nobody|nothing|avoid)\b.*"
    r"\b(?:nam(?:e|es|ed|ing)|say(?:s|ing)?|said|stat(?:e|es|ed|ing)|mention(?:s|ed|ing)?|spell(?:s|ed|ing)?)\b"
    r"|\b(?:unnamed|unsaid|unspoken|unmentioned)\b",
    re.IGNORECASE,
)
_STATES = (
    "nervous anxious anxiety worried worry afraid fear fearful scared frightened uneasy tense stress stressed panic "
    "angry anger furious rage mad annoyed irritated hostile resentful "
    "friendly fond affection affectionate warmhearted kindhearted "
    "guarded suspicious suspicion wary secretive secret hiding hides lie lies lying distrust distrustful "
    "distracted preoccupied troubled upset"
)
_ENDINGS = (("ily", "y"), ("iness", "y"), ("ies", "y"), ("ied", "y"), ("ly", ""), ("ness", ""), ("s", ""), ("ed", ""))
_FACT = re.compile(r"\d+|(?<=[\w,;:] )(?!I\b)[A-Z]\w+")
"""A figure, or a name in mid-sentence."""
_KNOWS = ("because", "knows", "knowing", "remembers", "since the", "after what", "worried about", "afraid of", "guilty")


def _closing(row: ToneRow) -> tuple[str, str]:
    """The text before the last sentence, and the last sentence."""
    *before, last = _SENTENCE_END.split(row.text.strip())
    return " ".join(before), last


def _rows(view: View) -> Iterator[tuple[Bound[Culture], int, ToneRow]]:
    for culture in view.cultures():
        for index, row in enumerate(culture.value.tell_tones):
            yield culture, index, row


@dataclass(frozen=True, slots=True)
class ToneWithoutProhibition:
    """A tell tone whose last sentence does not forbid naming the state."""

    id: str = "tone-without-prohibition"
    level: Level = Level.warning
    explanation: str = (
        'A tell tone goes into the prompt. Small models tend to say outright what they are told to show ("she seems '
        'nervous"), so every row ends by forbidding it, in the same words: Never name the state.'
    )

    def check(self, view: View) -> Iterator[Problem]:
        for culture, index, row in _rows(view):
            if not _FORBIDS.search(_closing(row)[1]):
                message = f"the tone for {row.category} does not end by forbidding to name the state"
                yield culture.problem(("tell_tones", index, "text"), message, hint="End it with: Never name the state.")


@dataclass(frozen=True, slots=True)
class ToneNamesState:
    """A tell tone that names the state, says why it is there, or adds a fact."""

    states: frozenset[str] = field(
        default=frozenset([*_STATES.split(), *(each.lower() for each in TELL_CATEGORIES)]), repr=False
    )
    reasons: tuple[str, ...] = _KNOWS
    id: str = "tone-names-state"
    level: Level = Level.warning
    explanation: str = (
        "A tell tone describes what can be heard or seen. A word for the state itself, a reason for it, a name or a "
        "figure is copied into the line, and what a player was to notice is said outright, or a fact appears that "
        "nobody wrote. Describe length, order, rhythm and what is left out."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for culture, index, row in _rows(view):
            text = _closing(row)[0].lower()
            named = [word for word in re.findall(r"[a-z']+", text) if self._is_state(word)]
            why = [reason for reason in self.reasons if re.search(rf"\b{reason}\b", text)]
            for word in dict.fromkeys(named):
                message = f"the tone for {row.category} names the state: {word}"
                yield culture.problem(("tell_tones", index, "text"), message, hint="Say what is heard or seen instead.")
            for reason in why:
                message = f"the tone for {row.category} gives a reason: {reason}"
                yield culture.problem(("tell_tones", index, "text"), message, hint="Leave out why; show how.")
            for fact in dict.fromkeys(_FACT.findall(_closing(row)[0])):
                if not self._is_state(fact.lower()):
                    message = f"the tone for {row.category} adds a fact: {fact}"
                    hint = "It would turn up in lines that know nothing of it. Leave it out."
                    yield culture.problem(("tell_tones", index, "text"), message, hint=hint)

    def _is_state(self, word: str) -> bool:
        """Whether a lower-case word is one for a state, in any of its forms."""
        forms = {word.removesuffix(ending) + instead for ending, instead in _ENDINGS if word.endswith(ending)}
        return word in self.states or not forms.isdisjoint(self.states)
