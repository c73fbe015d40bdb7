"""The cards: what is flagged is open, what is clean is folded, every link says one thing, and content is only text."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.content.terms import Severity, Tier
from pipeline.review import QueueVariant, queue_row
from pipeline.review.cards import card
from pipeline.review.form import Choice, Form
from pipeline.validation.finding import Finding
from tests.review.test_queue import BLOCK, INFO, REVIEW, line
from tests.test_escaping import HOSTILE, as_shown, rendered

TAGS = {"h4", "p", "blockquote", "strong", "em", "s", "ul", "li", "a", "table", "thead", "tbody", "tr", "th", "td"}


class Links:
    """Gives every form an address, and remembers it."""

    def __init__(self) -> None:
        self.forms: list[Form] = []

    def __call__(self, form: Form) -> str:
        self.forms.append(form)
        return f"/form/{len(self.forms)}"

    def of(self, markdown: str, label: str) -> list[Form]:
        """The forms behind all links with this label."""
        return [self.forms[int(number) - 1] for number in re.findall(rf"\[{label}\]\(/form/(\d+)\)", markdown)]


def row(*findings: Finding, change: Callable[[QueueVariant], QueueVariant] = lambda one: one) -> dict[str, Any]:
    """A line whose Guarded variant waits with `findings`; Angry is empty, Neutral needs nobody."""
    made = line("greet", tier=Tier.PlotCritical, findings=findings)
    variants = tuple(change(one) if one.pending else one for one in made.variants)
    return queue_row("test_hub", dataclasses.replace(made, variants=variants))


def test_a_flagged_variant_is_open_with_all_that_a_decision_needs() -> None:
    links = Links()
    text = card(row(REVIEW), 7, links)
    assert "#### 7\\. Tam\\_Orley" in text.replace("#### 7.", "#### 7\\.")
    assert "⚑ **Guarded** · shape · waits" in text
    assert "> **Lift\\'s** out\\. That\\'s all\\." in text, "the words that the span touches are bold"
    assert "**shape** (review): Two sentences\\. Suggestion: One\\." in text
    assert "Deniability" in text
    assert "other candidate (slots): Out\\." in text
    for label, choice in [("approve", Choice.approve), ("edit", Choice.edit), ("reject", Choice.reject)]:
        assert choice in {form.entries[0].choice for form in links.of(text, label)}
    [use] = links.of(text, "use this")
    assert (use.entries[0].choice, use.entries[0].text) == (Choice.use, "Out.")
    [waive] = links.of(text, "waive")
    assert (waive.entries[0].choice, waive.entries[0].rule) == (Choice.waive, "shape")


@pytest.mark.parametrize("findings", [(), (INFO,)])
def test_a_clean_variant_is_one_row_with_all_four_links(findings: tuple[Finding, ...]) -> None:
    text = card(row(*findings), 1, Links())
    [folded] = [one for one in text.splitlines() if one.startswith("| Guarded")]
    assert "Lift\\'s out\\. That\\'s all\\." in folded
    assert re.findall(r"\[(\w+)\]", folded) == ["approve", "edit", "reject", "regenerate"]
    assert "Deniability" not in text
    assert ("Know\\." in folded) == bool(findings)


def test_an_empty_variant_can_be_written_or_asked_for() -> None:
    text = card(row(), 1, links := Links())
    [folded] = [one for one in text.splitlines() if one.startswith("| Angry")]
    assert "the game falls back" in folded
    assert re.findall(r"\[(\w+)\]", folded) == ["edit", "regenerate"]
    edits = [form.entries[0] for form in links.of(text, "edit")]
    assert [one.text for one in edits if "" in one.seen.values()] == ["The lift is broken – “again”."]


def test_a_decision_that_does_not_count_opens_the_variant() -> None:
    text = card(row(change=lambda one: dataclasses.replace(one, trouble="Two say otherwise.")), 1, Links())
    assert "⚑ **Guarded**" in text
    assert "an earlier decision does not count:** Two say otherwise\\." in text


def test_nothing_waits_nothing_is_approved_at_once() -> None:
    text = card(row(REVIEW, change=lambda one: dataclasses.replace(one, pending=False, source="approved")), 1, Links())
    assert "approve line" not in text
    assert "⚑" not in text
    assert "| approved |" in text


def test_an_offer_is_open_while_the_text_stands() -> None:
    change = {"pending": False, "source": "edited", "offer": True}
    text = card(row(change=lambda one: dataclasses.replace(one, **change)), 1, Links())
    assert "⚑ **Guarded** · edited, with an offer" in text
    assert "[use this]" in text


def _everywhere(text: str) -> dict[str, Any]:
    """A row that holds `text` wherever free text can stand."""
    filled = row(Finding("shape", Severity.review, text, (0, 5), text), BLOCK)
    filled |= {"base": text, "line_id": text, "npc": filled["npc"] | {"name": text, "role": text}}
    verdict = {"id": "ab" * 10, "action": "approve", "reviewer": text, "time": "2026-01-01T10:00:00", "reason": text}
    for variant in filled["variants"]:
        variant |= {"voiced": text, "trouble": text, "diff": [["=", text], ["-", text], ["+", text]]}
        variant |= {"verdicts": [verdict], "last_approved": [verdict | {"voiced": text, "base": text}]}
        for other in variant["others"]:
            other["voiced"] = text
    return filled


@pytest.mark.parametrize("text", HOSTILE)
def test_content_shows_as_text(text: str) -> None:
    seen = rendered(card(_everywhere(text), 1, Links()))
    assert seen.tags <= TAGS
    assert as_shown(seen.text).count(as_shown(text)) > 10


@given(st.text())
def test_any_content_makes_a_card_of_the_same_build(text: str) -> None:
    links = Links()
    seen = rendered(card(_everywhere(text), 1, links))
    assert seen.tags <= TAGS
    assert {form.entries[0].npc_id for form in links.forms} == {"tam_orley"}
