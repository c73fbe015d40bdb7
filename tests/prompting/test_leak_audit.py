"""Tell texts and anchors in prompts are found, wherever they come from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.content.models import Content, Example, Line, TellBehavior
from pipeline.content.terms import Kind, TellState
from pipeline.prompting import LeakError, LeakReport, audit, load_profile, zone_jobs
from pipeline.prompting.leak_audit import plain_words
from tests.prompting.zones import IDENTITY, PROFILES, ZONE, content, count_tokens, culture, jobs, npc

TELL = "turns the order screen face down"


def person(line: str, *, tell: str = TELL, anchor: str | None = None, kind: Kind = Kind.dialogue) -> Content:
    lines = [Line(id="line", base_text=line)]
    anchors = [Line(id="anchor", base_text=anchor, anchor_line=True)] if anchor else []
    return content(
        [
            npc(
                dialogue=[*anchors, *(lines if kind is Kind.dialogue else [])],
                observable_behaviors=lines if kind is Kind.behavior else [],
                tell_behaviors=[TellBehavior(category=TellState.Guarded, base_text=tell)],
            )
        ]
    )


def report(made: Content, name: str = "instruct") -> LeakReport:
    return audit(made, jobs(made, name))


@pytest.mark.parametrize("name", ["base", "instruct"])
def test_clean_prompts_pass(name: str) -> None:
    found = report(content([npc("mirel"), npc("teodor")]), name)
    assert (found.fatal, found.notes) == ((), ())
    assert (found.prompts, found.secrets) == (60, 11)
    found.raise_if_fatal()


@pytest.mark.parametrize(
    "line",
    [
        TELL,
        "Then she turns the order screen face down, quickly.",
        "TURNS the  “order” screen — face-down!",
        "turns the or\u200bder screen face down",
    ],
)
@pytest.mark.parametrize("name", ["base", "instruct"])
def test_a_tell_in_a_base_line_is_fatal(line: str, name: str) -> None:
    found = report(person(line), name)
    assert [(leak.secret.npc_id, leak.secret.text, leak.block, leak.prompts) for leak in found.fatal] == [
        ("mirel", TELL, "task", 6)
    ]
    with pytest.raises(LeakError) as caught:
        found.raise_if_fatal()
    assert (
        "tell behavior of NPC 'mirel': 'turns the order screen face down' stands in block 'task'"
        in caught.value.message
    )
    assert "(mirel, line, Neutral, hull), and in 5 more prompts" in caught.value.message


@pytest.mark.parametrize(
    "line",
    [
        "turns the order screens face down",
        "turns the screen face down",
        "returns the order screen face down",
        "face down",
    ],
)
def test_other_words_are_no_leak(line: str) -> None:
    assert report(person(line)).fatal == ()


def test_a_tell_is_found_with_its_facts_masked_or_put_back() -> None:
    tell = "leaves the third tray of Dock Nine unsorted"
    made = person(f"He {tell} again.", tell=tell)
    assert "{N1}" in jobs(made)[0].masked.text
    assert [leak.block for leak in report(made).fatal] == ["task"]
    assert report(person("He leaves the second tray of Dock Nine unsorted.", tell=tell)).fatal == ()


def test_a_tell_with_a_figure_in_an_example_is_found() -> None:
    tell = "counts three seals and stops"
    injector = culture().injector
    examples = (*injector.examples, Example(kind=Kind.behavior, base="counts three seals", voiced=tell))
    spread = culture().model_copy(update={"injector": injector.model_copy(update={"examples": examples})})
    people = [npc(tell_behaviors=[TellBehavior(category=TellState.Angry, base_text=tell)])]
    found = report(content(people, cultures=[spread]))
    assert [(leak.block, leak.prompts) for leak in found.fatal] == [("examples", 30)]


def test_a_tell_of_another_npc_or_zone_counts() -> None:
    made = person(TELL, tell="taps the rail")
    other = content([npc("teodor", tell_behaviors=[TellBehavior(category=TellState.Angry, base_text=TELL)])])
    both = Content({**made.zones, "far": other.zones[ZONE]}, made.cultures, made.guards, made.word_lists, made.tells)
    assert [leak.secret.npc_id for leak in audit(both, jobs(made)).fatal] == ["teodor"]


def test_a_tell_in_a_template_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    shutil.copytree(PROFILES, folder)
    guards = folder / "guards.j2"
    guards.write_text(guards.read_text() + "\n", encoding="utf-8")
    guards.write_text(
        "{% block guards %}\nNobody turns the order screen\nface down.\n{% endblock %}\n", encoding="utf-8"
    )
    made = person("Morning.")
    planted = zone_jobs(made, ZONE, load_profile(folder, "instruct"), IDENTITY, count_tokens, {}, {})
    assert [(leak.block, leak.prompts) for leak in audit(made, planted).fatal] == [("guards", 6)]


def test_a_tell_across_two_blocks_is_found() -> None:
    made = content(
        [
            npc(
                mood="turning away",
                traits=("dry",),
                cultural_markers={"filler_words": ("well",)},
                tell_behaviors=[TellBehavior(category=TellState.Angry, base_text="turning away; pause words")],
            )
        ]
    )
    assert {leak.block for leak in report(made).fatal} == {"mood"}


def test_a_long_anchor_is_fatal_and_a_short_one_is_noted() -> None:
    long = report(person("So: nobody works alone here.", anchor="Nobody works alone here."))
    assert [leak.secret.text for leak in long.fatal] == ["Nobody works alone here."]
    assert "anchor line of NPC 'mirel'" in str(long.fatal[0])
    short = report(person("Nobody works alone here.", anchor="Nobody works alone."))
    assert (short.fatal, [leak.secret.text for leak in short.notes]) == ((), ["Nobody works alone."])
    short.raise_if_fatal()


def test_a_long_list_of_leaks_is_cut() -> None:
    people = [npc(name, dialogue=[Line(id="line", base_text=TELL)]) for name in "abcdefghijkl"]
    people = [
        p.model_copy(update={"tell_behaviors": (TellBehavior(category=TellState.Angry, base_text=TELL),)})
        for p in people
    ]
    with pytest.raises(LeakError, match=r"... and 2 more"):
        report(content(people)).raise_if_fatal()


@given(st.text(), st.text(), st.text())
def test_plain_words_of_a_part_are_found_in_the_whole(before: str, part: str, after: str) -> None:
    words = plain_words(part).strip()
    assume(words)
    assert f" {words} " in f" {plain_words(f'{before} {part} {after}')} "
