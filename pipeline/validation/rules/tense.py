"""Tense: what is, or is to be done, has not become what was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pipeline.content.terms import Kind, Severity
from pipeline.validation.dictionary import lemmas
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import words
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said

_DOC = RuleDoc(
    catches="A verb of the base text that stands in the past in the voiced text, where the base text has it in the "
    "present, in the future or as an order. Looks at dialogue only, and at verbs right after a pronoun: elsewhere the "
    "same form may be a participle (the hatch sealed behind you).",
    severity="review.",
    bad=("Sit down and show me your neck. -> You sat down and showed me your neck.",),
    good=("Did Bram send you? -> Bram sent you?", "The gate is closed by hand. -> Gate's closed by hand."),
    waive="waive the rule for the line in the review.",
)
_CANARIES = (
    Canary(said("Sit down and show me your neck.", "You sat down and showed me your neck."), "an order told"),
    Canary(said("Nothing leaves here on a spoken word.", "Nothing left here on a spoken word."), "the present lost"),
    Canary(said("It opens with the day shift.", "With the day shift it opened."), "what is to come has been"),
)
_SUBJECTS = frozenset(("i", "you", "he", "she", "it", "they", "we", "nobody", "nothing", "everybody", "everyone"))
_AUXILIARIES = frozenset(("be", "have", "do", "will", "can", "may", "shall", "must", "get"))
_PAST_IN_BASE = frozenset(("did", "didn't", "used", "could", "would"))


@dataclass(frozen=True)
class Tense:
    """Compares the forms of verbs that both texts have."""

    id: str = "tense"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """At most one finding."""
        if subject.kind is Kind.behavior:
            return
        base, voiced = words(subject.base), words(subject.voiced)
        if _SUBJECTS.isdisjoint(voiced):
            return
        known = frozenset(base)
        if known & _PAST_IN_BASE:
            return
        ordered = {later for earlier, later in pairwise(base) if earlier == "to"}
        for before, word in pairwise(voiced):
            if before not in _SUBJECTS or word in known:
                continue
            for present, past in _presents(word):
                was = next((form for form in base if form in present and form not in ordered), None)
                if was and not known & past:
                    yield Finding(self.id, Severity.review, f'The base text says "{was}", not "{word}".')
                    return


@lru_cache(maxsize=8192)
def _presents(word: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """For each verb whose past `word` is: its present forms, and its past forms. None for forms that serve as both."""
    from lemminflect import getInflection

    if not word.isalpha():
        return ()
    found = []
    for lemma in sorted(lemmas(word) - _AUXILIARIES):
        past = frozenset((*getInflection(lemma, "VBD"), *getInflection(lemma, "VBN")))
        present = frozenset((lemma, *getInflection(lemma, "VBZ")))
        if word in past and word not in present:
            found.append((present, past))
    return tuple(found)
