"""What all rules on word lists share: hits of the shared matcher become findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.hits import Hit
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.rule import Canary, RuleDoc, Subject

WAIVE_WORD = (
    "if the use is innocent, add a pattern to the term's `allow` in its word list; if only this line is right, "
    "waive the rule "
    "for it in the review. A word that the base text holds is never reported."
)


def new_hits(lexicon: Lexicon, subject: Subject, lists: frozenset[str]) -> Iterator[Hit]:
    """The hits of some lists in the voiced text, without the terms that the base text holds itself."""
    present = lexicon.scan(subject.base).present
    for hit in lexicon.scan(subject.voiced).hits:
        if hit.entry.list_id in lists and hit.term.term not in present:
            yield hit


def said(base: str, voiced: str, kind: Kind = Kind.dialogue, tell: TellState = TellState.Neutral) -> Subject:
    """A subject of two texts alone, as canaries need it."""
    return Subject(base, voiced, kind, tell)


@dataclass(frozen=True)
class VocabularyRule:
    """Reports the terms of some word lists. Base of the rules on words; `label` opens the message."""

    lexicon: Lexicon
    lists: frozenset[str]
    id: str
    label: str
    doc: RuleDoc
    canaries: Sequence[Canary] = ()

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per hit that the base text does not explain."""
        if not self.lexicon.scan(subject.voiced).hits:
            return ()
        return [
            finding(self.id, self.label.format(list=hit.entry.list_id, group=hit.term.group), hit)
            for hit in new_hits(self.lexicon, subject, self.lists)
        ]


def finding(rule: str, label: str, hit: Hit) -> Finding:
    """A hit as a reviewer reads it."""
    disguise = f' (spells "{hit.term.term}")' if hit.disguised else ""
    note = f" {hit.term.note.rstrip('.')}." if hit.term.note else ""
    message = f'{label}: "{hit.text}"{disguise}.{note}'
    suggestion = f"Write: {hit.term.replacement}." if hit.term.replacement else None
    return Finding(rule, hit.severity, message, hit.span, suggestion)
