"""Reviewers' spreadsheets are untrusted: all of a call is imported, or nothing, and every bad row is listed."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content import load_content
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.spike.answers import AnswerRow, merged
from pipeline.spike.packet import make_key
from pipeline.spike.questions import QUESTIONS, Answer, Question, Sheet, Unreadable, read_answer
from pipeline.spike.sheet_reading import read_sheets
from pipeline.spike.sheets import write_sheets
from tests.spike.result_factory import CONTROLS, Filling, perfect, result

KEY = make_key(result(), CONTROLS, reviewers=2, per_state=4)
FIRST = KEY.of("reviewer-1", Sheet.lines)[0].code
CHECK = KEY.of("reviewer-1", Sheet.checks)[0].code
CULTURE = load_content(Project(Path(__file__).parents[2])).cultures["van_maanens_star"]
HEAD = "item,what,careful,says_what,explainable\n"


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """The packet's sheets, filled in by two reviewers who find nothing wrong."""
    write_sheets(tmp_path, KEY, CULTURE, {})
    Filling(KEY).fill(tmp_path)
    return tmp_path


def test_what_was_written_is_what_is_read(sheets: Path) -> None:
    rows = read_sheets([sheets], KEY)
    wanted = sum(len(perfect(item, KEY)) for item in KEY.items)
    assert len(rows) == wanted
    assert {row.answer for row in rows if row.question == "explainable"} == {"yes"}
    convinced = [row for row in rows if row.question == "line" and row.answer != "none"]
    assert {(row.reviewer, row.answer) for row in convinced} == {
        (name, KEY.of(name, Sheet.lines)[0].line) for name in KEY.reviewers
    }


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_separators_and_renamed_files_are_read(sheets: Path, mark: str) -> None:
    before = read_sheets([sheets], KEY)
    for number, path in enumerate(sorted(sheets.rglob("*.csv"))):
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
        out = io.StringIO()
        csv.writer(out, delimiter=mark).writerows([[cell.upper() for cell in rows[0]], *rows[1:], []])
        path.unlink()
        (sheets / f"my answers {number}.csv").write_text(out.getvalue(), "utf-8")
    assert sorted(read_sheets([sheets], KEY), key=str) == sorted(before, key=str)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}{FIRST},x,maybe,no,no\n", "sheet.csv:2: careful: expected yes or no, found 'maybe'"),
        (f"{HEAD}L-AAAAAA,x,yes,no,no\n", "sheet.csv:2: 'L-AAAAAA' is no item of this packet"),
        (f"{HEAD}{FIRST},x,yes,no,no\n{FIRST},x,yes,no,no\n", f"sheet.csv:3: {FIRST} was answered before, at"),
        (f"{HEAD}{FIRST},x,yes,no,no,what,else\n", "sheet.csv:2: more cells than the header has"),
        (f"item,careful,careful\n{FIRST},yes,no\n", "sheet.csv:1: a column stands twice"),
        (f"item,answer\n{FIRST},yes\n", "sheet.csv:1: the header names no question"),
        ("code,careful\nx,yes\n", "sheet.csv:1: the header has no column `item`"),
        ("", "the header has no column `item`"),
        (f"{HEAD}{FIRST},\"x,yes,no,no\n", "no CSV"),
        (f"{HEAD}{FIRST},{'x' * 2001},yes,no,no\n", "what: more than 2000 characters"),
        (f"{HEAD}{FIRST},a\x00b,yes,no,no\n", "sheet.csv:2"),
        (f"item,kept,sounds_like\n{CHECK},yes,opera\n", "expected none, fantasy, military, earth or comic"),
    ],
)  # fmt: skip
def test_a_bad_row_is_listed_and_nothing_is_read(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text, "utf-8", newline="")
    with pytest.raises(UserError) as error:
        read_sheets([path], KEY)
    assert said in error.value.message
    assert error.value.hint is not None
    assert "Nothing was imported" in error.value.hint


def test_every_bad_row_of_every_file_is_listed(sheets: Path) -> None:
    for path in sorted(sheets.rglob("1-lines.csv")):
        path.write_text(path.read_text("utf-8-sig").replace(",no,Y", ",perhaps,Y"), "utf-8")
    with pytest.raises(UserError) as error:
        read_sheets([sheets], KEY)
    wrong = error.value.message.splitlines()
    assert len(wrong) == sum(one.sheet is Sheet.lines for one in KEY.items)
    assert {line.split("says_what")[1] for line in wrong} == {": expected yes or no, found 'perhaps'."}


def test_a_favourite_of_another_reviewer_s_sheet_is_no_favourite(tmp_path: Path) -> None:
    mine = KEY.of("reviewer-1", Sheet.favourites)[0].code
    theirs = KEY.of("reviewer-2", Sheet.lines)[0].code
    path = tmp_path / "sheet.csv"
    path.write_text(f"item,line,why\n{mine},{theirs},x\n", "utf-8")
    with pytest.raises(UserError, match="no item of this reviewer's sheet lines"):
        read_sheets([path], KEY)


def test_files_that_are_no_text_or_too_large_or_not_there(tmp_path: Path) -> None:
    latin = tmp_path / "latin.csv"
    latin.write_bytes(f"{HEAD}{FIRST},caf\xe9,yes,no,no\n".encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8 at byte"):
        read_sheets([latin], KEY)
    large = tmp_path / "large.csv"
    large.write_bytes(b"x" * 5_000_001)
    with pytest.raises(UserError, match="larger than 5 MB"):
        read_sheets([large], KEY)
    with pytest.raises(UserError, match="cannot be read"):
        read_sheets([tmp_path / "none.csv"], KEY)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="no CSV file"):
        read_sheets([tmp_path / "empty"], KEY)


def test_a_second_import_replaces_a_reviewer_and_keeps_the_others(sheets: Path) -> None:
    first = merged(None, KEY, read_sheets([sheets / "reviewer-1"], KEY), ["reviewer-2"])
    assert first.left_out == ("reviewer-2",)
    both = merged(first, KEY, read_sheets([sheets / "reviewer-2"], KEY), [])
    assert both.left_out == ()
    assert both == merged(None, KEY, read_sheets([sheets], KEY), [])
    assert merged(both, KEY, read_sheets([sheets / "reviewer-1"], KEY), []) == both


_CELL = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "yes", "no", FIRST, CHECK, "none", "item", "what", "careful", '"', "=1+1", "\x00", "\ud800"]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(_CELL, max_size=6), max_size=6), st.sampled_from([",", ";", "\t"]), st.booleans())
def test_any_table_is_read_as_it_is_meant_or_refused(
    tmp_path_factory: pytest.TempPathFactory, cells: list[list[str]], mark: str, headed: bool
) -> None:
    path = tmp_path_factory.mktemp("sheets") / "sheet.csv"
    rows = [["item", "what", "careful", "says_what", "explainable"], *cells] if headed else cells
    path.write_bytes("\n".join(mark.join(row) for row in rows).encode("utf-8", "surrogatepass"))
    refused = ""
    answers: tuple[AnswerRow, ...] = ()
    try:
        answers = read_sheets([path], KEY)
    except UserError as error:
        refused = error.message
    assert bool(refused) is (str(path) in refused)
    assert not (refused and answers)
    for row in answers:
        (question,) = [one for one in QUESTIONS[row.sheet] if one.id == row.question]
        if question.answer is not Answer.item:
            assert read_answer(question, row.answer) == row.answer


@given(st.text(max_size=30), st.sampled_from([one for asked in QUESTIONS.values() for one in asked]))
def test_an_answer_is_of_its_kind_or_none_or_refused(written: str, question: Question) -> None:
    try:
        answer = read_answer(question, written)
    except Unreadable:
        return
    if answer is None:
        assert not written.strip()
    elif question.answer is Answer.yes_no:
        assert answer in ("yes", "no")
    elif question.answer is Answer.register:
        assert answer in ("none", "fantasy", "military", "earth", "comic")
    else:
        assert answer == answer.strip()
