"""A form as an address: the launchpad of the `review` job, its config filled in and the zone chosen."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from urllib.parse import quote_plus

from pipeline.review.form import Choice, Entry, Form, View

JOB = "review"
STEP = "verdicts"
LOCATION = "voicebake"
# The launchpad's editor does not wrap long lines.
_WIDTH = 76
_LAUNCH = 'Then press "Launch Run", bottom right.'
# Every card holds dozens of addresses: narrow indents and few percent signs halve them.
_INDENT = " " * 3
_LEFT_AS_IT_IS = "/:,{}'!?-"


def address(zone_id: str, form: Form) -> str:
    """Where `form` opens in the Dagster UI, from the root of the server."""
    query = {"config": form_yaml(form), "tags[0][key]": "dagster/partition", "tags[0][value]": zone_id}
    encoded = "&".join(f"{key}={quote_plus(value, safe=_LEFT_AS_IT_IS)}" for key, value in query.items())
    return f"/locations/{LOCATION}/jobs/{JOB}/playground/setup?{encoded}"


def form_yaml(form: Form) -> str:
    """The run config of `form`, with its title, hints and notes as comments."""
    lines = [row for text in (form.title, *form.hints, _LAUNCH) for row in _comment(text, "")]
    lines += ["ops:", f" {STEP}:", "  config:"]
    lines += _view(form.view)
    if form.bulk:
        lines += ["   unflagged:", f"    texts: {form.bulk.texts}", f"    queue: {_quoted(form.bulk.queue)}"]
        lines += ["    with_remarks: true"] if form.bulk.with_remarks else []
    if form.entries:
        lines.append("   decisions:")
        lines += [row for entry in form.entries for row in _entry(entry)]
    return "\n".join(lines) + "\n"


def _view(view: View) -> Iterator[str]:
    if view != View():
        yield "   show:"
        yield f"    from_line: {view.from_line}"
        yield from (f"    {key}: {_quoted(value)}" for key, value in (("npc", view.npc), ("rule", view.rule)) if value)


def _entry(entry: Entry) -> Iterator[str]:
    for note in entry.notes:
        yield from _comment(note, _INDENT)
    yield f"{_INDENT}- action: {entry.choice.value}"
    yield f"{_INDENT}  npc: {_id(entry.npc_id)}"
    yield f"{_INDENT}  line: {_id(entry.line_id)}"
    seen = ", ".join(f"{state.value}: {_quoted(text_hash)}" for state, text_hash in entry.seen.items())
    yield f"{_INDENT}  texts: {{{seen}}}"
    if entry.rule:
        yield f"{_INDENT}  rule: {_quoted(entry.rule)}"
    if entry.choice in (Choice.reject, Choice.waive):
        yield f"{_INDENT}  reason: {_quoted(entry.reason)}"
    if entry.verdict:
        yield f"{_INDENT}  verdict: {_quoted(entry.verdict)}"
    if entry.text is not None:
        yield from _folded(entry.text)


def _folded(text: str) -> Iterator[str]:
    """`text` as a folded block, in which no mark needs quoting; what a block cannot hold is quoted."""
    rows = textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    if not text.isprintable() or text != text.strip() or " ".join(rows) != text:
        yield f"{_INDENT}  text: {_quoted(text)}"
        return
    yield f"{_INDENT}  text: >-"
    yield from (f"{_INDENT}    {row}" for row in rows)


def _comment(text: str, indent: str) -> Iterator[str]:
    shown = "".join(char if char.isprintable() else " " for char in text)
    rows = textwrap.wrap(shown, _WIDTH - len(indent) - 2, break_long_words=True, break_on_hyphens=False)
    for place, row in enumerate(rows):
        yield f"{indent}# {'  ' if place else ''}{row}"


def _id(word: str) -> str:
    """An id, which YAML might take for a word of its own such as `no` or `null` unless it holds an underscore."""
    return word if "_" in word else _quoted(word)


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar. JSON's own is one, but for what YAML wants escaped beyond it."""
    return "".join(char if char.isprintable() else _escape(char) for char in json.dumps(text, ensure_ascii=False))


def _escape(char: str) -> str:
    return f"\\U{ord(char):08X}"
