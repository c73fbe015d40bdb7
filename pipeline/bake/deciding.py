"""From a decision to the verdicts that record it: is the item as the person saw it, and may it be decided so?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.bake.verdicts import variant_base
from pipeline.bake.voice import LineResult, subject
from pipeline.content.terms import Severity, TellState
from pipeline.errors import UserError
from pipeline.review import (
    REQUEST_CAP,
    Action,
    Contradiction,
    Decision,
    Ledger,
    StaleItem,
    VariantBase,
    Verdict,
    base_hash,
    requests,
    voiced_hash,
)
from pipeline.selection import CandidateText
from pipeline.validation.finding import Finding, is_crash
from pipeline.validation.ruleset import RuleSet

UNWAIVABLE = frozenset({"slots"})
"""Rules whose findings would break the game and not only the tone: all texts of a line have the same slots."""

_ADVICE = "Take it back first: voicebake verdict withdraw {id}"


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A line on the reviewer's desk: what is chosen now, and all that is needed to check another text."""

    result: LineResult
    names: frozenset[str]
    ledger: Ledger
    rules: RuleSet
    zone_wide: dict[TellState, tuple[Finding, ...]]
    """What the rules over the zone said of the texts when it was last published."""

    def variant(self, state: TellState) -> VariantBase:
        """The variant as verdicts speak of it."""
        return variant_base(self.result.job.line, state)

    def chosen(self, state: TellState) -> str | None:
        """The chosen text."""
        choice = self.result.choices[state].chosen
        return choice.candidate.voiced if choice else None

    def findings(self, state: TellState, text: str) -> tuple[Finding, ...]:
        """What today's rules say of a text that a person wrote or took over; waived rules are `info`."""
        candidate = CandidateText(round=0, index=0, masked=None, voiced=text, finished=True)
        neutral = None if state is TellState.Neutral else self.chosen(TellState.Neutral)
        found = self.rules.validate(subject(self.result.job, self.names, state, candidate, neutral))
        return self.result.standing(state).waive(text, found)

    def known_texts(self, state: TellState) -> Iterator[str]:
        """Every text of the variant that a person can have been shown."""
        choice = self.result.choices[state]
        for judged in (choice.chosen, *choice.others, choice.lapsed):
            if judged is not None:
                yield judged.candidate.voiced
        ref = self.result.job.line
        for one in self.ledger.of_line(ref.npc.id, ref.line_id):
            if one.tell_state is state and one.voiced is not None:
                yield one.voiced


def verdicts_of(decision: Decision, line: DeskLine, reviewer: str, time: str) -> list[Verdict]:
    """The entries that record `decision`, with their ids; none where it stands already.

    Raises `StaleItem` when the item has changed since the person saw it, `Contradiction` when another verdict stands
    against it, and `UserError` for a text that the rules block and for what is missing in the decision.
    """
    _check_seen(decision, line)
    if decision.action is Action.edit:
        return _edit(decision, line, reviewer, time)
    text = _spoken_of(decision, line)
    if decision.action is Action.regenerate:
        return _regenerate(decision, line, text, reviewer, time)
    if text is None:
        raise UserError(f"{decision.what}: no text is chosen.", "Edit the variant, or ask for other candidates.")
    if decision.action is Action.approve:
        return _approve(decision, line, text, reviewer, time)
    if decision.action is Action.reject:
        return _reject(decision, line, text, reviewer, time)
    return _waive(decision, line, text, [decision.rule or ""], reviewer, time)


def _check_seen(decision: Decision, line: DeskLine) -> None:
    ref, state = line.result.job.line, decision.tell_state
    if decision.base_hash not in (None, base_hash(ref.line.base_text)):
        raise StaleItem(
            f"{decision.what}: the base text has changed since you saw it.",
            f'It reads now: "{ref.line.base_text}". Bake the zone, then decide again.',
        )
    chosen = line.chosen(state)
    if decision.seen_hash is not None and (chosen is None or decision.seen_hash != voiced_hash(chosen)):
        raise _stale(decision, chosen)


def _spoken_of(decision: Decision, line: DeskLine) -> str | None:
    """The text that a decision speaks of. Raises `StaleItem` for one that nobody can see any more."""
    chosen = line.chosen(decision.tell_state)
    wanted = voiced_hash(decision.text) if decision.text is not None else decision.voiced_hash
    if wanted is None:
        return chosen
    for text in line.known_texts(decision.tell_state):
        if voiced_hash(text) == wanted:
            return text
    if decision.action is Action.waive and decision.text is not None:
        return decision.text  # for an edit that is to follow
    raise _stale(decision, chosen)


def _stale(decision: Decision, chosen: str | None) -> StaleItem:
    now = "No text is chosen now" if chosen is None else f'Now the text is: "{chosen}"'
    return StaleItem(f"{decision.what}: the text has changed since you saw it.", f"{now}. Look at it, then decide.")


def _approve(decision: Decision, line: DeskLine, text: str, reviewer: str, time: str) -> list[Verdict]:
    state = decision.tell_state
    variant, seen = line.variant(state), _seen_candidates(line, state)
    _refuse_contradiction(decision, line.ledger.on_text(variant, text, Action.reject), "rejected")
    waivers = _waive(decision, line, text, decision.waive, reviewer, time)
    holders = line.ledger.holders(variant)
    if holders and all(one.voiced == text and one.fingerprint in (None, seen) for one in holders):
        return waivers
    accepted = _asking([*_passing(decision, line, text), *_judged_findings(line, state, text)])
    approval = _verdict(
        decision, line, text, reviewer, time, supersedes=_ids(holders), findings=accepted, fingerprint=seen
    )
    return [*waivers, approval]


def _edit(decision: Decision, line: DeskLine, reviewer: str, time: str) -> list[Verdict]:
    state, text = decision.tell_state, (decision.text or "").strip()
    chosen, variant = line.chosen(state), line.variant(state)
    if not text:
        raise UserError(f"{decision.what}: the new text is missing.", "Give the whole line as it should read.")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise UserError(f"{decision.what}: the text holds half a character.", "Write it out.")
    if text == chosen:
        raise UserError(f"{decision.what}: the text is what it was.", "Approve it instead.")
    _refuse_contradiction(decision, line.ledger.on_text(variant, text, Action.reject), "rejected")
    waivers = _waive(decision, line, text, decision.waive, reviewer, time)
    findings = _passing(decision, line, text)
    edit = _verdict(
        decision,
        line,
        text,
        reviewer,
        time,
        old_voiced=chosen,
        supersedes=_ids(line.ledger.holders(variant)),
        findings=_asking(findings),
        fingerprint=_seen_candidates(line, state),
    )
    return [*waivers, edit]


def _reject(decision: Decision, line: DeskLine, text: str, reviewer: str, time: str) -> list[Verdict]:
    variant = line.variant(decision.tell_state)
    _refuse_contradiction(decision, line.ledger.on_text(variant, text, Action.approve), "approved")
    own = [one for one in line.ledger.holders(variant) if one.voiced == text]
    _refuse_contradiction(decision, own, "written")
    if any(one.action is Action.reject and one.voiced == text for one in line.ledger.at(variant)):
        return []
    return [_verdict(decision, line, text, reviewer, time)]


def _regenerate(decision: Decision, line: DeskLine, text: str | None, reviewer: str, time: str) -> list[Verdict]:
    if requests(line.ledger.at(line.variant(decision.tell_state))) >= REQUEST_CAP:
        raise UserError(
            f"{decision.what}: other candidates were asked for {REQUEST_CAP} times already.",
            "Take another candidate, edit the text, or reject it: then the variant falls back.",
        )
    return [_verdict(decision, line, text, reviewer, time)]


def _waive(
    decision: Decision, line: DeskLine, text: str, rules: Sequence[str], reviewer: str, time: str
) -> list[Verdict]:
    state = decision.tell_state
    waived = line.result.standing(state).waived.get(text, {})
    return [
        _waiver(decision, line, text, line.rules.rule(rule_id).id, reviewer, time)
        for rule_id in rules
        if rule_id not in waived
    ]


def _waiver(decision: Decision, line: DeskLine, text: str, rule_id: str, reviewer: str, time: str) -> Verdict:
    state = decision.tell_state
    if rule_id in UNWAIVABLE:
        raise UserError(f"{decision.what}: the rule {rule_id} cannot be waived.", line.rules.rule(rule_id).doc.waive)
    if not decision.reason.strip():
        raise UserError(f"{decision.what}: a waiver of {rule_id} needs a reason.", "Say why the rule is wrong here.")
    found = [*line.findings(state, text), *(line.zone_wide.get(state, ()) if text == line.chosen(state) else ())]
    if not any(finding.rule == rule_id for finding in _judged_findings(line, state, text) + found):
        raise UserError(
            f"{decision.what}: the rule {rule_id} says nothing of this text.",
            f"It is: {', '.join(sorted({finding.rule for finding in found})) or 'no rule'}.",
        )
    return _verdict(decision, line, text, reviewer, time, action=Action.waive, rule=rule_id)


def _judged_findings(line: DeskLine, state: TellState, text: str) -> list[Finding]:
    """The findings on a candidate as it was generated; the way back speaks of such texts only."""
    choice = line.result.choices[state]
    judged = [one for one in (choice.chosen, *choice.others) if one is not None and one.candidate.voiced == text]
    return [finding for one in judged for finding in one.findings]


def _passing(decision: Decision, line: DeskLine, text: str) -> tuple[Finding, ...]:
    """The findings on a text that is to be held. Raises `UserError` when one blocks it."""
    findings = tuple(
        one for one in line.findings(decision.tell_state, text) if one.rule not in decision.waive or is_crash(one)
    )
    blocking = [one for one in findings if one.severity is Severity.block]
    if blocking:
        said = "\n".join(f"  {one.rule}: {one.message}" for one in blocking)
        raise UserError(
            f'{decision.what}: the rules block "{text}":\n{said}', "Mend the text, or waive the rule with a reason."
        )
    return findings


def _refuse_contradiction(decision: Decision, against: Sequence[Verdict], how: str) -> None:
    if against:
        first = against[0]
        raise Contradiction(
            f'{decision.what}: "{first.voiced}" was {how} by {first.reviewer} on {first.time[:10]} '
            f"({first.npc_id} {first.line_id}, {first.id[:8]}).",
            _ADVICE.format(id=first.id[:8]),
        )


def _seen_candidates(line: DeskLine, state: TellState) -> str:
    return line.result.job.fingerprints[line.result.standing(state).attempts]


def _asking(findings: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(sorted({one.rule for one in findings if one.severity is Severity.review}))


def _ids(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    return tuple(one.id for one in verdicts)


def _verdict(
    decision: Decision,
    line: DeskLine,
    text: str | None,
    reviewer: str,
    time: str,
    *,
    action: Action | None = None,
    old_voiced: str | None = None,
    rule: str | None = None,
    supersedes: tuple[str, ...] = (),
    findings: tuple[str, ...] = (),
    fingerprint: str | None = None,
) -> Verdict:
    variant = line.variant(decision.tell_state)
    return Verdict(
        action=action or decision.action,
        npc_id=variant.npc_id,
        line_id=variant.line_id,
        kind=variant.kind,
        culture=variant.culture,
        tell_state=variant.tell_state,
        base=variant.base,
        voiced=text,
        base_hash=base_hash(variant.base),
        voiced_hash=None if text is None else voiced_hash(text),
        reviewer=reviewer,
        time=time,
        reason=decision.reason.strip(),
        old_voiced=old_voiced,
        rule=rule,
        supersedes=supersedes,
        findings=findings,
        fingerprint=fingerprint,
    ).identified()
