"""Words that a culture itself rules out: its exclusions, and authority words that its people never use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.content.models import (
    AuthorityWord,
    Culture,
    CultureVocabulary,
    Example,
    Exclusions,
    Injector,
    Institutions,
    Term,
)
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.hits import Entry
from pipeline.validation.inflect import Inflector
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.per_culture import PerCulture
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import new_hits


@dataclass(frozen=True)
class CultureWords:
    """Reports words that the subject's culture lists as never said. Silent without a culture."""

    id: str
    label: str
    institutions: bool
    """True: the institutions' `never` words; False: the injector's exclusions."""
    doc: RuleDoc
    canaries: Sequence[Canary]

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per word that the base text does not hold."""
        culture = subject.culture
        if culture is None or not (never := _never(culture)).scan(subject.voiced).hits:
            return ()
        return list(self._found(subject, culture, never))

    def _found(self, subject: Subject, culture: Culture, never: Lexicon) -> Iterator[Finding]:
        for hit in new_hits(never, subject, _INSTITUTIONS if self.institutions else _EXCLUSIONS):
            used = ", ".join(entry.word for entry in culture.institutions.use)
            suggestion = f"The words for those in charge are {used}." if self.institutions else None
            yield Finding(self.id, hit.severity, f'{self.label} {culture.name}: "{hit.text}".', hit.span, suggestion)


_EXCLUSIONS = frozenset({"exclusions"})
_INSTITUTIONS = frozenset({"institutions"})


@lru_cache(maxsize=64)
def _lexicon(exclusions: tuple[str, ...], institutions: tuple[str, ...]) -> Lexicon:
    """One matcher for both rules, so that a text is read once."""
    return Lexicon(
        (
            Entry(list_id, Term(term=form, severity=Severity.block, group="culture"))
            for list_id, words in (("exclusions", exclusions), ("institutions", institutions))
            for word in words
            for form in _forms(word)
        ),
        Inflector(),
    )


_never = PerCulture(lambda culture: _lexicon(culture.injector.exclusions.words, culture.institutions.never))


def _forms(word: str) -> tuple[str, ...]:
    """The word and its plural; culture files list single forms."""
    plain = word.isalpha() and len(word) > 3 and not word.endswith("s")
    return (word, word[:-1] + "ies" if word.endswith("y") else word + "s") if plain else (word,)


def sample_culture() -> Culture:
    """A small culture for canaries, so that they do not depend on any project's files."""
    return Culture(
        id="canary",
        name="the canary's culture",
        injector=Injector(
            register="Short.",
            context="A yard.",
            vocabulary=CultureVocabulary(
                exclamations=("void take it", "stars"), greetings=("hey", "morning"), farewells=("gotta move",)
            ),
            values="Work. Crew.",
            exclusions=Exclusions(text="No titles.", words=("sir", "ma'am")),
            examples=(
                Example(kind=Kind.dialogue, base="The gate is shut.", voiced="Gate's shut."),
                Example(kind=Kind.behavior, base="checks the gate", voiced="gives the gate a look"),
            ),
        ),
        institutions=Institutions(
            use=(AuthorityWord(word="Commission", note="far away"),), never=("government", "council")
        ),
        tell_tones=(),
    )


def _said(base: str, voiced: str) -> Subject:
    return Subject(base, voiced, Kind.dialogue, TellState.Neutral, culture=sample_culture())


EXCLUSIONS = CultureWords(
    id="exclusions",
    label="Not said by people of",
    institutions=False,
    doc=RuleDoc(
        catches="Words that the culture's exclusions rule out, such as sir and ma'am.",
        severity="block.",
        bad=("Yes, you may pass. -> Yes, sir, go on through.",),
        good=("Yes, you may pass. -> Yeah, go on through.",),
        waive="take the word out of the culture's `exclusions.words`, or waive the rule for the line in the review.",
    ),
    canaries=(
        Canary(_said("You may pass.", "Go on through, sir."), "a title"),
        Canary(_said("You may pass.", "Ma'am, go on through."), "a title first"),
        Canary(_said("Good evening.", "Evening, ma’am."), "a typographic apostrophe"),
    ),
)
AUTHORITY_WORDS = CultureWords(
    id="authority-words",
    label="No authority among people of",
    institutions=True,
    doc=RuleDoc(
        catches="Authority words that the culture never uses, such as government or council.",
        severity="block.",
        bad=("The Commission wants its share. -> The council wants its cut.",),
        good=("The Commission wants its share. -> Commission wants its cut.",),
        waive="take the word out of the culture's `institutions.never`, or waive the rule for the line in the review.",
    ),
    canaries=(
        Canary(_said("The Commission wants its share.", "Council wants its cut."), "an institution"),
        Canary(_said("The Commission wants its share.", "Governments want their cut."), "a plural"),
        Canary(_said("The Commission wants its share.", "The g0vernment wants its cut."), "disguised"),
    ),
)
