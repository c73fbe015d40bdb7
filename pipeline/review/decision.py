"""What a person asks for, before it is a verdict, and what may be wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.review.verdict import Action


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision on one variant, as a user interface hands it on."""

    action: Action
    npc_id: str = ""
    line_id: str = ""
    tell_state: TellState = TellState.Neutral
    text: str | None = None
    """Edit: the new text. Otherwise the text that is spoken of; None: the one that `voiced_hash` names."""
    voiced_hash: str | None = None
    """Of the text that is spoken of; None: the chosen one."""
    seen_hash: str | None = None
    """`voiced_hash` of the chosen text as the person saw it; another one is chosen now: `StaleItem`."""
    base_hash: str | None = None
    """Likewise for the base text."""
    rule: str | None = None
    """Waive: the rule."""
    waive: tuple[str, ...] = ()
    """Approve, edit: rules to waive for this text in the same step."""
    reason: str = ""
    verdict_id: str | None = None
    """Withdraw: the id of the entry, or its beginning."""
    origin: str = ""
    """Where the decision was written down, for messages."""

    @property
    def what(self) -> str:
        """The decision in a few words, for messages."""
        before = f"{self.origin}: " if self.origin else ""
        if self.action is Action.withdraw:
            return f"{before}withdraw {self.verdict_id}"
        return f"{before}{self.action} {self.npc_id} {self.line_id} ({self.tell_state})"


class StaleItem(UserError):
    """The text that a person decided on is no longer what is chosen or authored."""


class Contradiction(UserError):
    """The decision contradicts one that stands."""


class DecisionErrors(UserError):
    """Several decisions cannot be taken; none was."""

    def __init__(self, errors: Sequence[UserError]) -> None:
        self.errors = tuple(errors)
        lines = [f"{error.message}{f' {error.hint}' if error.hint else ''}" for error in self.errors]
        super().__init__(
            "\n".join((f"{len(lines)} decisions cannot be taken:", *lines)),
            "Nothing was decided. Mend them and try again.",
        )


def raise_all(errors: Sequence[UserError]) -> None:
    """Raises what is in `errors`: a single one as it is, several as `DecisionErrors`."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise DecisionErrors(errors)
