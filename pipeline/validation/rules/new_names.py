"""Names and capitalised words that neither base, glossary nor culture knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.content.models import Culture
from pipeline.content.terms import Kind, Severity
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import Token, tokens, words
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.wordsets import is_word

_ALWAYS = frozenset({"i"})


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
    """Reports capitalised words in mid-sentence, and opening words that no dictionary knows, unless something explains them."""

    id: str = "new-names"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per unknown capitalised word."""
        known: frozenset[str] | None = None
        for token in tokens(subject.voiced):
            if not token.cased[:1].isupper() or token.word in _ALWAYS:
                continue
            if token.starts_sentence and (is_word(token.word) or len(token.word) < 3):
                continue
            if known is None:
                known = _known(subject)
            if token.word not in known and token.word.removesuffix("s") not in known and not _shouted(token):
                message = f'"{token.cased}" is a name that the base text does not hold.'
                yield Finding(self.id, Severity.block, message, (token.start, token.end), "Leave the name out.")


def _shouted(token: Token) -> bool:
    """True for an ordinary word in capitals throughout."""
    return len(token.cased) > 1 and token.cased.isupper() and is_word(token.word)


def _known(subject: Subject) -> frozenset[str]:
    found = set(words(subject.base))
    for name in subject.names:
        found.update(words(name))
    if subject.npc:
        found.update(words(subject.npc.name))
        found.update(word for filler in subject.npc.filler_words for word in words(filler))
    if subject.culture:
        found |= culture_words(subject.culture)
    return frozenset(found)


def culture_words(culture: Culture) -> set[str]:
    """The words of a culture's institutions, exclamations, greetings and farewells."""
    vocabulary = culture.injector.vocabulary
    texts = [
        *vocabulary.exclamations,
        *vocabulary.greetings,
        *vocabulary.farewells,
        *(entry.word for entry in culture.institutions.use),
    ]
    return {word for text in texts for word in words(text)}
