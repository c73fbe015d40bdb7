"""What the launchpad of the `review` job takes: a form, as run config."""

import dagster as dg
from pydantic import Field

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.review.form import Bulk, Choice, Entry, Form, View


class TextDecision(dg.Config):
    """One decision on one or more variants of a line."""

    action: Choice = Field(description="approve, use, edit, reject, regenerate, waive, withdraw or skip.")
    npc: str = Field(default="", description="The NPC's id.")
    line: str = Field(default="", description="The line's id.")
    texts: dict[str, str] = Field(
        default={}, description="Per tell state the beginning of the hash of the text that is decided on."
    )
    text: str = Field(default="", description="use, edit: the text as it should read.")
    rule: str = Field(default="", description="waive: the rule.")
    reason: str = Field(default="", description="Why; waive needs it.")
    verdict: str = Field(default="", description="withdraw: the entry's id, or its beginning.")


class Unflagged(dg.Config):
    """Approve the first texts that wait and have no finding."""

    texts: int = Field(description="How many; the run refuses when there are fewer by now.")
    with_remarks: bool = Field(default=False, description="Texts with findings of severity info too.")
    queue: str = Field(description="The state of the queue that was looked at; the run refuses another one.")


class Show(dg.Config):
    """Which lines the cards show afterwards."""

    from_line: int = Field(default=1, description="The first line, counted from 1.")
    npc: str = Field(default="", description="Only lines of this NPC.")
    rule: str = Field(default="", description="Only lines with a waiting text that this rule has a finding on.")


class ReviewConfig(dg.Config):
    """What a reviewer hands in. Empty: the queue and the draft are rebuilt, nothing is decided."""

    reviewer: str = Field(default="", description="Who decides; empty: your git user.name and user.email.")
    decisions: list[TextDecision] = Field(default=[], description="One entry per text or line; all are taken, or none.")
    unflagged: Unflagged | None = Field(default=None, description="A bulk approval.")
    show: Show = Field(default=Show(), description="Which lines the cards show afterwards.")

    def view(self) -> View:
        """What the cards are to show."""
        return View(self.show.from_line, self.show.npc, self.show.rule)

    def form(self) -> Form:
        """The decisions. Raises `UserError` for a tell state that does not exist."""
        bulk = None
        if one := self.unflagged:
            bulk = Bulk(one.texts, one.queue, one.with_remarks)
        return Form("", tuple(_entry(one) for one in self.decisions), bulk)


def _entry(one: TextDecision) -> Entry:
    if unknown := sorted(set(one.texts) - set(TellState)):
        raise UserError(
            f"{one.action} {one.npc} {one.line}: {unknown[0]!r} is no tell state.",
            f"There are: {', '.join(TellState)}.",
        )
    seen = {TellState(state): text_hash for state, text_hash in one.texts.items()}
    return Entry(one.action, one.npc, one.line, seen, one.text, one.rule, one.verdict, one.reason)
