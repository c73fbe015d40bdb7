"""Names and capitalised words that neither base, glossary nor culture knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.content.models import Culture
from pipeline.content.terms import Kind, Severity
from pipeline.prompting.lexicon import number_words
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold, opens_sentence, words
from pipeline.validation.per_culture import PerCulture
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.wordsets import is_word

_DOC = RuleDoc(
    catches="A name or a capitalised word that the base text, the glossary, the NPCs and the culture do not know.",
    severity="block.",
    bad=("I will be at the canteen. -> I'll be in the canteen with Marisol.", "You after work? -> Doran's hiring."),
    good=("I will be there. -> Yeah, I'll be there.", "It is the port authority. -> Port Authority, that."),
    waive="if the name is right, put it into the zone's glossary.",
)
_CANARIES = (
    Canary(said("I will be at the canteen.", "I'll be in the canteen with Marisol."), "a name invented"),
    Canary(said("Are you looking for work?", "You after work? Doran's hiring."), "a name that opens a sentence"),
    Canary(said("The seal will not hold.", "Seal won't hold, it's Kepler Yard stock."), "a place invented"),
    Canary(said("walks on", "walks on towards Berth", Kind.behavior), "a capital in a behavior"),
)


@dataclass(frozen=True)
class NewNames:
    """Reports capitalised words in mid-sentence, and opening words that no dictionary knows, unless something explains
    them."""

    id: str = "new-names"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per unknown capitalised word. Number words (Berth Seven) are the business of `figures`."""
        folded = fold(subject.voiced)
        if folded.text == folded.lower:
            return
        known: frozenset[str] | None = None
        for match in _CAPITAL.finditer(folded.text):
            cased = match[0]
            word = cased.lower()
            if (
                word == "i"
                or word in number_words()
                or ((len(word) < 3 or is_word(word)) and opens_sentence(folded.text, match.start()))
            ):
                continue
            if known is None:
                known = _known(subject)
            if word not in known and word.removesuffix("s") not in known and not _shouted(cased):
                message = f'"{cased}" is a name that the base text does not hold.'
                yield Finding(self.id, Severity.block, message, folded.span(*match.span()), "Leave the name out.")


_CAPITAL = re.compile(r"(?<![A-Za-z0-9'])[A-Z][A-Za-z0-9]*(?:'(?!(?:s|ll|re|ve|d|m)\b)[A-Za-z]+)?")
"""A capitalised word without its clitic."""


def _shouted(cased: str) -> bool:
    """True for an ordinary word in capitals throughout."""
    return len(cased) > 1 and cased.isupper() and is_word(cased.lower())


def _known(subject: Subject) -> frozenset[str]:
    found = {*words(subject.base), *_words_of(subject.names)}
    if subject.npc:
        found.update(words(subject.npc.name))
        found.update(word for filler in subject.npc.filler_words for word in words(filler))
    if subject.culture:
        found |= culture_words(subject.culture)
    return frozenset(found)


def _culture_words(culture: Culture) -> frozenset[str]:
    vocabulary = culture.injector.vocabulary
    institutions = tuple(entry.word for entry in culture.institutions.use)
    return _words_of((*vocabulary.exclamations, *vocabulary.greetings, *vocabulary.farewells, *institutions))


culture_words = PerCulture(_culture_words)
"""The words of a culture's institutions, exclamations, greetings and farewells."""


@lru_cache(maxsize=256)
def _words_of(texts: Collection[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in words(text))
