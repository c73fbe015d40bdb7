"""The forms that the cards link to, filled in from rows of the queue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.content.terms import TellState
from pipeline.review.form import Bulk, Choice, Entry, Form, Row, View, flagged, short_hash, waiting

_CHANGE = (
    "use: the text written here counts. Leave it as it is, or write over it.",
    "Other words in place of use: reject (it is wrong), regenerate (show me others), skip (not now).",
)
_WRITE = ('Write over the text under "text: >-". Quotes, dashes, colons and # may stand in it as they are.',)
_DOES = {
    Choice.approve: "Approve",
    Choice.use: "Use another candidate:",
    Choice.edit: "Edit",
    Choice.reject: "Reject, and ask for other candidates:",
    Choice.regenerate: "Ask for other candidates, without a judgement:",
}


def approve_line(row: Row) -> Form:
    """Approves what waits of a line."""
    return Form(f"Approve {_line_name(row)}: {_texts(len(waiting(row)))}.", (_approval(row),))


def approve_lines(rows: Sequence[Row]) -> Form:
    """Approves what waits of several lines."""
    entries = tuple(_approval(row) for row in rows if waiting(row))
    return Form(f"Approve {len(entries)} lines: {_texts(sum(len(entry.seen) for entry in entries))}.", entries)


def approve_unflagged(bulk: Bulk) -> Form:
    """Approves texts that wait and have no finding."""
    what = "is not flagged" if bulk.with_remarks else "has no finding"
    return Form(f"Approve what waits and {what}: {_texts(bulk.texts)}.", bulk=bulk)


def decide_line(row: Row) -> Form:
    """All that waits of a line, text by text."""
    return Form(f"Decide on {_line_name(row)}, text by text.", tuple(_each(row, waiting(row))), hints=_CHANGE)


def decide_flagged(rows: Sequence[Row]) -> Form:
    """All that waits and is flagged of several lines, text by text."""
    entries = tuple(entry for row in rows for entry in _each(row, [one for one in waiting(row) if flagged(one)]))
    return Form(f"Decide on flagged texts, one by one: {_texts(len(entries))}.", entries, hints=_CHANGE)


def one_text(row: Row, variant: Row, choice: Choice, text: str | None = None) -> Form:
    """One choice about one variant; `text` is the one to use."""
    title = f"{_DOES[choice]} {_line_name(row)}, {variant['tell_state']}."
    if choice is Choice.edit:
        text = variant["voiced"] or row["base"]
        return Form(title, (_entry(row, variant, choice, text=text, notes=tuple(_notes(row, variant))),), hints=_WRITE)
    return Form(title, (_entry(row, variant, choice, text=text),))


def waive_finding(row: Row, variant: Row, finding: Row) -> Form:
    """Waives one rule for one text of this line."""
    title = f'Waive the rule {finding["rule"]} for {_line_name(row)}, {variant["tell_state"]}. Say why at "reason".'
    return Form(title, (_entry(row, variant, Choice.waive, rule=finding["rule"]),))


def take_back(row: Row, variant: Row, verdict: Row) -> Form:
    """Withdraws an entry of the log."""
    title = f"Take back: {verdict['action']} by {verdict['reviewer']}, {_line_name(row)}, {variant['tell_state']}."
    return Form(title, (_entry(row, variant, Choice.withdraw, verdict=verdict["id"]),))


def show(view: View) -> Form:
    """Decides nothing; the cards come anew, of other lines."""
    return Form("Decide nothing, show other lines.", view=view)


def _approval(row: Row) -> Entry:
    seen = {TellState(one["tell_state"]): short_hash(one) for one in waiting(row)}
    return Entry(Choice.approve, row["npc"]["id"], row["line_id"], seen)


def _each(row: Row, variants: Sequence[Row]) -> Iterator[Entry]:
    for variant in variants:
        yield _entry(row, variant, Choice.use, text=variant["voiced"], notes=tuple(_notes(row, variant)))


def _entry(
    row: Row,
    variant: Row,
    choice: Choice,
    *,
    text: str | None = None,
    rule: str = "",
    verdict: str = "",
    notes: tuple[str, ...] = (),
) -> Entry:
    seen = {TellState(variant["tell_state"]): short_hash(variant)}
    return Entry(choice, row["npc"]["id"], row["line_id"], seen, text, rule, verdict, notes=notes)


def _notes(row: Row, variant: Row) -> Iterator[str]:
    """What a person wants to see above a text to write over: where it comes from, and what else there is."""
    yield f"base: {row['base']}"
    if flagged(variant):
        yield from (f"{finding['rule']}: {finding['message']}" for finding in variant["findings"])
        yield from (f"or: {other['voiced']}" for other in variant["others"])


def _line_name(row: Row) -> str:
    return f"{row['line_id']} of {row['npc']['name']}"


def _texts(count: int) -> str:
    return "1 text" if count == 1 else f"{count} texts"
