"""Profiles and templates: what loads, what is refused, and that every field that a profile uses matters."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from pipeline.content.models import Content, TellTable
from pipeline.content.terms import TELL_CATEGORIES, Affect, Kind, TellState
from pipeline.errors import UserError
from pipeline.prompting import load_profile, views
from tests.prompting.zones import PROFILES, content, culture, jobs, npc, profile, tell_class

STATES = list(TellState)


def prompt(made: Content, profile_name: str, state: TellState, line: str = "crates") -> str:
    job = next(job for job in jobs(made, profile_name) if job.line.line_id == line)
    return job.jobs[STATES.index(state)].text


def with_injector(**changes: object) -> Content:
    injector = culture().injector
    return content(cultures=[culture().model_copy(update={"injector": injector.model_copy(update=changes)})])


def with_vocabulary(**changes: object) -> Content:
    return with_injector(vocabulary=culture().injector.vocabulary.model_copy(update=changes))


def with_institutions(**changes: object) -> Content:
    institutions = culture().institutions.model_copy(update=changes)
    return content(cultures=[culture().model_copy(update={"institutions": institutions})])


def with_authority(**changes: object) -> Content:
    first, *rest = culture().institutions.use
    return with_institutions(use=(first.model_copy(update=changes), *rest))


def with_example(**changes: object) -> Content:
    first, *rest = culture().injector.examples
    return with_injector(examples=(first.model_copy(update=changes), *rest))


def with_tone(towards_one: bool) -> Content:
    rows = tuple(
        row.model_copy(update={"text": "Otherwise."})
        if row.category is TellState.Guarded and row.towards_one is towards_one
        else row
        for row in culture().tell_tones
    )
    return content([npc(guarded_towards_one=towards_one)], cultures=[culture().model_copy(update={"tell_tones": rows})])


def with_guard(**changes: object) -> Content:
    first, *rest = content().guards
    return content(guards=[first.model_copy(update=changes), *rest])


def with_tell(**changes: object) -> Content:
    rows = tuple(
        tell_class(state).model_copy(update=changes if state is TellState.Guarded else {}) for state in TELL_CATEGORIES
    )
    return content(tells=TellTable(rows=rows))


def with_line(kind: Kind = Kind.dialogue, **changes: object) -> Content:
    line = next(line for line in npc().dialogue if line.id == "crates").model_copy(update=changes)
    return content(
        [
            npc(
                dialogue=[line] if kind is Kind.dialogue else [],
                observable_behaviors=[line] if kind is Kind.behavior else [],
            )
        ]
    )


EVERY_STATE, GUARDED = tuple(STATES), (TellState.Guarded,)
EDITS: list[tuple[str, str, Callable[[], Content], tuple[TellState, ...]]] = [
    ("instruct", "guard.full", lambda: with_guard(full="Otherwise."), EVERY_STATE),
    ("instruct", "register", lambda: with_injector(register_="Otherwise."), EVERY_STATE),
    ("instruct", "context", lambda: with_injector(context="Otherwise. " * 10), EVERY_STATE),
    ("instruct", "exclamations", lambda: with_vocabulary(exclamations=("stars", "cold vacuum")), EVERY_STATE),
    ("instruct", "greetings", lambda: with_vocabulary(greetings=("all good", "morning")), EVERY_STATE),
    ("instruct", "farewells", lambda: with_vocabulary(farewells=("shift's calling", "gotta move")), EVERY_STATE),
    ("instruct", "values", lambda: with_injector(values="Otherwise " * 5), EVERY_STATE),
    (
        "instruct",
        "exclusions",
        lambda: with_injector(exclusions=culture().injector.exclusions.model_copy(update={"text": "oaths"})),
        EVERY_STATE,
    ),
    ("instruct", "example.kind", lambda: with_example(kind=Kind.behavior), EVERY_STATE),
    ("instruct", "example.base", lambda: with_example(base="There are two tugs in the bay."), EVERY_STATE),
    ("instruct", "example.voiced", lambda: with_example(voiced="Two tugs, both waiting."), EVERY_STATE),
    ("instruct", "authority.word", lambda: with_authority(word="Shift board"), EVERY_STATE),
    ("instruct", "authority.note", lambda: with_authority(note="far off, counts"), EVERY_STATE),
    ("instruct", "never", lambda: with_institutions(never=("government", "council", "empire", "navy")), EVERY_STATE),
    ("instruct", "traits", lambda: content([npc(traits=("dry",))]), EVERY_STATE),
    ("instruct", "mood", lambda: content([npc(mood="brisk")]), EVERY_STATE),
    ("instruct", "fillers", lambda: content([npc(cultural_markers={"filler_words": ("yeah",)})]), EVERY_STATE),
    ("instruct", "no fillers", lambda: content([npc(cultural_markers={})]), EVERY_STATE),
    ("instruct", "base text", lambda: with_line(base_text="The crates came to Dock Nine."), EVERY_STATE),
    ("instruct", "kind", lambda: with_line(Kind.behavior), EVERY_STATE),
    ("instruct", "affect high", lambda: with_line(affect=Affect.high), EVERY_STATE),
    ("instruct", "affect low", lambda: with_line(affect=Affect.low), EVERY_STATE),
    ("instruct", "universal class", lambda: with_tell(universal_class="otherwise"), GUARDED),
    ("instruct", "everywhere", lambda: with_tell(everywhere="otherwise"), GUARDED),
    ("instruct", "tone", lambda: with_tone(False), GUARDED),
    ("instruct", "tone towards one", lambda: with_tone(True), GUARDED),
    ("base", "guard.compressed", lambda: with_guard(compressed="Otherwise."), EVERY_STATE),
    ("base", "register", lambda: with_injector(register_="Otherwise."), EVERY_STATE),
    ("base", "exclamations", lambda: with_vocabulary(exclamations=("stars", "cold vacuum")), EVERY_STATE),
    ("base", "values", lambda: with_injector(values="Otherwise " * 5), EVERY_STATE),
    (
        "base",
        "exclusions",
        lambda: with_injector(exclusions=culture().injector.exclusions.model_copy(update={"text": "oaths"})),
        EVERY_STATE,
    ),
    ("base", "authority.word", lambda: with_authority(word="Shift board"), EVERY_STATE),
    ("base", "example.kind", lambda: with_example(kind=Kind.behavior), EVERY_STATE),
    ("base", "example.base", lambda: with_example(base="There are two tugs in the bay."), EVERY_STATE),
    ("base", "example.voiced", lambda: with_example(voiced="Two tugs, both waiting."), EVERY_STATE),
    ("base", "base text", lambda: with_line(base_text="The crates came to Dock Nine."), EVERY_STATE),
    ("base", "kind", lambda: with_line(Kind.behavior), EVERY_STATE),
    ("base", "everywhere", lambda: with_tell(everywhere="otherwise"), GUARDED),
    ("base", "tone", lambda: with_tone(False), GUARDED),
    ("base", "tone towards one", lambda: with_tone(True), GUARDED),
    (
        "adapter",
        "culture",
        lambda: content(cultures=[culture().model_copy(update={"name": "Otherwise"})]),
        EVERY_STATE,
    ),
    ("adapter", "traits", lambda: content([npc(traits=("dry",))]), EVERY_STATE),
    ("adapter", "mood", lambda: content([npc(mood="brisk")]), EVERY_STATE),
    ("adapter", "fillers", lambda: content([npc(cultural_markers={"filler_words": ("yeah",)})]), EVERY_STATE),
    ("adapter", "no fillers", lambda: content([npc(cultural_markers={})]), EVERY_STATE),
    ("adapter", "base text", lambda: with_line(base_text="The crates came to Dock Nine."), EVERY_STATE),
    ("adapter", "kind", lambda: with_line(Kind.behavior), EVERY_STATE),
    ("adapter", "affect high", lambda: with_line(affect=Affect.high), EVERY_STATE),
    ("adapter", "tone", lambda: with_tone(False), GUARDED),
    ("adapter", "tone towards one", lambda: with_tone(True), GUARDED),
]


@pytest.mark.parametrize(
    ("name", "field", "edited", "changed"), EDITS, ids=[f"{name} {field}" for name, field, _, _ in EDITS]
)
def test_an_edit_shows_in_the_prompts_it_concerns_and_in_no_other(
    name: str, field: str, edited: Callable[[], Content], changed: tuple[TellState, ...]
) -> None:
    before = content([npc(guarded_towards_one="towards one" in field)])
    differing = tuple(state for state in STATES if prompt(before, name, state) != prompt(edited(), name, state))
    assert differing == changed


@pytest.mark.parametrize("name", ["base", "instruct", "adapter"])
def test_every_block_of_a_profile_is_edited_above(name: str) -> None:
    """Each block that reads anything renders differently for at least one of the edits."""
    seen = set()
    for _, field, edited, states in (edit for edit in EDITS if edit[0] == name):
        before = blocks(content([npc(guarded_towards_one="towards one" in field)]), name, states[-1])
        seen |= {block for block, _ in before ^ blocks(edited(), name, states[-1])}
    assert seen == {block.name for block in profile(name).blocks if block.uses}


def blocks(made: Content, name: str, state: TellState) -> set[tuple[str, str]]:
    job = next(job for job in jobs(made, name) if job.line.line_id == "crates")
    return {(segment.block, segment.text) for segment in job.jobs[STATES.index(state)].segments}


@pytest.mark.parametrize("name", ["base", "instruct", "adapter"])
def test_what_is_shared_comes_first_and_the_tell_last(name: str) -> None:
    made = jobs(content(), name)
    order = [segment.block for segment in made[0].jobs[1].segments]
    assert order == [block.name for block in profile(name).blocks]
    reach = {"guards": 0, "culture": 1, "npc": 2, "line": 3, "tell": 4}
    ranks = [max((reach[variable] for variable in block.uses), default=4) for block in profile(name).blocks]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("name", ["base", "instruct", "adapter"])
def test_neutral_has_no_tell_context(name: str) -> None:
    for line in jobs(content(), name):
        neutral, *others = line.jobs
        assert "tell" not in {segment.block for segment in neutral.segments}
        assert all("tell" in {segment.block for segment in job.segments} for job in others)


def test_the_base_profile_is_a_completion_that_ends_where_the_model_goes_on() -> None:
    for line in jobs(content(), "base"):
        assert not any(job.chat for job in line.jobs)
        assert all(job.text.endswith("\nVoiced:") for job in line.jobs)
        assert line.jobs[0].text.count("Voiced:") == 3
    assert all(job.chat for line in jobs(content(), "instruct") for job in line.jobs)


def test_the_examples_show_slots_like_the_line() -> None:
    assert "There are {N1} tugs waiting." in prompt(content(), "base", TellState.Neutral)
    with pytest.raises(UserError, match=r"cultures/hull/culture.ron: example 'There are two tugs waiting.'.*'three'"):
        jobs(with_example(voiced="Tugs waiting, three of them."))


def test_no_view_holds_what_must_not_be_sent() -> None:
    held = {
        field.name
        for view in (
            views.GuardView,
            views.CultureView,
            views.NpcView,
            views.LineView,
            views.TellView,
            views.ExampleView,
        )
        for field in fields(view)
    }
    assert not held & {
        "id",
        "npc_id",
        "line_id",
        "name",
        "tell_behaviors",
        "anchor_line",
        "role",
        "tier",
        "slots",
        "words",
    }


def write(folder: Path, file: str, text: str) -> Path:
    """A copy of the profiles with one file replaced."""
    copy = folder / "profiles"
    shutil.copytree(PROFILES, copy)
    (copy / file).write_text(text, encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{% block guards %}{{ npc.tell_behaviors }}{% endblock %}", "tell_behaviors"),
        ("{% block guards %}{{ line.line_id }}{% endblock %}", "line_id"),
        ("{% block guards %}{{ npc.__class__.__mro__ }}{% endblock %}", "unsafe"),
        ("{% block guards %}{{ culture.examples.append(1) }}{% endblock %}", "append"),
    ],
)
def test_a_field_out_of_reach_is_an_error_when_rendered(tmp_path: Path, template: str, message: str) -> None:
    from tests.prompting import zones

    folder = write(tmp_path, "guards.j2", template)
    with pytest.raises(UserError, match=r"prompts/profiles/guards.j2: block 'guards': .*" + message):
        zones.zone_jobs(content(), zones.ZONE, load_profile(folder, "instruct"), zones.IDENTITY, zones.count_tokens)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{% block guards %}{{ zone.id }}{% endblock %}", r"guards.j2:1: block 'guards' reads zone"),
        ("{% block guards %}{{ guards }}", r"guards.j2:1: Unexpected end of template"),
        ("{% block guards %}{% endblock %}\nand text", r"guards.j2:2: text outside of a block"),
        (
            "{% block guards %}{% include '../../zones/z/zone.ron' %}{% endblock %}",
            r"guards.j2:1: a template loads no other",
        ),
        ("{% extends 'base.j2' %}", r"guards.j2:1: a template loads no other file"),
        (
            "{% block guards %}{% block x %}{% endblock %}{% endblock %}",
            r"guards.j2:1: block 'x' stands inside block 'guards'",
        ),
        ("{% block more %}{% endblock %}", r"guards.j2:1: block 'more' has no budget"),
        ("{% block mood %}{% endblock %}", r"more than one block mood"),
        ("", r"has a budget for no block: guards"),
    ],
)
def test_a_broken_template_is_refused_when_loaded(tmp_path: Path, template: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_profile(write(tmp_path, "guards.j2", template), "instruct")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("chat = true", "chat = maybe", r"profiles.toml: Invalid value"),
        ("chat = true", "speak = true", r"profiles.instruct.chat: Field required"),
        ('"guards.j2"', '"none.j2"', r"prompts/profiles/none.j2: the template cannot be read"),
        ('"guards.j2"', '"../profiles.toml"', r"the template cannot be read"),
    ],
)
def test_a_broken_profile_file_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (PROFILES / "profiles.toml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(UserError, match=message):
        load_profile(write(tmp_path, "profiles.toml", text.replace(old, new)), "instruct")


def test_an_unknown_profile_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"there is no profile 'chatty'\.\n  There are: adapter, base, instruct, reverse"
    ):
        load_profile(PROFILES, "chatty")
    with pytest.raises(UserError, match="prompt profiles is missing"):
        load_profile(tmp_path, "base")
