"""The report is one page, escaped, with every criterion and the lines behind it."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.content.terms import TellState
from pipeline.project import Project
from pipeline.spike.criteria import rule_criteria
from pipeline.spike.judging import report
from pipeline.spike.page import page
from pipeline.spike.result_files import write_result
from tests.spike.result_factory import changed, finding, good_lines, result

BAD = "<script>alert('x')</script>"


def test_content_is_escaped_and_nothing_is_loaded(tmp_path: Path) -> None:
    lines = changed(good_lines(), 3, TellState.Angry, text=BAD, findings=(finding("tell-naming"),))
    shown = page(report(Project(tmp_path), [result(lines, model=BAD)]))
    assert BAD not in shown
    assert shown.count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;") >= 3
    assert "tell-naming says &lt;b&gt;no&lt;/b&gt;." in shown
    assert re.findall(r"""(?:src|href)\s*=|@import|url\(|<script""", shown) == []


def test_every_criterion_stands_in_it_with_its_bars(tmp_path: Path) -> None:
    made = result()
    shown = page(report(Project(tmp_path), [made]))
    assert 'Decision: <span class="open">undecided</span>' in shown
    for criterion in rule_criteria(made):
        assert criterion.title in shown
        for measure in criterion.measures:
            assert measure.what.replace("'", "&#39;") in shown
    assert "FAKE engine" not in shown


def test_two_results_stand_side_by_side(tmp_path: Path) -> None:
    project = Project(tmp_path)
    first, second = result(), result(model="another model")
    write_result(project, first)
    shown = page(report(project, [first, second]))
    assert "Better: <strong>neither</strong>" in shown
    assert "Side by side" in shown
    assert f"another model (adapter) <code>{second.short}</code>" in shown


def test_one_result_twice_is_one(tmp_path: Path) -> None:
    made = report(Project(tmp_path), [result(), result()])
    assert len(made.judged) == 1
    assert made.choice is None
