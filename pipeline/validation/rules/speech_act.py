"""A question stays a question, and no other line becomes one."""

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

_TAG = re.compile(
    r"(?:^|[\s,.!…—-])(?:yeah|right|alright|all right|okay|ok|eh|huh|hm+|no|what|see|hear|hey|you know|get it|got "
    r"it|got that|hear me|"
    r"is it|isn't it|aren't they|don't you|won't you|will you|would you|could you|can you)\?",
    re.IGNORECASE,
)
_ECHO = re.compile(r"(?:^|(?<=[.!?…—]))\s*(?:\w+'?\w*\s+){0,2}\w+'?\w*\?(?=\s+\w)")
"""A topic put up as a short question before the line goes on: "Canteen? Down the stairs." """
_DOC = RuleDoc(
    catches="A question that no longer asks, or a statement, order or offer that became a question.",
    severity="block where a question no longer asks, or a report is asked outright (is it, do you); review else. "
    "A tag (right? yeah?) makes no question.",
    bad=("Are you looking for work? -> I'm looking for work.", "The lift is broken. -> Is the lift broken?"),
    good=("Which way is the lift? -> The lift. Which way?", "Wait here. -> Wait here, yeah?"),
    waive="waive the rule for the line in the review; an offer may stand as a question when the base text offers.",
)
_CANARIES = (
    Canary(said("Are you looking for work?", "I'm looking for work."), "a question answered"),
    Canary(said("The lift is broken.", "Is the lift broken?"), "a statement asked"),
    Canary(said("Did the barge leave?", "The barge left."), "a question stated"),
)


@dataclass(frozen=True)
class SpeechAct:
    """Compares whether base and voiced text ask. Orders and reports are the business of `who-does-what`."""

    id: str = "speech-act"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """At most one finding, on dialogue."""
        if subject.kind is Kind.behavior:
            return
        asked, asks = analyse(subject.base).asks, analyse(subject.voiced).asks
        if asked and not asks:
            severity = Severity.review if _ASKS_OTHERWISE.search(fold(subject.voiced).lower) else Severity.block
            message = "The base text asks, the voiced text does not."
            yield Finding(self.id, severity, message, None, "Keep the question.")
        if asks and not asked and (rest := _ECHO.sub("", _TAG.sub("", subject.voiced))) and "?" in rest:
            at = subject.voiced.rfind("?")
            severity = Severity.block if _asked_outright(subject) else Severity.review
            yield Finding(self.id, severity, "The voiced text asks, the base text does not.", (at, at + 1))


def _asked_outright(subject: Subject) -> bool:
    """True if a report is asked for with inverted words; orders and offers may be asked."""
    if _OFFERS.search(fold(subject.base).lower) or any(role.subject == "imp" for role in analyse(subject.base).roles):
        return False
    return _INVERTED.match(fold(subject.voiced).lower) is not None


_ASKS_OTHERWISE = re.compile(
    r"\b(?:tell me|wonder\w*|need to know|want to know|let me know|say (?:how|what|where|when|who|why|if)|asking|"
    r"curious|wants? to|looking for)\b|^(?:how|what|where|when|who|why|which|whose|any|is|are|do|does|did|can|will)\b"
)
_INVERTED = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|can|could|will|would|what|where|who|when|why|how)(?:n't)?\b[^.!]*\?\Z"
)
_OFFERS = re.compile(r"\b(?:i|we) (?:can|could|will|would|may)\b|\b(?:i|we)'ll\b|\bif you\b|\bneed\b|\bwant\b|\blike\b")
