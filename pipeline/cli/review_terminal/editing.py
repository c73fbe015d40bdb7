"""Editing a variant: the rules speak while a person types, and again before the text is kept."""

from __future__ import annotations

from pipeline.cli.review_terminal import dialogs
from pipeline.cli.review_terminal.card import findings_rows
from pipeline.cli.review_terminal.deciding import decision
from pipeline.cli.review_terminal.front import Front
from pipeline.cli.review_terminal.layout import Row, Style, row
from pipeline.cli.review_terminal.tray import Line, Place, Variant, place_of
from pipeline.content.terms import Severity, TellState
from pipeline.errors import UserError
from pipeline.review import Action, StaleItem


def edit(front: Front) -> None:
    """Lets the person write the variant anew until it is kept or they leave."""
    line, variant = front.line_and_variant()
    place, state = place_of(line), TellState(variant["tell_state"])
    text = variant["voiced"] or line["base"]
    title = f"Edit {state}: Enter saves, Esc leaves"

    while True:
        written = dialogs.ask_text(
            front.app,
            title,
            text,
            check=lambda new: _findings(front, place, state, new),
            note=f"Base: {line['base']}",
        )
        if written is None:
            front.app.note = "Not edited."
            return
        try:
            saved = _save_edit(front, line, variant, written)
        except StaleItem:
            front.show_anew(place)
            raise
        except UserError as error:
            saved, title = False, f"Not saved: {' '.join(error.message.split())}"
        if saved:
            front.after_variant(f"{state} reads as you wrote it.")
            return
        text = written


def _save_edit(front: Front, line: Line, variant: Variant, text: str) -> bool:
    """Saves an edit; one that is blocked may be saved with its rules waived. False: back to the editor."""
    place, state = place_of(line), TellState(variant["tell_state"])
    front.app.busy("Checking...")
    found = front.app.desk.check(place, state, text.strip()) if text.strip() else ()
    rules = tuple(dict.fromkeys(one.rule for one in found if one.severity is Severity.block))
    reason = ""
    if rules:
        asked = dialogs.ask_text(
            front.app,
            f"{', '.join(rules)} blocks this text. Why is the rule wrong here? Esc: back to the text",
            front.reasons.get(rules[0], ""),
        )
        if not asked:
            return False
        reason = asked
        front.reasons.update(dict.fromkeys(rules, reason))
    front.decide([decision(Action.edit, line, variant, text=text, waive=rules, reason=reason)], "Saving...")
    return True


def _findings(front: Front, place: Place, state: TellState, text: str) -> list[Row]:
    if not text.strip():
        return [row("The text is empty.", front.app.width, Style.review)]
    found = [
        {"rule": one.rule, "severity": one.severity, "message": one.message, "suggestion": one.suggestion}
        for one in front.app.desk.check(place, state, text.strip())
        if one.severity is not Severity.info
    ]
    return findings_rows(found, front.app.width) or [row("No findings.", front.app.width, Style.added)]
