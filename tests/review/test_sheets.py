"""A queue goes out as a file, people fill it in, and their decisions come back."""

from __future__ import annotations

import codecs
import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.review import Action, Decision, DecisionErrors, base_hash, voiced_hash
from pipeline.review.csv_sheet import from_csv, to_csv
from pipeline.review.markdown_sheet import from_markdown, to_markdown
from pipeline.review.sheet import COLUMNS, PlacedRow, decisions_of, sheet_rows

BASE = "The lift is broken – “again”."
NASTY = '=1+1 | <b>x</b> [a](javascript:x) `c` "q", ;\t--> # é'


def queue_line(voiced: str | None = NASTY, line_id: str = "greet") -> dict[str, Any]:
    variant = {
        "tell_state": "Guarded",
        "voiced": voiced,
        "voiced_hash": None if voiced is None else voiced_hash(voiced),
        "pending": True,
        "trouble": None,
        "question": "Deniability?",
        "findings": [{"rule": "shape", "severity": "review", "message": "Two <i>sentences</i>."}],
        "others": [{"voiced": "Out."}],
    }
    neutral = {**variant, "tell_state": "Neutral", "voiced": "Lift's out.", "voiced_hash": voiced_hash("Lift's out.")}
    return {
        "zone": "test_hub",
        "npc": {"id": "tam_orley", "name": "Tam"},
        "line_id": line_id,
        "kind": "dialogue",
        "base": BASE,
        "base_hash": base_hash(BASE),
        "variants": [{**neutral, "pending": False, "question": None}, variant],
    }


def filled(**cells: str) -> bytes:
    """The CSV of a queue with one line, its Guarded variant filled in."""
    rows = list(sheet_rows([queue_line()]))
    rows[1] |= cells
    return to_csv(rows)


def read(raw: bytes) -> list[Decision]:
    return decisions_of(from_csv(raw))


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ({"verdict": " Approve "}, {"action": Action.approve}),
        ({"verdict": "edit", "text": "Lift's out. — Again: # yes"}, {"text": "Lift's out. — Again: # yes"}),
        ({"verdict": "edit", "text": "=SUM(1)"}, {"text": "=SUM(1)"}),
        ({"verdict": "reject", "reason": "dull"}, {"action": Action.reject, "reason": "dull"}),
        ({"verdict": "regenerate"}, {"action": Action.regenerate}),
        ({"verdict": "waive", "rule": "shape", "reason": "ok"}, {"action": Action.waive, "rule": "shape", "waive": ()}),
        ({"verdict": "approve", "rule": "shape, tics", "reason": "ok"}, {"waive": ("shape", "tics")}),
    ],
)
def test_a_filled_row_is_a_decision(cells: dict[str, str], wanted: dict[str, Any]) -> None:
    for decisions in (read(filled(**cells)), decisions_of(from_markdown(markdown(**cells)))):
        [one] = decisions
        assert (one.npc_id, one.line_id, one.tell_state) == ("tam_orley", "greet", TellState.Guarded)
        assert (one.seen_hash, one.base_hash) == (voiced_hash(NASTY), base_hash(BASE))
        assert {name: getattr(one, name) for name in wanted} == wanted


def markdown(**cells: str) -> str:
    """The Markdown of a queue with one line, its Guarded variant filled in."""
    before, title, guarded = to_markdown(sheet_rows([queue_line()])).partition("### Guarded")
    for name, text in cells.items():
        guarded = guarded.replace(f"\n{name}:\n", f"\n{name}: {text}\n")
    return before + title + guarded


def test_empty_verdicts_decide_nothing() -> None:
    assert read(filled()) == []
    assert decisions_of(from_markdown(markdown())) == []


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"verdict": "bless"}, "'bless' is no verdict"),
        ({"verdict": "edit"}, "an edit needs its text"),
        ({"verdict": "approve", "text": "Another."}, "approve takes no text"),
        ({"verdict": "waive"}, "a waiver needs its rule"),
        ({"text": "Another."}, "a text but no verdict"),
        ({"voiced": "Another."}, "the voiced text was changed"),
        ({"voiced": "Another.", "verdict": "approve"}, "the voiced text was changed"),
        ({"verdict": "approve", "tell_state": "Sad"}, "'Sad' is no tell_state"),
    ],
)
def test_what_is_wrong_in_a_row_names_the_row(cells: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message) as error:
        read(filled(**cells))
    assert error.value.message.startswith("row 3: ")


def test_everything_wrong_is_listed_at_once() -> None:
    rows = [PlacedRow(f"row {at}", {**dict.fromkeys(COLUMNS, ""), "verdict": "bless"}) for at in (2, 3)]
    with pytest.raises(DecisionErrors) as error:
        decisions_of(rows)
    assert [one.message.split(":")[0] for one in error.value.errors] == ["row 2", "row 3"]


def test_the_csv_opens_in_a_spreadsheet_and_runs_nothing_there() -> None:
    raw = filled()
    assert raw.startswith(codecs.BOM_UTF8)
    rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    assert list(rows[0]) == list(COLUMNS)
    assert rows[1]["voiced"] == f"'{NASTY}"
    assert [row["pending"] for row in rows] == ["", "yes"]
    assert rows[1]["findings"] == "review shape: Two <i>sentences</i>."


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_spreadsheets_make_of_it_is_read(delimiter: str, encoding: str) -> None:
    out = io.StringIO()
    writer = csv.DictWriter(out, [*COLUMNS[::-1], "my notes"], delimiter=delimiter)
    writer.writeheader()
    rows = list(sheet_rows([queue_line()]))
    writer.writerows([rows[0], rows[1] | {"verdict": "approve", "my notes": "fine"}])
    [one] = read(out.getvalue().encode(encoding))
    assert one.action is Action.approve


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"a,b\n1,2\n", "lacks the columns npc_id, line_id, tell_state, verdict, base_hash, voiced_hash"),
        (b"", "lacks the columns"),
        ("zone,npc_id\nh\xf6he,x\n".encode("latin-1"), "not UTF-8"),
        (b'npc_id,line_id,tell_state,verdict,base_hash,voiced_hash\n"a', "no CSV"),
    ],
)
def test_a_file_that_is_no_sheet_is_told(raw: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read(raw)


def test_markdown_shows_content_as_text() -> None:
    text = to_markdown(sheet_rows([queue_line()]))
    assert f"    {' '.join(NASTY.split())}\n" in text
    assert r"Two \<i\>sentences\<\/i\>" in text


@pytest.mark.parametrize("broken", ["# nothing here\n", "<!-- variant {} -->\n", "<!-- variant nonsense -->\n"])
def test_a_markdown_file_that_was_cut_is_told(broken: str) -> None:
    with pytest.raises(UserError):
        list(from_markdown(broken))


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)


@given(TEXTS, TEXTS.filter(lambda text: text.strip() == text), TEXTS)
def test_any_text_survives_both_ways(voiced: str, line_id: str, reason: str) -> None:
    rows = list(sheet_rows([queue_line(voiced, line_id)]))
    rows[1] |= {"verdict": "reject", "reason": reason}
    for back in (list(from_csv(to_csv(rows))),):
        assert back[1].cells["voiced"] == voiced
        [one] = decisions_of(back)
        assert (one.line_id, one.reason, one.seen_hash) == (line_id, reason.strip(), voiced_hash(voiced))
    [_, again] = from_markdown(to_markdown(rows))
    assert (again.cells["line_id"], again.cells["voiced_hash"]) == (line_id, voiced_hash(voiced))
