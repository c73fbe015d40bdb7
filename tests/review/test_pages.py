"""The pages: bounded bulk links that say how many, a window over a long queue, filters, and a form of flagged texts."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.content.terms import TellState
from pipeline.review import QueueVariant, queue_row
from pipeline.review.form import BULK_TEXTS, Bulk, Choice, Form, View
from pipeline.review.pages import LINES_PER_PAGE, PAGES, TEXTS_PER_FORM, review_pages
from pipeline.validation.finding import Finding
from tests.review.test_cards import Links
from tests.review.test_queue import INFO, REVIEW, line

REVIEW_ROW = {"rule": "shape", "severity": "review", "span": None, "message": "Look.", "suggestion": None}
WINDOW = LINES_PER_PAGE * PAGES


def rows(count: int, findings: Sequence[Finding] = (), npc: str = "tam_orley") -> list[dict[str, Any]]:
    """Lines whose six variants wait, the first one with `findings`."""
    variants = tuple(
        QueueVariant(state, f"Text in {state}.", True, 1.0, tuple(findings) if state is TellState.Neutral else ())
        for state in TellState
    )
    made = [dataclasses.replace(line(f"line_{n}", npc=npc, position=n), variants=variants) for n in range(count)]
    return [queue_row("test_hub", one) for one in made]


def form_of(pages: dict[str, str], title: str, label: str, links: Links) -> Form:
    """The one form behind the link of a page that has this label."""
    [form] = links.of(pages[title], re.escape(label))
    return form


@pytest.mark.parametrize(
    ("count", "label", "texts"),
    [
        (3, "approve all 18 texts with no finding", 18),
        (200, "approve the first 600 of 1200 texts with no finding", BULK_TEXTS),
    ],
)
def test_the_bulk_link_is_bounded_and_says_how_many(count: int, label: str, texts: int) -> None:
    pages = review_pages(rows(count), View(), "abc", links := Links())
    form = form_of(pages, "start here", label, links)
    assert form.bulk == Bulk(texts, "abc")
    assert str(texts) in form.title


def test_remarks_for_information_are_a_bulk_of_their_own() -> None:
    pages = review_pages(rows(2, [INFO]), View(), "abc", links := Links())
    assert form_of(pages, "start here", "approve all 10 texts with no finding", links).bulk == Bulk(10, "abc")
    label = "approve all 12 texts that are not flagged, remarks or none"
    assert form_of(pages, "start here", label, links).bulk == Bulk(12, "abc", with_remarks=True)


def test_flagged_texts_are_in_no_bulk() -> None:
    pages = review_pages(rows(2, [REVIEW]), View(), "abc", links := Links())
    assert form_of(pages, "start here", "approve all 10 texts with no finding", links).bulk == Bulk(10, "abc")
    assert "that are not flagged" not in pages["start here"]


def test_ten_lines_are_approved_at_a_time() -> None:
    pages = review_pages(rows(25), View(), "abc", links := Links())
    assert list(pages) == ["start here", "lines 1 to 20", "lines 21 to 25"]
    first = form_of(pages, "lines 1 to 20", "approve the first 10 lines", links)
    following = form_of(pages, "lines 1 to 20", "approve the next 10 lines", links)
    assert [entry.line_id for entry in (*first.entries, *following.entries)] == [f"line_{n}" for n in range(20)]
    assert first.title == "Approve 10 lines: 60 texts."
    assert len(form_of(pages, "lines 21 to 25", "approve these 5 lines", links).entries) == 5


def test_flagged_texts_are_decided_in_one_form_of_bounded_length() -> None:
    pages = review_pages(rows(20, [REVIEW]), View(), "abc", links := Links())
    form = form_of(pages, "lines 1 to 20", "decide on 20 flagged texts in one form", links)
    assert [entry.choice for entry in form.entries] == [Choice.use] * 20
    assert {entry.text for entry in form.entries} == {"Text in Neutral."}

    every = [
        dict(row, variants=[variant | {"findings": [REVIEW_ROW]} for variant in row["variants"]]) for row in rows(9)
    ]
    pages = review_pages(every, View(), "abc", links := Links())
    counts = [int(n) for n in re.findall(r"decide on (\d+) flagged", pages["lines 1 to 9"])]
    assert sum(counts) == 54
    assert max(counts) <= TEXTS_PER_FORM


def test_a_long_queue_is_shown_in_part_and_says_how_to_go_on() -> None:
    pages = review_pages(rows(WINDOW + 5), View(), "abc", links := Links())
    assert len(pages) == 1 + PAGES
    assert f"lines 1 to {WINDOW} of {WINDOW + 5}" in pages["start here"]
    following = form_of(pages, "start here", "show the next 5 lines", links)
    assert following.entries == ()
    pages = review_pages(rows(WINDOW + 5), following.view, "abc", links := Links())
    assert list(pages) == ["start here", f"lines {WINDOW + 1} to {WINDOW + 5}"]
    assert form_of(pages, "start here", "show the first lines", links).view == View()


def test_a_view_out_of_reach_shows_the_end() -> None:
    assert list(review_pages(rows(3), View(from_line=99), "abc", Links())) == ["start here", "lines 3 to 3"]
    assert list(review_pages([], View(from_line=99), "abc", Links())) == ["start here"]


def test_lines_of_a_rule_or_a_person_can_be_shown_alone_and_stay_so() -> None:
    queue = [*rows(2, [REVIEW]), *rows(3, npc="zora")]
    pages = review_pages(queue, View(), "abc", links := Links())
    by_rule, by_npc, _ = links.of(pages["start here"], "show only these")
    assert (by_rule.view, by_npc.view) == (View(rule="shape"), View(npc="zora"))
    pages = review_pages(queue, View(rule="shape"), "abc", links := Links())
    assert list(pages) == ["start here", "lines 1 to 2"]
    assert form_of(pages, "lines 1 to 2", "approve these 2 lines", links).view == View(rule="shape")
    assert form_of(pages, "start here", "show all lines", links).view == View()


def test_nothing_waits() -> None:
    assert "Nothing waits" in review_pages([], View(), "abc", Links())["start here"]


def test_a_hub_of_100_lines_with_60_flagged_texts_takes_13_clicks() -> None:
    """As docs/review.md counts: a click per link, per launch and per page opened; changed texts come on top."""
    hub = [*rows(50, [REVIEW]), *rows(5), *rows(45)]
    for row in hub[50:55]:
        for variant in row["variants"][:2]:
            variant["findings"] = [REVIEW_ROW]
    clicks = 2  # the zone, `start here`
    pages = review_pages(hub, View(), "abc", links := Links())
    assert form_of(pages, "start here", "approve all 540 texts with no finding", links).bulk
    clicks += 2
    left = hub[:55]
    for variant in (variant for row in left for variant in row["variants"] if not variant["findings"]):
        variant["pending"] = False
    decided = 0
    while left:
        pages = review_pages(left, View(), "abc", links := Links())
        page = list(pages)[1]
        [form] = links.of(pages[page], r"decide on \d+ flagged texts in one form")
        decided += len(form.entries)
        left = left[LINES_PER_PAGE:]
        clicks += 3
    assert decided == 60
    assert clicks == 13
