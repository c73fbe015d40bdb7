"""Replies: the voiced text says the line itself, it does not answer it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity
from pipeline.validation.analysis import analyse
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import fold
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said

_DOC = RuleDoc(
    catches="A reply to the line in place of the line: thanks, an answer or a promise that the base text lacks.",
    severity="block where much of the base text is gone as well, or a question got an answer; else silent.",
    bad=(
        "Hand me that wrench. -> Sure, here's your wrench.",
        "The lift is broken again. -> Thanks for telling me, I'll take the stairs.",
        "Do you know the way? -> Yes, I know the way.",
    ),
    good=("The lift is broken again. -> Yeah, lift's broken again.", "Yes, I know the way. -> Yeah, know the way."),
    waive="waive the rule for the line in the review when the line is said and not answered.",
)
_CANARIES = (
    Canary(said("Hand me that wrench.", "Sure, here's your wrench."), "an order obeyed"),
    Canary(said("The lift is broken again.", "Thanks for telling me, I'll take the stairs."), "news thanked for"),
    Canary(said("Do you know the way to the pumps?", "Yes, I know the way to the pumps."), "a question answered"),
)
_OPENING = re.compile(
    r"(?:oh,? |ah,? )?(?:thanks|thank you|okay|ok|alright|all right|sure|sure thing|yes|yeah|yep|no problem|no worries|"
    r"will do|on it|got it|understood|of course|right away|sorry to hear|sorry about|good to know|glad to hear|"
    r"glad you|here you go|you're welcome|consider it done|i'm on it|i'll get right on|i understand|"
    r"(?:no|nope)(?=[,.;:!…—–-])|"
    r"i don't know|not sure)(?![\w'])"
)


@dataclass(frozen=True)
class Replies:
    """Looks for the words that open an answer, and for what is left of the base text behind them."""

    id: str = "replies"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES
    kept: float = 0.65
    """Share of the base text's weight from which a text still says the line."""

    def check(self, subject: Subject) -> Iterable[Finding]:
        """At most one finding, on dialogue."""
        if subject.kind is Kind.behavior:
            return
        found = _OPENING.match(fold(subject.voiced).lower)
        if found is None or _OPENING.match(fold(subject.base).lower):
            return
        base, voiced = analyse(subject.base), analyse(subject.voiced)
        total = sum(word.weight for word in base.content)
        kept = sum(word.weight * voiced.cover(word.text) for word in base.content)
        ordered = any(role.subject == "imp" for role in base.roles)
        orders = any(role.subject == "imp" for role in voiced.roles)
        answered = base.asks and not voiced.asks
        if answered or (total and kept < self.kept * total) or (ordered and not orders and not voiced.asks):
            span = fold(subject.voiced).span(*found.span())
            yield Finding(self.id, Severity.block, "This answers the line; it does not say it.", span)
