"""The report shows what the stores hold, says what changed, loads nothing and lets no text out of its place."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.bake import Workspace
from pipeline.content.terms import Severity, TellState
from pipeline.project import Project
from pipeline.report.baseline import Change, Changes, changes_since_last_bake
from pipeline.report.distinctness import measure
from pipeline.report.facts import Facts, collect_facts
from pipeline.report.findings import count_rules
from pipeline.report.html import MOST_CHANGES, render, write_report
from pipeline.report.samples import samples
from pipeline.store import ChoiceRecord
from pipeline.validation.finding import Finding
from tests.project_fixture import bake_all, edit

IMKE = "test_hub/npcs/imke_dorr.ron"


class _Page(HTMLParser):
    """What a browser would make of the page: its elements, their attributes, its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.cells: list[str] = []
        self._open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        if tag in ("td", "th"):
            self.cells.append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._open = False

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self._open:
            self.cells[-1] += data


def _facts(project: Project) -> Facts:
    with Workspace.open(project) as workspace:
        return collect_facts(workspace)


def _record(line: str, state: TellState, voiced: str | None, *findings: Finding) -> ChoiceRecord:
    source = "empty" if voiced is None else "generated"
    return ChoiceRecord("imke_dorr", line, state, "c", "dialogue", "f", source, "b", voiced=voiced, findings=findings)


def test_the_numbers_are_those_of_status(baked: Project) -> None:
    from pipeline.bake import plan_zone, project_status

    with Workspace.open(baked) as workspace:
        plans = [plan_zone(workspace, zone) for zone in workspace.content.zones]
        wanted = project_status(workspace, plans)
        facts = collect_facts(workspace)
    assert facts.fake
    assert facts.not_baked == ()
    for zone, status in zip(facts.zones, wanted, strict=True):
        counted = (zone.id, len(zone.outcomes), len(zone.records), zone.voiced, zone.fallback_neutral)
        assert counted == (status.zone, status.lines, status.variants, status.voiced, status.fallback_neutral)
        assert (zone.fallback_base, zone.pending) == (status.fallback_base, status.pending)
        assert zone.cost.batches >= status.lines
        assert zone.last_run is not None
        assert sum(zone.last_run.summary["stages"].values()) > 0
    page = _Page(render(facts, None))
    for status in wanted:
        assert str(status.voiced) in " ".join(page.cells)


def test_the_page_stands_alone_and_is_built_for_all_readers(baked: Project) -> None:
    with Workspace.open(baked) as workspace:
        text = write_report(workspace).read_text("utf-8")
    page = _Page(text)
    assert not page.tags.keys() & {"script", "link", "img", "iframe", "object", "embed", "form"}
    assert [
        value for name, value in page.attributes if name in ("src", "href") and not (value or "").startswith("#")
    ] == []
    assert "url(" not in text
    assert "@import" not in text
    targets = {value for name, value in page.attributes if name == "id"}
    assert {f"#{target}" for target in targets} == {value for name, value in page.attributes if name == "href"}
    assert page.tags["h1"] == 1
    assert page.tags["table"] == page.tags["caption"] == page.tags["thead"]
    assert page.tags["th"] == sum(name == "scope" for name, _ in page.attributes)
    assert "prefers-color-scheme: dark" in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_colour_can_be_read_on_every_ground(scheme: str) -> None:
    template = (Path(__file__).parents[2] / "pipeline/report/report.html.j2").read_text("utf-8")
    blocks = re.findall(r":root \{\s*(.*?)\}", template, re.DOTALL)
    assert len(blocks) == 2
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[scheme == "dark"]))
    pairs = [(ink, ground) for ink in ("ink", "soft", "link") for ground in ("paper", "card", "stripe")]
    pairs += [("warn-ink", "warn"), ("warn-ink", "card"), ("warn-ink", "stripe")]
    pairs += [(ink, ground) for ink in ("now", "then") for ground in ("card", "stripe")]
    weak = [pair for pair in pairs if _contrast(colours[pair[0]], colours[pair[1]]) < 4.5]
    assert weak == []


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of the web's accessibility guidelines."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_it_says_what_changed_and_says_it_again_until_the_next_bake(baked: Project) -> None:
    assert changes_since_last_bake(baked, _facts(baked)) is None
    edit(baked.zones / IMKE, "What do you need?", "What do you want?")
    bake_all(baked)
    for _ in range(2):
        changes = changes_since_last_bake(baked, _facts(baked))
        assert changes is not None
        assert {(one.zone, one.npc_id, one.line_id) for one in changes.changed} == {("test_hub", "imke_dorr", "greet")}
        assert all(one.before != one.now for one in changes.changed)
        assert (changes.added, changes.removed) == ({}, {})
    edit(baked.zones / IMKE, '        (id: "lift_broken",', '        (id: "lift_out",')
    bake_all(baked)
    changes = changes_since_last_bake(baked, _facts(baked))
    assert changes is not None
    assert (changes.changed, changes.added, changes.removed) == ((), {"test_hub": 6}, {"test_hub": 6})


def test_what_was_remembered_and_cannot_be_read_is_nothing(baked: Project) -> None:
    facts = _facts(baked)
    for broken in ("{", "[]", '{"format": 0}', '{"format": 1, "states": 3, "texts": {}}'):
        for name in ("report.json", "report.previous.json"):
            (baked.build / name).write_text(broken, encoding="utf-8")
        assert changes_since_last_bake(baked, facts) is None


def test_a_zone_that_was_not_baked_is_named(project: Project) -> None:
    facts = _facts(project)
    assert (facts.zones, facts.not_baked) == ((), ("test_hub", "test_yard"))
    assert "test_hub, test_yard" in render(facts, None)


def test_distance_counts_words_added_or_dropped() -> None:
    neutral, nervous, angry = TellState.Neutral, TellState.Nervous, TellState.Angry
    records = [
        *(_record("same", neutral, "Lift's out."), _record("same", nervous, "lift’s out!")),
        *(_record("half", neutral, "one two"), _record("half", nervous, "one three")),
        *(
            _record("far", neutral, "one two"),
            _record("far", nervous, "three four"),
            _record("far", angry, "three four"),
        ),
        *(_record("no neutral", neutral, None), _record("no neutral", nervous, "one")),
    ]
    rows = {row.tell_state: row for row in measure(records)}
    assert set(rows) == {nervous, angry}
    assert rows[nervous].lines == 3
    assert rows[nervous].differ == pytest.approx(2 / 3)
    assert rows[nervous].distance == pytest.approx((0 + 0.5 + 1) / 3)
    assert rows[nervous].alone == pytest.approx(1 / 3)
    assert (rows[angry].lines, rows[angry].distance, rows[angry].alone) == (1, 1.0, 0.0)


def test_rules_are_counted_by_what_they_mean_for_the_text(baked: Project) -> None:
    from dataclasses import replace

    look = Finding("siblings", Severity.review, "Nearly the same.", None, None)
    remark = Finding("fillers", Severity.info, "Not a filler.", None, None)
    block = Finding("shape", Severity.block, "Too long.", None, None)
    records = (
        _record("a", TellState.Neutral, "Hey.", look, look, remark),
        _record("b", TellState.Neutral, "Hey.", look),
        _record("c", TellState.Neutral, None, block, remark),
    )
    zone = replace(_facts(baked).zones[0], records=records)
    counts = {one.rule: (one.review, one.info, one.empty) for one in count_rules([zone])}
    assert list(counts.items()) == [("siblings", (2, 0, 0)), ("shape", (0, 0, 1)), ("fillers", (0, 1, 0))]


def test_samples_are_the_same_lines_each_time_and_say_whose_text_it_is(baked: Project) -> None:
    hub = next(zone for zone in _facts(baked).zones if zone.id == "test_hub")
    shown = samples(hub)
    assert shown == samples(hub)
    assert len(shown) == 4
    assert len({sample.npc for sample in shown}) == 2
    for sample in shown:
        texts = {text.tell_state: text for text in sample.texts}
        for text in sample.texts:
            if text.answer == "base":
                assert text.text == sample.base
            if text.answer == "Neutral":
                assert text.text == texts[TellState.Neutral].text


@settings(max_examples=60)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1),
    st.sampled_from(["<script>", "</td>", "&amp;", '" x="', "{{ 1 }}"]),
)
def test_no_text_leaves_its_place(text: str, nasty: str) -> None:
    content = f"{nasty}{text}{nasty}"
    change = Change("test_hub", content, content, "Angry", content, None)
    calm = _Page(render(Facts((), (), "model", False), Changes((Change("z", "n", "l", "Angry", "t", None),), {}, {})))
    page = _Page(render(Facts((), (), content, False), Changes((change,), {}, {})))
    assert page.tags == calm.tags
    assert content in page.texts
    assert any(content in cell for cell in page.cells)


def test_a_long_list_of_changes_is_cut(baked: Project) -> None:
    many = tuple(Change("test_hub", "imke_dorr", f"line{n}", "Angry", "before", "now") for n in range(MOST_CHANGES + 5))
    text = render(_facts(baked), Changes(many, {"test_yard": 6}, {}))
    assert text.count(">before</del>") == MOST_CHANGES
    assert f"{MOST_CHANGES + 5} variants have another text" in text
    assert "6 are new in test_yard." in text
