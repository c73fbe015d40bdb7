"""Going on, going back, and choosing what is shown."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.cli.review_terminal import dialogs
from pipeline.cli.review_terminal.front import Front
from pipeline.cli.review_terminal.tray import Filter, place_of
from pipeline.review import Action, Decision, Verdict


def skip(front: Front) -> None:
    """Goes to the next line that waits."""
    before = front.tray.at
    front.next_line("")
    if front.tray.at == before:
        front.app.note = "No other line waits here."


def undo(front: Front) -> None:
    """Takes back the last step; without one, the last verdict on the variant in front, after a question."""
    _, variant = front.line_and_variant()
    front.app.busy("Taking back...")
    taken = front.app.desk.undo()
    if not taken and variant["verdicts"]:
        last = variant["verdicts"][-1]
        question = f"Nothing was decided in this session. Take back: {last['action']} by {last['reviewer']}?"
        if not dialogs.confirm(front.app, question):
            return
        taken = front.app.desk.decide([Decision(Action.withdraw, verdict_id=last["id"])])
    if not taken:
        front.app.note = "There is nothing to undo."
        return
    front.app.decided += len(taken)
    _show_undone(front, taken)


def _show_undone(front: Front, taken: Sequence[Verdict]) -> None:
    places = list(dict.fromkeys((one.npc_id, one.line_id) for one in taken))
    for number, place in enumerate(places, 1):
        if len(places) > 1:
            front.app.busy(f"Taken back. Reading line {number} of {len(places)}...")
        front.show_anew(place)
    front.tray.find(places[0], taken[0].tell_state)
    front.app.note = f"Taken back: {len(taken)} {'entry' if len(taken) == 1 else 'entries'}."


def set_filter(front: Front) -> None:
    """Sets the filter, or clears the one that is set."""
    if front.tray.filter != Filter():
        line = front.tray.line
        front.tray.set_filter(Filter())
        if line is not None:
            front.tray.find(place_of(line))
        front.app.note = "All lines are shown."
        return
    name = dialogs.pick(front.app, "Filter by  r: rule  n: NPC  s: tell state  (any other key leaves)", "rns")
    if name is None:
        return
    word = {"r": "rule", "n": "npc", "s": "state"}[name]
    choices = [(value, f"{count} waiting") for value, count in front.tray.choices(word)]
    if not choices:
        front.app.note = "Nothing that waits can be told apart so."
    elif value := dialogs.choose(front.app, f"Filter by {word}:", choices):
        front.tray.set_filter(front.tray.filter.with_word(word, value))
