"""Against a text, or against a rule: reject, ask for other candidates, waive."""

from __future__ import annotations

from pipeline.cli.review_terminal import dialogs
from pipeline.cli.review_terminal.deciding import decision
from pipeline.cli.review_terminal.front import Front
from pipeline.cli.review_terminal.tray import open_findings, place_of
from pipeline.review import Action


def reject(front: Front) -> None:
    """Rejects the text in front, with a reason."""
    line, variant = front.line_and_variant()
    likely = ", ".join(dict.fromkeys(one["rule"] for one in open_findings(variant)))
    reason = dialogs.ask_text(front.app, f"Reject {variant['tell_state']}: why? Enter rejects, Esc leaves", likely)
    if reason is None:
        front.app.note = "Not rejected."
        return
    front.decide([decision(Action.reject, line, variant, reason=reason)], "Rejecting...")
    front.show_anew(place_of(line))
    front.app.note = f"Rejected. {_now(front)}"


def _now(front: Front) -> str:
    """What stands in the place of a text that is gone."""
    _, variant = front.line_and_variant()
    return "The next best candidate stands." if variant["voiced"] is not None else "No candidate is left."


def waive(front: Front) -> None:
    """Waives a rule for the text in front, with a reason."""
    line, variant = front.line_and_variant()
    rules = list(dict.fromkeys(one["rule"] for one in open_findings(variant)))
    if not rules:
        front.app.note = "No rule speaks against this text."
        return
    rule = rules[0] if len(rules) == 1 else dialogs.choose(front.app, "Waive", [(name, "") for name in rules])
    if rule is None:
        return
    title = f"Waive {rule} for this text: why is the rule wrong here? Esc leaves"
    reason = dialogs.ask_text(front.app, title, front.reasons.get(rule, ""))
    if reason is None:
        front.app.note = "Not waived."
        return
    front.decide([decision(Action.waive, line, variant, rule=rule, reason=reason)], "Waiving...")
    front.reasons[rule] = reason
    front.show_anew(place_of(line))
    front.app.note = f"{rule} does not count for this text."


def regenerate(front: Front) -> None:
    """Asks for other candidates."""
    line, variant = front.line_and_variant()
    front.decide([decision(Action.regenerate, line, variant)], "Asking...")
    front.show_anew(place_of(line))
    front.app.note = "The next bake makes other candidates."
