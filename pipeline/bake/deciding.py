"""From a decision to the verdicts that record it: is the item as the person saw it, and may it be decided so?"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.bake.desk import Case
from pipeline.bake.waiving import passing_findings, waivers
from pipeline.content.terms import Severity
from pipeline.errors import UserError
from pipeline.review import (
    REQUEST_CAP,
    Action,
    Contradiction,
    StaleItem,
    Verdict,
    base_hash,
    requests,
    voiced_hash,
)
from pipeline.validation.finding import Finding


def verdicts_of(case: Case) -> list[Verdict]:
    """The entries that record a decision, with their ids; none where it stands already.

    Raises `StaleItem` when the item has changed since the person saw it, `Contradiction` when another verdict stands
    against it, and `UserError` for a text that the rules block and for what is missing in the decision.
    """
    _check_seen(case)
    action = case.decision.action
    if action is Action.edit:
        return _edit(case)
    text = _spoken_of(case)
    if action is Action.regenerate:
        return _regenerate(case, text)
    if text is None:
        raise UserError(f"{case.decision.what}: no text is chosen.", "Edit the variant, or ask for other candidates.")
    if action is Action.approve:
        return _approve(case, text)
    if action is Action.reject:
        return _reject(case, text)
    return waivers(case, text, [case.decision.rule or ""])


def _check_seen(case: Case) -> None:
    base, chosen = case.line.variant(case.state).base, case.seen
    if case.decision.base_hash not in (None, base_hash(base)):
        raise StaleItem(
            f"{case.decision.what}: the base text has changed since you saw it.",
            f'It reads now: "{base}". Bake the zone, then decide again.',
        )
    if case.decision.seen_hash not in (None, None if chosen is None else voiced_hash(chosen)):
        raise _stale(case)


def _spoken_of(case: Case) -> str | None:
    """The text that a decision speaks of. Raises `StaleItem` for one that nobody can see any more."""
    text = case.decision.text
    wanted = case.decision.voiced_hash if text is None else voiced_hash(text)
    if wanted is None or (case.seen is not None and voiced_hash(case.seen) == wanted):
        return case.seen
    for known in case.line.known_texts(case.state):
        if voiced_hash(known) == wanted:
            return known
    if case.decision.action is Action.waive and text is not None:
        return text  # for an edit that is to follow
    raise _stale(case)


def _stale(case: Case) -> StaleItem:
    chosen = case.seen
    now = "No text is chosen now." if chosen is None else f'Now the text is: "{chosen}".'
    return StaleItem(f"{case.decision.what}: the text has changed since you saw it.", f"{now} Look at it, then decide.")


def _approve(case: Case, text: str) -> list[Verdict]:
    line, variant, seen = case.line, case.line.variant(case.state), case.line.fingerprint(case.state)
    _refuse(case, _rejections(case, text), "rejected")
    waived = waivers(case, text, case.decision.waive)
    holders = line.ledger.holders(variant)
    if holders and all(one.voiced == text and one.fingerprint in (None, seen) for one in holders):
        return waived
    accepted = _asking([*passing_findings(case, text), *line.shown_findings(case.state, text)])
    return [*waived, case.verdict(text, supersedes=_ids(holders), findings=accepted, fingerprint=seen)]


def _edit(case: Case) -> list[Verdict]:
    line, text, what = case.line, (case.decision.text or "").strip(), case.decision.what
    if not text:
        raise UserError(f"{what}: the new text is missing.", "Give the whole line as it should read.")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise UserError(f"{what}: the text holds half a character.", "Write it out.")
    chosen = line.chosen(case.state)
    if text == chosen:
        raise UserError(f"{what}: the text is what it was.", "Approve it instead.")
    _refuse(case, _rejections(case, text), "rejected")
    waived = waivers(case, text, case.decision.waive)
    edit = case.verdict(
        text,
        old_voiced=chosen,
        supersedes=_ids(line.ledger.holders(line.variant(case.state))),
        findings=_asking(passing_findings(case, text)),
        fingerprint=line.fingerprint(case.state),
    )
    return [*waived, edit]


def _reject(case: Case, text: str) -> list[Verdict]:
    ledger, variant = case.line.ledger, case.line.variant(case.state)
    judged = ledger.judged(variant).get(text)
    _refuse(case, judged.approvals if judged else (), "approved")
    _refuse(case, [one for one in ledger.holders(variant) if one.voiced == text], "written")
    if any(one.action is Action.reject and one.voiced == text for one in ledger.at(variant)):
        return []
    return [case.verdict(text)]


def _regenerate(case: Case, text: str | None) -> list[Verdict]:
    if requests(case.line.ledger.at(case.line.variant(case.state))) >= REQUEST_CAP:
        raise UserError(
            f"{case.decision.what}: other candidates were asked for {REQUEST_CAP} times already.",
            "Take another candidate, edit the text, or reject it: then the variant falls back.",
        )
    return [case.verdict(text)]


def _rejections(case: Case, text: str) -> Sequence[Verdict]:
    judged = case.line.ledger.judged(case.line.variant(case.state)).get(text)
    return judged.rejections if judged else ()


def _refuse(case: Case, against: Sequence[Verdict], how: str) -> None:
    """Raises `Contradiction` when there is a verdict that stands against the decision."""
    if against:
        first = against[0]
        raise Contradiction(
            f'{case.decision.what}: "{first.voiced}" was {how} by {first.reviewer} on {first.time[:10]} '
            f"({first.npc_id} {first.line_id}, {first.id[:8]}).",
            f"Take it back first: voicebake verdict withdraw {first.id[:8]}",
        )


def _asking(findings: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(sorted({one.rule for one in findings if one.severity is Severity.review}))


def _ids(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    return tuple(one.id for one in verdicts)
