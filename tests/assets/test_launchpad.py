"""A form as an address: what the launchpad gets is the very form, whatever its texts hold."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from assets.launchpad import address, form_yaml
from assets.review_config import ReviewConfig
from pipeline.content.terms import TellState
from pipeline.review.form import Bulk, Choice, Entry, Form, View

HASH = "0123456789ab"
FREE_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
MARKS = """Crates – "eleven": at #9, it's 'so' - & | > * ! % @ `x` {y} [z] \\n ?"""


def taken(form: Form) -> Form:
    """The form as the job gets it: through YAML and the job's config."""
    config = yaml.safe_load(form_yaml(form))["ops"]["verdicts"]["config"]
    return ReviewConfig(**(config or {})).form()


def entry(choice: Choice, text: str | None = None, **other: str) -> Entry:
    return Entry(choice, "imke_dorr", "greet", {TellState.Guarded: HASH}, text, **other)


@given(FREE_TEXT, FREE_TEXT)
@example(MARKS, "note")
@example("no", "yes")
@example("- item", "# head")
@example("word " * 40 + "end", "long " * 40)
@example(" leading", "tab\there")
@example("a\nb", "c\nd")
@example("a  b", "nbsp\u00a0here")
def test_any_text_comes_through(text: str, note: str) -> None:
    form = Form(note, (Entry(Choice.edit, "imke_dorr", "greet", {TellState.Guarded: HASH}, text, notes=(note,)),))
    [one] = taken(form).entries
    assert one.text == text
    assert (one.choice, one.npc_id, one.line_id, one.seen) == (Choice.edit, "imke_dorr", "greet", {"Guarded": HASH})


@given(FREE_TEXT)
def test_an_address_is_one_link_and_brings_config_and_zone(text: str) -> None:
    form = Form(text, (entry(Choice.edit, text),))
    target = address("test_hub", form)
    assert not set(target) & set(' ()<>"\\\n`|')
    query = parse_qs(urlsplit(target).query, keep_blank_values=True)
    assert query["config"] == [form_yaml(form)]
    assert query["tags[0][key]"] == ["dagster/partition"]
    assert query["tags[0][value]"] == ["test_hub"]
    assert target.startswith("/locations/voicebake/jobs/review/playground/setup?")


@pytest.mark.parametrize("word", ["no", "null", "on", "yes", "true", "y"])
def test_an_id_is_a_word_and_nothing_else(word: str) -> None:
    [one] = taken(Form("t", (Entry(Choice.approve, word, word, {TellState.Neutral: "012345678901"}),))).entries
    assert (one.npc_id, one.line_id, one.seen) == (word, word, {"Neutral": "012345678901"})


@pytest.mark.parametrize(
    "one",
    [
        entry(Choice.waive, rule="no-names", reason='he says "so": # fine'),
        entry(Choice.reject, reason="wrong person"),
        entry(Choice.withdraw, verdict="0123456789"),
    ],
)
def test_what_an_action_needs_comes_through(one: Entry) -> None:
    [got] = taken(Form("t", (one,))).entries
    assert (got.choice, got.rule, got.reason, got.verdict) == (one.choice, one.rule, one.reason, one.verdict)


@pytest.mark.parametrize("bulk", [Bulk(12, HASH), Bulk(600, "123456789012", with_remarks=True)])
def test_a_bulk_comes_through(bulk: Bulk) -> None:
    assert taken(Form("t", bulk=bulk)).bulk == bulk


def test_a_view_comes_through() -> None:
    view = View(41, "zora", "way-back")
    config = yaml.safe_load(form_yaml(Form("t", (entry(Choice.approve),), view=view)))["ops"]["verdicts"]["config"]
    assert ReviewConfig(**config).view() == view


@given(FREE_TEXT)
def test_no_line_is_wider_than_the_editor_but_for_a_word_that_is(text: str) -> None:
    form = Form(text, (Entry(Choice.approve, "imke_dorr", "greet", {}, notes=(text,)),))
    assert max(map(len, form_yaml(form).splitlines())) <= 90
