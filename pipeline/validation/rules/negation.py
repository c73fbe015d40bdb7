"""Negation and polarity: what the base text denies stays denied, what it states stays stated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity
from pipeline.validation.analysis import Analysis, analyse
from pipeline.validation.dictionary import lemmas
from pipeline.validation.finding import Finding
from pipeline.validation.prepositions import turned_preposition
from pipeline.validation.relations import closeness, opposites, plainly_opposite
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.times import moved_in_time
from pipeline.validation.wording import Word
from pipeline.validation.wordsets import word_set

_DOC = RuleDoc(
    catches=(
        "A negation lost or added, a word turned into its opposite, a thing done turned into one to be done: will "
        "not hold - will hold, late - early, up - down, has been repaired - needs repairing."
    ),
    severity="block where one denial is lost or added, or one word turned, and nothing else is said; review else.",
    bad=(
        "That seal will not hold. -> That seal'll hold.",
        "The cargo is late. -> Load's early.",
        "turns left -> turns right",
    ),
    good=(
        "Do not go down there. -> Stay off that deck.",
        "The door is closed. -> Door's not open.",
        "Nobody paid me. -> Not paid, me.",
    ),
    waive="waive the rule for the line in the review when the meaning stands; a pair that is no pair of "
    "opposites goes out of "
    "pipeline/validation/english/opposites.txt.",
)
_CANARIES = (
    Canary(said("That seal will not hold.", "That seal'll hold."), "a negation lost"),
    Canary(said("I trust the new foreman.", "Don't trust the new foreman."), "a negation added"),
    Canary(said("The cargo is late.", "Load's early."), "an opposite"),
    Canary(said("I never carry cargo without a permit.", "Never carry cargo with a permit."), "with for without"),
    Canary(said("pushes a cart up the ramp", "pushes a cart down the ramp", Kind.behavior), "a direction turned"),
)
_PARTICLES = word_set("particles")


@dataclass(frozen=True)
class Negation:
    """Follows each word of the base text into the voiced one and compares whether it is denied there."""

    id: str = "negation"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per word whose polarity turned."""
        base, voiced = analyse(subject.base), analyse(subject.voiced)
        turned = list(self._denials(base, voiced))
        yield from turned or self._denial_lost(base, voiced)
        yield from self._opposites(base, voiced)
        yield from self._done(subject)
        if message := turned_preposition(base, voiced):
            yield Finding(self.id, Severity.review, message)

    def _done(self, subject: Subject) -> Iterator[Finding]:
        if moved := moved_in_time(subject.base, subject.voiced):
            yield Finding(self.id, Severity.review, *moved)

    def _denials(self, base: Analysis, voiced: Analysis) -> Iterator[Finding]:
        if not base.denials and not voiced.denials:
            return
        for word in base.content:
            if word.denied is None or word.weight < 0.3 or voiced.cover(word.text) < 0.9:
                continue
            near = 0.9 if word.weight > 0.3 else 1.0
            same = [other for other in voiced.content if closeness(word.text, other.text) >= near]
            if not same or any(other.denied is not (not word.denied) for other in same):
                continue
            if word.denied and all(_topic(other, voiced) for other in same):
                continue
            if not word.verbal and _still_denied(base, voiced):  # no longer takes scrip, scrip is no longer taken
                continue
            twins = [other for other in base.content if closeness(word.text, other.text) >= 0.9]
            if all(twin.denied is word.denied for twin in twins):
                was, now = ("denies", "states") if word.denied else ("states", "denies")
                message = f'The base text {was} "{word.text}", the voiced text {now} it.'
                plain = {base.denials, voiced.denials} == {0, 1} and not _denies_otherwise(base, voiced)
                yield Finding(self.id, _severity(plain, base, voiced), message, same[0].span)

    def _denial_lost(self, base: Analysis, voiced: Analysis) -> Iterator[Finding]:
        if not base.denials or voiced.denials:
            return
        if "more" in base.texts and {"that", "'s"} <= voiced.texts and voiced.texts & {"all", "it"}:
            return  # "no more": "that's all"
        if not any(_denies(word.text) for word in voiced.words):
            yield Finding(self.id, Severity.review, "The base text denies something, the voiced text nothing.")

    def _opposites(self, base: Analysis, voiced: Analysis) -> Iterator[Finding]:
        if base.against.isdisjoint(voiced.lemmas):
            return
        for word in base.words:
            if word.weight == 0 and word.text not in _PARTICLES:
                continue
            against = opposites(word.text)
            if against.isdisjoint(voiced.lemmas):
                continue
            if any(
                closeness(word.text, other.text) >= 0.9 for other in voiced.words if other.weight or word.weight == 0
            ):
                continue
            for other in voiced.words:
                if against.isdisjoint(lemmas(other.text)) or not _comparable(word, other):
                    continue
                known = base.cover(other.text) >= 0.9
                if not known and word.denied is not None and other.denied is word.denied:
                    message = f'"{other.text}" is the opposite of "{word.text}" in the base text.'
                    plain = base.denials == voiced.denials and plainly_opposite(word.text, other.text)
                    # A before B is B after A, lighter than B is B heavier than A, sold by A is bought from A
                    plain = plain and word.text not in _SIDES and "than" not in voiced.texts
                    plain = plain and _CONVERSE.isdisjoint(lemmas(word.text))
                    yield Finding(self.id, _severity(plain, base, voiced, word.text, other.text), message, other.span)
                    break


def _severity(plain: bool, base: Analysis, voiced: Analysis, *turned: str) -> Severity:
    """`block` where the turn is plain and the two texts say the same apart from it."""
    if not plain or base.asks or voiced.asks:
        return Severity.review
    for one, other in ((base, voiced), (voiced, base)):
        rest = [word for word in one.content if word.text not in turned]
        kept = sum(word.weight * other.cover(word.text) for word in rest)
        if kept < _SAME * sum(word.weight for word in rest):
            return Severity.review
    return Severity.block


def _still_denied(base: Analysis, voiced: Analysis) -> bool:
    """True if a word is denied in both texts."""
    denied = [word.text for word in voiced.content if word.denied]
    return any(word.denied and any(closeness(word.text, other) >= 0.9 for other in denied) for word in base.content)


def _topic(word: Word, text: Analysis) -> bool:
    """True for what is put up by itself before a denial speaks of it: "Beds, hm. None left." """
    alone = all(
        other.weight == 0 or other is word or other.text in _DISCOURSE
        for other in text.words
        if other.clause == word.clause
    )
    return alone and any(other.denied and other.clause > word.clause for other in text.words)


_CONVERSE = frozenset({"buy", "sell", "lend", "borrow", "give", "take", "teach", "learn", "win", "lose", "rent"})
"""What one does the other undergoes."""
_SIDES = frozenset({"before", "after", "above", "below", "over", "under"})
_DISCOURSE = word_set("discourse")
_SAME = 0.75
"""Share of weight in common from which two texts say the same apart from a turned word."""


def _denies_otherwise(*texts: Analysis) -> bool:
    """True if a text denies in words that are no negation ("out of", "only")."""
    return any(_denies(word.text) for text in texts for word in text.words if not text.denials)


def _denies(word: str) -> bool:
    """True for words that deny without a negation: refuse, empty, only, unpaid."""
    denying = word_set("denying_words")
    return not lemmas(word).isdisjoint(denying) or (word.startswith("un") and len(word) > 5)


def _comparable(word: Word, other: Word) -> bool:
    """Particles compare with particles, words with words; a discourse word that opens a sentence with nothing."""
    if other.text == word.text or (other.opens and other.text in word_set("discourse")):
        return False
    return (word.text in _PARTICLES) == (other.text in _PARTICLES)
