"""Approving: a line, a variant, another candidate, many at once."""

from __future__ import annotations

from pipeline.cli.review_terminal import dialogs
from pipeline.cli.review_terminal.deciding import approvals, bulk_items, count_words, decision, left_over, settled
from pipeline.cli.review_terminal.front import Front
from pipeline.cli.review_terminal.tray import place_of
from pipeline.review import Action


def approve_line(front: Front) -> None:
    """Approves what waits in the line; says what cannot be approved as it stands."""
    line, _ = front.line_and_variant()
    wanted = approvals((line, variant) for variant in line["variants"])
    left = left_over(line)
    if not wanted:
        why = f"Not approved: {', '.join(left)}." if left else "Nothing of this line waits."
        front.app.note = why if left else f"{why} n goes on."
        return
    front.decide(wanted, f"Approving {len(wanted)} variants...")
    front.show_anew(place_of(line))
    if left:
        front.app.note = f"Approved {len(wanted)}. Not approved: {', '.join(left)}."
        front.tray.next_waiting_variant()
    else:
        front.next_line(f"Approved {len(wanted)} of {place_of(line)[1]}.")


def approve_variant(front: Front) -> None:
    """Approves the text in front."""
    line, variant = front.line_and_variant()
    front.decide([decision(Action.approve, line, variant)], "Approving...")
    front.after_variant(f"Approved {variant['tell_state']}.")


def take(front: Front, number: int) -> None:
    """Approves another candidate in place of the text in front."""
    line, variant = front.line_and_variant()
    if number > len(variant["others"]):
        front.app.note = f"There is no candidate {number} for {variant['tell_state']}."
        return
    other = variant["others"][number - 1]
    front.decide([decision(Action.approve, line, variant, voiced_hash=other["voiced_hash"])], "Approving...")
    front.after_variant(f"Candidate {number} stands as {variant['tell_state']}.")


def approve_many(front: Front) -> None:
    """Approves all without a finding, or all that the filter shows, after a question that says how many."""
    clean, more_clean = bulk_items(front.tray, clean_only=True)
    every, more = bulk_items(front.tray, clean_only=False)
    filtered = bool(front.tray.filter.words)
    question = f"Approve  c: all without a finding ({count_words(clean)})"
    question += f"  f: all that the filter shows ({count_words(every)})" if filtered else "  (f: set a filter first)"
    chosen = dialogs.pick(front.app, question, "cf" if filtered else "c")
    if chosen is None:
        return
    items, cut_off = (clean, more_clean) if chosen == "c" else (every, more)
    if not items:
        front.app.note = "None of these waits."
        return
    first = " (the first of them; b again goes on)" if cut_off else ""
    if not dialogs.confirm(front.app, f"Approve {count_words(items)}{first}?"):
        front.app.note = "Nothing was approved."
        return
    front.decide(approvals(items), f"Approving {count_words(items)}...")
    for line in {place_of(line): line for line, _ in items}.values():
        states = [one["tell_state"] for its, one in items if place_of(its) == place_of(line)]
        front.tray.replace_line(settled(line, states))
    front.next_line(f"Approved {count_words(items)}. u takes all of it back.")
