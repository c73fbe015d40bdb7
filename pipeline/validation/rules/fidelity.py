"""Facts lost and facts invented, by content words weighted by rarity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity
from pipeline.validation.analysis import Analysis, analyse
from pipeline.validation.finding import Finding
from pipeline.validation.free_words import free_words
from pipeline.validation.invented import added_thought, is_pointed, new_clause
from pipeline.validation.lost import last_clause_gone, lost_clause, lost_measure, lost_order, stood_for
from pipeline.validation.normalise import SLOT
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.greetings import greeted
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.wording import Word
from pipeline.validation.wordsets import word_set

_DOC = RuleDoc(
    catches=(
        "Content words of the base text that the voiced text drops (facts lost), and content words that it "
        "adds (facts invented)."
    ),
    severity="review; block where hardly anything of the base text is left.",
    bad=(
        "Leave the crate by the door. -> Leave it.",
        "The cargo is late. -> Load's late. Commission held it at the gate.",
        "checks the gate -> checks the gate for sabotage",
    ),
    good=(
        "The cargo is late. I don't know why. -> Load's late. Couldn't tell you why.",
        "wipes down the counter -> wipes the counter down, slow and thorough",
    ),
    waive="waive the rule for the line in the review; words that mean the same belong on one line of "
    "pipeline/validation/english/synonyms.txt, manners of a behavior into manner_words.txt.",
)
_CANARIES = (
    Canary(said("The cargo is late.", "Load's late. Commission held it at the span gate."), "a fact invented"),
    Canary(said("checks the gate", "checks the gate for sabotage", Kind.behavior), "a purpose invented"),
    Canary(said("Take the lift, then turn left at the pumps.", "Take the lift."), "a fact lost"),
    Canary(said("stacks the empty pallets by the door", "stacks the pallets by the door", Kind.behavior), "left out"),
    Canary(
        said("The lift stops at the third deck, so walk from there.", "The lift. It stops at the third deck."),
        "the last clause lost",
    ),
    Canary(said("The cargo is late and the crew is waiting.", "Void take it."), "everything lost"),
)


@dataclass(frozen=True)
class Fidelity:
    """Covers each content word of one text by the nearest word of the other; what stays uncovered is lost or invented.

    The limits were set on voice pairs and the shared fidelity pairs (docs/validation.md).
    """

    id: str = "fidelity"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES
    lost_share: float = 0.4
    """Share of the base text's weight that may go missing."""
    lost_most: float = 0.6
    """Share whose loss tells even in a text that weighs little."""
    least: float = 0.45
    """Weight below which nothing is called lost."""
    lost_run: float = 1.4
    """Weight of words in a row that may go missing."""
    swapped_share: float = 0.3
    """Share of the base text's weight that may go missing where something else is said."""
    lost_clause: float = 0.8
    """Weight of a clause of the base text that may go missing whole."""
    invented: float = 0.9
    """Weight that may be added."""
    invented_in_behavior: float = 2.0
    """The same in a behavior, which shows how a thing is done; a person or a purpose added counts as in dialogue."""
    dropped: float = 0.6
    """Weight of a word that may not go missing where nothing is said in its place; verbs weigh less."""
    nothing_left: float = 0.9
    """Share of the base text's weight whose loss blocks."""

    def check(self, subject: Subject) -> Iterable[Finding]:
        """At most one finding for what is lost and one for what is invented."""
        base, voiced = analyse(subject.base), analyse(subject.voiced)
        missing = [(word, word.weight * (1 - voiced.cover(word.text))) for word in base.content]
        if "{" in subject.base:  # "the price is {price}"
            named = {slot[1:-1].lower() for slot in SLOT.findall(subject.base)}
            missing = [(word, 0.0 if word.text in named else loss) for word, loss in missing]
        if not _ONE.isdisjoint(voiced.texts) and _ONE.isdisjoint(base.texts):
            missing = stood_for(missing)
        if subject.culture and (greeting := greeted(subject, subject.culture)):
            missing = [(word, 0.0 if word.text in greeting else loss) for word, loss in missing]
        lost = list(self._lost(base, voiced, missing, subject.kind))
        invented = list(self._invented(subject, base, voiced))
        if not lost and (measure := lost_measure(base, voiced)):
            message = f'"{measure}" of the base text is lost: how much, or how sure.'
            yield Finding(self.id, Severity.review, message, None, f"Say {measure}.")
        yield from lost or invented or self._instead(subject, base, voiced, missing)
        if lost:
            yield from invented

    def _instead(
        self, subject: Subject, base: Analysis, voiced: Analysis, missing: list[tuple[Word, float]]
    ) -> Iterable[Finding]:
        """Little is lost and little invented: is something left out, or something else said?"""
        if not any(loss for _, loss in missing):
            return ()
        return self._dropped(subject, voiced, missing) or self._swapped(subject, base, voiced, missing)

    def _lost(
        self, base: Analysis, voiced: Analysis, missing: list[tuple[Word, float]], kind: Kind
    ) -> Iterator[Finding]:
        gone = sum([loss for _, loss in missing])
        if gone < self.least:
            return
        total = base.total
        shown = ", ".join(
            dict.fromkeys(word.text for word, loss in missing if loss >= 0.5 * word.weight and word.weight > 0.3)
        )
        if gone >= self.nothing_left * total and total >= 1.5:
            yield Finding(self.id, Severity.block, f"Hardly anything of the base text is left ({shown}).")
        elif gone > self.lost_share * total and (gone >= 0.6 or gone > self.lost_most * total):
            yield Finding(self.id, Severity.review, f"Lost from the base text: {shown}.", None, f"Say {shown}.")
        else:
            clause = lost_clause(missing, kind, self.lost_clause, self.lost_run) or lost_order(base, voiced)
            if clause:
                yield Finding(
                    self.id, Severity.review, f"A part of the base text is lost: {clause}.", None, f"Say {clause}."
                )

    def _dropped(self, subject: Subject, voiced: Analysis, missing: list[tuple[Word, float]]) -> list[Finding]:
        """A thing, a quality or a clause that is gone while nothing new stands in its place: words were left out."""
        gone = [word.text for word, loss in missing if word.weight >= self.dropped and loss == word.weight]
        gone = [word for word in gone if word not in _SAID_BY_ITSELF]
        last = [] if gone or subject.kind is Kind.behavior else last_clause_gone(analyse(subject.base), missing)
        base, least = analyse(subject.base), 0.3 if gone else 0.0
        if not (gone or last) or any(
            word.weight > least and base.cover(word.text) < 0.7 and word.text not in _DISCOURSE
            for word in voiced.content
        ):
            return []
        gone = gone or last
        return [Finding(self.id, Severity.review, f"Left out: {', '.join(gone)}.", None, f"Say {', '.join(gone)}.")]

    def _swapped(
        self, subject: Subject, base: Analysis, voiced: Analysis, missing: list[tuple[Word, float]]
    ) -> Iterator[Finding]:
        """Something is lost and something else said in its place, each too little to tell by itself."""
        gone = [word.text for word, loss in missing if word.weight > 0.3 and loss >= 0.85 * word.weight]
        if not gone:
            return
        free = free_words(subject)
        new = [
            word.text
            for word in voiced.content
            if word.weight > 0.3 and word.text not in free and not base.cover(word.text)
        ]
        share = sum(loss for _, loss in missing) / max(1.0, sum(word.weight for word in base.content))
        if new and share >= self.swapped_share:
            message = f"Says something else: {', '.join(new)} in place of {', '.join(gone)}."
            yield Finding(self.id, Severity.review, message, None, f"Say {', '.join(gone)}.")

    def _invented(self, subject: Subject, base: Analysis, voiced: Analysis) -> Iterator[Finding]:
        free = free_words(subject)
        new: dict[str, tuple[int, Word, float]] = {}
        for at, word in enumerate(voiced.words):
            if word.weight > 0.3 and word.text not in free and word.text not in new:
                heavy = word.weight * (1 - base.cover(word.text))
                if heavy > 0.25:
                    new[word.text] = at, word, heavy
        if subject.kind is Kind.behavior and (span := added_thought(base, voiced)):
            yield Finding(self.id, Severity.review, "A thought is added; a behavior shows what can be seen.", span)
        if not new:
            return
        added = tuple(new.values())
        limit = self.invented if subject.kind is Kind.dialogue else self.invented_in_behavior
        pointed = any(is_pointed(at, voiced.words, subject.kind, new) for at, _, _ in added)
        pointed = pointed or new_clause(voiced, new, subject.kind)
        if pointed or sum(heavy for _, _, heavy in added) >= limit:
            shown = ", ".join(new)
            first, last = added[0][1].span[0], added[-1][1].span[1]
            yield Finding(
                self.id,
                Severity.review,
                f"Not in the base text: {shown}.",
                (first, last),
                "Leave out what the base text lacks.",
            )


_SAID_BY_ITSELF = frozenset({"name", "answer", "longer", "cost", "costs"})
"""My name is Okafor: Okafor. My answer is no: no. It no longer runs: it doesn't run. It costs ten: ten for it."""
_DISCOURSE = word_set("discourse")
_ONE = frozenset({"one", "ones"})
