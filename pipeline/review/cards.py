"""The queue as markdown: a card per line with its six variants, what is flagged open, what is clean folded to a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pipeline.content.terms import Severity
from pipeline.escaping import markdown_escaped as escaped
from pipeline.review.form import Choice, Form, Row, flagged, waiting
from pipeline.review.forms import approve_line, decide_line, one_text, take_back, waive_finding
from pipeline.review.markdown import difference, highlighted, table

Address = Callable[[Form], str]
"""Where a form opens. What it gives may stand in a markdown link as it is."""

_SHOWN_OTHERS = 3
_ACTIONS = (Choice.approve, Choice.edit, Choice.reject, Choice.regenerate)


def card(row: Row, number: int, address: Address) -> str:
    """One line of the queue; `number` is its place in it, counted from 1."""
    npc = row["npc"]
    parts = [
        f"#### {number}. {escaped(npc['name'])} · {escaped(row['line_id'])}",
        " · ".join(escaped(text) for text in (npc["tier"], npc["role"], row["kind"], row["culture"])),
        f"> **base text:** {escaped(row['base'])}",
        _line_links(row, address),
        *(_opened(row, variant, address) for variant in row["variants"] if is_open(variant)),
    ]
    if folded := [variant for variant in row["variants"] if not is_open(variant)]:
        parts.append(table(("tell state", "text", "", ""), [_folded(row, variant, address) for variant in folded]))
    return "\n\n".join(part for part in parts if part)


def is_open(variant: Row) -> bool:
    """True for a variant to look at closely: it waits and is flagged, or its text stands and another is on offer."""
    return bool(variant["offer"]) or (variant["pending"] and flagged(variant))


def link(label: str, target: str) -> str:
    """A markdown link."""
    return f"[{label}]({target})"


def _line_links(row: Row, address: Address) -> str:
    count = len(waiting(row))
    if not count:
        return ""
    label = "approve line" if count == 1 else f"approve line: {count} texts"
    return f"{link(label, address(approve_line(row)))} · {link('decide text by text', address(decide_line(row)))}"


def _opened(row: Row, variant: Row, address: Address) -> str:
    rules = dict.fromkeys(finding["rule"] for finding in variant["findings"])
    headline = [
        f"⚑ **{escaped(variant['tell_state'])}**",
        *(escaped(rule) for rule in rules),
        _standing(variant),
    ]
    remarks = "\n".join(f"- {remark}" for remark in _remarks(row, variant, address))
    return "\n\n".join([" · ".join(headline), _text(variant), remarks, _variant_links(row, variant, address)])


def _text(variant: Row) -> str:
    if variant["voiced"] is None:
        return "> *empty: no text passed, the game falls back*"
    spans = [(start, end) for finding in variant["findings"] if finding["span"] for start, end in [finding["span"]]]
    text = f"> {highlighted(variant['voiced'], spans)}"
    return f"{text}\n>\n> *against the base text:* {difference(variant['diff'])}" if variant["diff"] else text


def _remarks(row: Row, variant: Row, address: Address) -> Iterator[str]:
    if variant["trouble"]:
        yield f"**an earlier decision does not count:** {escaped(variant['trouble'])}"
    for finding in variant["findings"]:
        yield _finding(row, variant, finding, address)
    if variant["question"] and variant["voiced"] is not None:
        yield escaped(variant["question"])
    for approved in variant["last_approved"]:
        who = f"{approved['action']}, {approved['reviewer']}, {approved['time'][:10]}"
        yield f"earlier ({escaped(who)}): {escaped(approved['voiced'])}"
    for other in variant["others"][:_SHOWN_OTHERS]:
        rules = dict.fromkeys(escaped(finding["rule"]) for finding in other["findings"])
        use = link("use this", address(one_text(row, variant, Choice.use, other["voiced"])))
        yield f"other candidate ({', '.join(rules) or 'no finding'}): {escaped(other['voiced'])} {use}"
    if (more := len(variant["others"]) - _SHOWN_OTHERS) > 0:
        yield f"{more} more in the form that *edit* opens"


def _finding(row: Row, variant: Row, finding: Row, address: Address) -> str:
    text = f"**{escaped(finding['rule'])}** ({escaped(finding['severity'])}): {escaped(finding['message'])}"
    if finding["suggestion"]:
        text += f" Suggestion: {escaped(finding['suggestion'])}"
    if finding["severity"] != Severity.info and variant["voiced"] is not None:
        text += f" {link('waive', address(waive_finding(row, variant, finding)))}"
    return text


def _folded(row: Row, variant: Row, address: Address) -> Sequence[str]:
    voiced = variant["voiced"]
    text = "*empty: the game falls back*" if voiced is None else escaped(voiced)
    notes = "".join(f" ({escaped(finding['rule'])}: {escaped(finding['message'])})" for finding in variant["findings"])
    return (
        escaped(variant["tell_state"]),
        text + notes,
        _standing(variant),
        _variant_links(row, variant, address),
    )


def _standing(variant: Row) -> str:
    """How far the variant is from being decided."""
    if variant["waits_for_bake"]:
        return "others come with the next bake"
    if variant["offer"]:
        return f"{escaped(variant['source'])}, with an offer"
    if variant["pending"]:
        return "waits"
    return escaped(variant["source"]) if variant["source"] in ("approved", "edited") else "needs no decision"


def _variant_links(row: Row, variant: Row, address: Address) -> str:
    actions = _ACTIONS if variant["voiced"] is not None else (Choice.edit, Choice.regenerate)
    links = [link(choice.value, address(one_text(row, variant, choice))) for choice in actions]
    links += [link("take back", address(take_back(row, variant, verdict))) for verdict in variant["verdicts"]]
    return " · ".join(links)
