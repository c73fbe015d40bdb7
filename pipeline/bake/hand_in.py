"""Handing in a form: what it says of each text becomes a decision, and all of them are taken together, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.bake.review import Decided
from pipeline.bake.session import ReviewSession
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.review import Action, Decision, StaleItem, queue_digest, queue_row, raise_all, read_queue
from pipeline.review.form import BULK_TEXTS, HASH_LENGTH, Bulk, Choice, Entry, Form, Row, unflagged

_ONE_TEXT = (Choice.use, Choice.edit)


def hand_in(workspace: Workspace, zone_id: str, form: Form, reviewer: str) -> Decided:
    """Takes the decisions of `form` and rebuilds the zone's choices and queue and the draft.

    An empty form only rebuilds. Raises as `decide`; `StaleItem` too for a bulk decision on a queue that has changed.
    """
    with ReviewSession.open(workspace, zone_id, reviewer) as session:
        decisions = _decisions(session, form)
        verdicts = session.decide(decisions) if decisions else ()
        return Decided(verdicts, session.rebuild())


def _decisions(session: ReviewSession, form: Form) -> list[Decision]:
    if not form.entries and not form.bulk:
        return []
    project, zone_id = session.workspace.project, session.zone_id
    rows = read_queue(project, zone_id)
    by_line = {(row["npc"]["id"], row["line_id"]): row for row in rows}
    found: list[Decision] = []
    errors: list[UserError] = []
    for entry in form.entries:
        try:
            key = entry.npc_id, entry.line_id
            row = by_line.get(key) or _row(session, entry)
            found += _of_entry(entry, row)
        except UserError as error:
            errors.append(error)
    raise_all(errors)
    return found + (list(_of_bulk(project, zone_id, form.bulk, rows)) if form.bulk else [])


def _row(session: ReviewSession, entry: Entry) -> Row:
    """The row of a line that is not in the queue, as one that is decided."""
    if entry.choice in (Choice.withdraw, Choice.skip):
        return {"variants": []}
    return queue_row(session.zone_id, session.line(entry.npc_id, entry.line_id))


def _of_entry(entry: Entry, row: Row) -> Iterator[Decision]:
    if entry.choice is Choice.skip:
        return
    if entry.choice is Choice.withdraw:
        yield Decision(Action.withdraw, verdict_id=entry.verdict, reason=entry.reason)
        return
    what = f"{entry.choice} {entry.npc_id} {entry.line_id}"
    if not entry.seen or (len(entry.seen) > 1 and entry.choice in _ONE_TEXT):
        raise UserError(
            f"{what}: {'no text is named' if not entry.seen else 'a text is written for one tell state at a time'}.",
            "Name it under `texts`, as the links in the queue do: a tell state and the beginning of its text's hash.",
        )
    variants = {variant["tell_state"]: variant for variant in row["variants"]}
    for state, seen in entry.seen.items():
        yield _of_text(entry, state, variants[state], seen, f"{what} ({state})", row["base_hash"])


def _of_text(entry: Entry, state: TellState, variant: Row, seen: str, what: str, base_hash: str) -> Decision:
    action, text = _action(entry, variant)
    return Decision(
        action,
        entry.npc_id,
        entry.line_id,
        state,
        text=text,
        seen_hash=_seen_hash(variant, seen, what),
        base_hash=base_hash,
        rule=entry.rule or None,
        reason=entry.reason,
    )


def _action(entry: Entry, variant: Row) -> tuple[Action, str | None]:
    """The action, and the text that it speaks of; None: the chosen one."""
    if entry.choice not in _ONE_TEXT:
        return Action(entry.choice.value), None
    text = " ".join((entry.text or "").split("\n")).strip()
    if entry.choice is Choice.use and text == variant["voiced"]:
        return Action.approve, None
    if entry.choice is Choice.use and any(text == other["voiced"] for other in variant["others"]):
        return Action.approve, text
    return Action.edit, text


def _seen_hash(variant: Row, seen: str, what: str) -> str | None:
    now = variant["voiced_hash"]
    if (now is None and not seen) or (now is not None and len(seen) >= HASH_LENGTH and now.startswith(seen)):
        return None if now is None else str(now)
    text = "No text is chosen now" if variant["voiced"] is None else f'Now the text is: "{variant["voiced"]}"'
    raise StaleItem(f"{what}: the text has changed since you saw it.", f"{text}. Look at the queue anew, then decide.")


def _of_bulk(project: Project, zone_id: str, bulk: Bulk, rows: Sequence[Row]) -> Iterator[Decision]:
    if not 0 < bulk.texts <= BULK_TEXTS:
        raise UserError(
            f"unflagged: {bulk.texts} texts at once are not possible.", f"Give a number from 1 to {BULK_TEXTS}."
        )
    chosen = unflagged(rows, bulk.texts, with_remarks=bulk.with_remarks)
    count = sum(len(variants) for _, variants in chosen)
    if bulk.queue != queue_digest(project, zone_id) or count != bulk.texts:
        raise StaleItem(
            f"The queue has changed since this link was made for {bulk.texts} texts with no finding.",
            "Nothing was decided. Open the queue anew and use the link there.",
        )
    for row, variants in chosen:
        for variant in variants:
            yield Decision(
                Action.approve,
                row["npc"]["id"],
                row["line_id"],
                TellState(variant["tell_state"]),
                seen_hash=variant["voiced_hash"],
                base_hash=row["base_hash"],
            )
