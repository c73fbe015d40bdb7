"""The pages of cards: what waits in numbers, bulk decisions, and the cards themselves, some pages at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.content.terms import TellState
from pipeline.escaping import markdown_escaped as escaped
from pipeline.review.cards import Address, card, link
from pipeline.review.form import BULK_TEXTS, Bulk, Form, Row, View, flagged, unflagged, waiting
from pipeline.review.forms import approve_lines, approve_unflagged, decide_flagged, show
from pipeline.review.markdown import table

LINES_PER_PAGE = 20
PAGES = 2
"""How many pages are made at a time: every card is kept in Dagster's event log, once per run."""
LINES_PER_BULK = 10
TEXTS_PER_FORM = 30
_SHOWN_NPCS = 30


def review_pages(rows: Sequence[Row], view: View, queue: str, address: Address) -> dict[str, str]:
    """Markdown by title: `start here`, then up to `PAGES` pages of cards of the lines that `view` asks for.

    `queue` is the digest of the queue that `rows` are read from.
    """

    def within_view(form: Form) -> str:
        return address(form if form.view != View() else replace(form, view=view))

    shown = [(place, row) for place, row in enumerate(rows, 1) if _asked_for(row, view)]
    begin = min(max(view.from_line, 1), max(len(shown), 1)) - 1
    window = shown[begin : begin + PAGES * LINES_PER_PAGE]
    pages = [window[at : at + LINES_PER_PAGE] for at in range(0, len(window), LINES_PER_PAGE)]
    found = {"start here": _start(rows, view, queue, len(shown), (begin, len(window)), address)}
    for page, content in enumerate(pages):
        first = begin + page * LINES_PER_PAGE + 1
        found[f"lines {first} to {first + len(content) - 1}"] = _page(content, within_view)
    return found


def _asked_for(row: Row, view: View) -> bool:
    if view.npc and row["npc"]["id"] != view.npc:
        return False
    return not view.rule or view.rule in _rules([row])


def _rules(rows: Sequence[Row]) -> Counter[str]:
    """How many waiting texts each rule has a finding on."""
    return Counter(
        rule
        for row in rows
        for variant in waiting(row)
        for rule in {finding["rule"] for finding in variant["findings"]}
    )


def _start(rows: Sequence[Row], view: View, queue: str, shown: int, window: tuple[int, int], address: Address) -> str:
    texts = [variant for row in rows for variant in waiting(row)]
    lines = sum(bool(waiting(row)) for row in rows)
    if not texts:
        return "Nothing waits for you. What is below, if anything, waits for the next bake or carries an offer."
    parts = [
        f"**{lines} lines** with **{len(texts)} texts** wait for you; {sum(map(flagged, texts))} texts are flagged.",
        *_bulk(rows, queue, address),
        *_window(view, shown, window, address),
        *_filters(rows, address),
    ]
    return "\n\n".join(parts)


def _bulk(rows: Sequence[Row], queue: str, address: Address) -> Iterator[str]:
    """Links that approve what no rule asks about: without any finding, and with remarks for information."""
    before = 0
    for with_remarks, name in ((False, "with no finding"), (True, "that are not flagged, remarks or none")):
        found = unflagged(rows, len(rows) * len(TellState), with_remarks=with_remarks)
        clean = sum(len(texts) for _, texts in found)
        count = min(clean, BULK_TEXTS)
        if clean > before:
            which = f"all {clean}" if count == clean else f"the first {count} of {clean}"
            target = address(approve_unflagged(Bulk(count, queue, with_remarks)))
            yield f"{link(f'approve {which} texts {name}', target)} (read them first: they are folded in the cards)"
        before = clean


def _window(view: View, shown: int, window: tuple[int, int], address: Address) -> Iterator[str]:
    begin, count = window
    only = [f"of {escaped(view.npc)}"] if view.npc else []
    only += [f"with a finding of {escaped(view.rule)}"] if view.rule else []
    what = " ".join(["lines", *only])
    text = f"The pages show {what} {begin + 1} to {begin + count} of {shown}."
    size = PAGES * LINES_PER_PAGE
    links = []
    if begin + count < shown:
        following = replace(view, from_line=begin + count + 1)
        links.append(link(f"show the next {min(size, shown - begin - count)} lines", address(show(following))))
    if begin:
        links.append(link("show the first lines", address(show(replace(view, from_line=1)))))
    if only:
        links.append(link("show all lines", address(show(View()))))
    yield " · ".join([text, *links])
    if begin + count < shown:
        yield "Lines that are decided make room: later ones come up by themselves."


def _filters(rows: Sequence[Row], address: Address) -> Iterator[str]:
    if by_rule := _rules(rows):
        yield table(
            ("rule", "texts", ""),
            [
                (escaped(rule), str(count), link("show only these", address(show(View(rule=rule)))))
                for rule, count in by_rule.most_common()
            ],
        )
    by_npc = Counter(row["npc"]["id"] for row in rows for _ in waiting(row))
    yield table(
        ("NPC", "texts", ""),
        [
            (escaped(npc), str(count), link("show only these", address(show(View(npc=npc)))))
            for npc, count in by_npc.most_common(_SHOWN_NPCS)
        ],
    )


def _page(numbered: Sequence[tuple[int, Row]], address: Address) -> str:
    rows = [row for _, row in numbered]
    cards = [card(row, number, address) for number, row in numbered]
    return "\n\n---\n\n".join([" · ".join(_page_links(rows, address)) or "Nothing here waits for you.", *cards])


def _page_links(rows: Sequence[Row], address: Address) -> Iterator[str]:
    with_flags = [row for row in rows if any(flagged(one) for one in waiting(row))]
    for some in _by_texts(with_flags):
        count = sum(flagged(one) for row in some for one in waiting(row))
        yield link(f"decide on {count} flagged texts in one form", address(decide_flagged(some)))
    lines = [row for row in rows if waiting(row)]
    for at in range(0, len(lines), LINES_PER_BULK):
        some = lines[at : at + LINES_PER_BULK]
        which = "these" if len(lines) <= LINES_PER_BULK else f"the {'first' if not at else 'next'}"
        yield link(f"approve {which} {len(some)} lines", address(approve_lines(some)))


def _by_texts(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows in groups that hold up to `TEXTS_PER_FORM` flagged texts: a form is an address, and read in one go."""
    group: list[Row] = []
    texts = 0
    for row in rows:
        count = sum(flagged(one) for one in waiting(row))
        if group and texts + count > TEXTS_PER_FORM:
            yield group
            group, texts = [], 0
        group.append(row)
        texts += count
    if group:
        yield group
