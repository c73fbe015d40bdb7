"""The summaries that CI shows are well-formed whatever content holds, and count right."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.bake import BakeSummary, Tally, ZoneStatus, ZoneSummary
from pipeline.content.terms import Severity, TellState
from pipeline.errors import UserError
from pipeline.report import junit_failure, junit_summary, markdown_failure, markdown_summary
from pipeline.report.lines import LineOutcome, line_outcomes
from pipeline.store import ChoiceRecord
from pipeline.validation.finding import Finding

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def _records(line: str, without: set[TellState], message: str = "too long") -> list[ChoiceRecord]:
    return [
        ChoiceRecord(
            "imke_dorr",
            line,
            state.value,
            "van_maanens_star",
            "dialogue",
            "fingerprint",
            "empty" if state in without else "generated",
            "base",
            voiced=None if state in without else "Hey.",
            findings=(Finding("shape", Severity.block, message, None, None),) if state in without else (),
        )
        for state in TellState
    ]


def _lines(message: str = "too long") -> list[LineOutcome]:
    return line_outcomes(
        [
            *_records("whole", set()),
            *_records("part", {TellState.Angry, TellState.Guarded}, message),
            *_records("half", {TellState.Neutral, TellState.Angry}, message),
            *_records("bare", set(TellState), message),
        ]
    )


def _zone(zone: str, *, stopped: bool = False) -> ZoneSummary:
    status = ZoneStatus(zone, 4, 24, 14, 2, 8, 14, 0)
    return ZoneSummary(
        status, Tally(lines=1, batches=1, candidates=24, seconds=2.5), False, stopped, 3 if stopped else 0
    )


def test_each_line_is_counted_by_what_answers_for_its_variants() -> None:
    counts = {line.line_id: (line.voiced, line.fallback_neutral, line.fallback_base) for line in _lines()}
    assert counts == {"whole": (6, 0, 0), "part": (4, 2, 0), "half": (4, 0, 2), "bare": (0, 0, 6)}
    assert [line.line_id for line in _lines() if line.all_base] == ["bare"]


def test_junit_has_a_suite_per_zone_and_a_case_per_line() -> None:
    summary = BakeSummary((_zone("test_hub"), _zone("test_yard", stopped=True)), None)
    root = ET.fromstring(junit_summary(summary, {"test_hub": _lines()}))
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }
    hub, yard = root.findall("testsuite")
    assert [case.get("name") for case in hub.findall("testcase")] == ["whole", "part", "half", "bare"]
    assert [case.get("name") for case in hub.findall("testcase") if case.find("failure") is not None] == ["bare"]
    assert {one.get("name"): one.get("value") for one in hub.iter("property")}["lines_generated"] == "1"
    assert hub.get("time") == "2.500"
    part = hub.findtext("testcase[@name='part']/system-out") or ""
    assert part.splitlines()[0] == "Angry, Guarded: answered by the Neutral text"
    half = hub.findtext("testcase[@name='half']/system-out") or ""
    assert half.splitlines()[0] == "Neutral, Angry: answered by the base text"
    skipped = yard.find("testcase/skipped")
    assert skipped is not None
    assert skipped.get("message") == "stopped; 3 lines are left"


@given(ANY_TEXT, ANY_TEXT)
def test_no_text_breaks_the_xml_or_leaves_its_cell(message: str, hint: str) -> None:
    summary = BakeSummary((_zone("test_hub"),), None)
    lines = {"test_hub": _lines(message)}
    assert len(list(ET.fromstring(junit_summary(summary, lines)).iter("testcase"))) == 4
    (told,) = ET.fromstring(junit_failure(UserError(message, hint))).iter("error")
    assert told.get("type") == "UserError"
    text = markdown_summary(summary, lines, {"test_hub": [message]})
    rows = [row for row in text.splitlines() if row.startswith("| `test_hub`")]
    assert [row.replace("\\|", "").count("|") for row in rows] == [9, 6, 6]
    fence = markdown_failure(UserError(message, hint)).rstrip("\n").splitlines()[-1]
    assert set(fence) == {"`"}
    assert markdown_failure(UserError(message, hint)).count(fence) == 2


def test_markdown_names_what_was_baked_why_and_what_fell_back() -> None:
    summary = BakeSummary((_zone("test_hub"), _zone("test_yard", stopped=True)), None)
    text = markdown_summary(summary, {"test_hub": _lines()}, {"test_hub": ["npc imke_dorr"]})
    assert "| `test_hub` | 4 | 1 | 24 | 14 | 2 | 8 | 14 |" in text
    assert "- `test_hub`: npc imke\\_dorr" in text
    assert "| `test_hub` | imke\\_dorr | half | Neutral\\, Angry | shape |" in text
    assert "part" not in text
    assert "Lines left: `test_yard` 3" in text
    assert "No zone was to be baked." in markdown_summary(BakeSummary((), None), {}, {})


def test_a_long_list_is_cut_with_its_rest_counted() -> None:
    lines = [line for number in range(60) for line in line_outcomes(_records(f"line{number}", set(TellState)))]
    text = markdown_summary(BakeSummary((_zone("test_hub"),), None), {"test_hub": lines}, {})
    assert text.count("imke") == 50
    assert "\n10 more." in text


def test_the_files_are_written_for_a_refused_bake_too(tmp_path: Path) -> None:
    from pipeline.cli.bake_files import BakeFiles

    files = BakeFiles(tmp_path / "new/junit.xml", tmp_path / "new/summary.md")
    with pytest.raises(UserError, match="zones/x: broken"), files.telling_failure():
        raise UserError("zones/x: broken", "Mend it.")
    (told,) = ET.fromstring((tmp_path / "new/junit.xml").read_text("utf-8")).iter("error")
    assert told.text == "zones/x: broken\n  Mend it."
    assert "zones/x: broken" in (tmp_path / "new/summary.md").read_text("utf-8")
