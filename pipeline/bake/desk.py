"""A line on a reviewer's desk: what is chosen now, and all that is needed to check another text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.bake.verdicts import variant_base
from pipeline.bake.voice import LineResult, subject
from pipeline.content.terms import TellState
from pipeline.review import Decision, Ledger, VariantBase, Verdict, base_hash, voiced_hash
from pipeline.selection import CandidateText
from pipeline.validation.finding import Finding
from pipeline.validation.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A line under the verdicts of `ledger`."""

    result: LineResult
    names: frozenset[str]
    ledger: Ledger
    rules: RuleSet
    zone_wide: Mapping[TellState, tuple[Finding, ...]]
    """What the rules over the zone said of the texts when it was last published."""

    def variant(self, state: TellState) -> VariantBase:
        """A variant as verdicts speak of it."""
        return variant_base(self.result.job.line, state)

    def chosen(self, state: TellState) -> str | None:
        """The chosen text."""
        choice = self.result.choices[state].chosen
        return choice.candidate.voiced if choice else None

    def fingerprint(self, state: TellState) -> str:
        """Of the candidates that there are to choose from."""
        return self.result.job.fingerprints[self.result.standing(state).attempts]

    def findings(self, state: TellState, text: str) -> tuple[Finding, ...]:
        """What today's rules say of a text that a person wrote or took over; waived rules are `info`."""
        candidate = CandidateText(round=0, index=0, masked=None, voiced=text, finished=True)
        neutral = None if state is TellState.Neutral else self.chosen(TellState.Neutral)
        found = self.rules.validate(subject(self.result.job, self.names, state, candidate, neutral))
        return self.result.standing(state).waive(text, found)

    def shown_findings(self, state: TellState, text: str) -> list[Finding]:
        """What a reviewer saw at a text: as a candidate it was also measured, and compared with the zone."""
        choice = self.result.choices[state]
        judged = [one for one in (choice.chosen, *choice.others) if one is not None and one.candidate.voiced == text]
        zone_wide = self.zone_wide.get(state, ()) if text == self.chosen(state) else ()
        return [*(finding for one in judged for finding in one.findings), *zone_wide]

    def known_texts(self, state: TellState) -> Iterator[str]:
        """Every text of a variant that a person can have been shown."""
        choice = self.result.choices[state]
        for judged in (choice.chosen, *choice.others, choice.lapsed):
            if judged is not None:
                yield judged.candidate.voiced
        ref = self.result.job.line
        for one in self.ledger.of_line(ref.npc.id, ref.line_id):
            if one.tell_state is state and one.voiced is not None:
                yield one.voiced


@dataclass(frozen=True, slots=True)
class Case:
    """One decision on a line of the desk, by somebody at some time."""

    decision: Decision
    line: DeskLine
    reviewer: str
    time: str
    """ISO 8601, UTC."""
    seen: str | None
    """The chosen text that the decision speaks of: as it was before the call, unless the call changed this very one."""

    @property
    def state(self) -> TellState:
        """The tell state that is decided on."""
        return self.decision.tell_state

    def verdict(self, text: str | None, **more: Any) -> Verdict:
        """The entry for a decision on `text`, with its id; `more` are further fields of `Verdict`."""
        variant = self.line.variant(self.state)
        values = {"action": self.decision.action, "reason": self.decision.reason.strip(), **more}
        return Verdict(
            npc_id=variant.npc_id,
            line_id=variant.line_id,
            kind=variant.kind,
            culture=variant.culture,
            tell_state=variant.tell_state,
            base=variant.base,
            voiced=text,
            base_hash=base_hash(variant.base),
            voiced_hash=None if text is None else voiced_hash(text),
            reviewer=self.reviewer,
            time=self.time,
            **values,
        ).identified()
