"""What must hold for cultures beyond their own fields."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.content.bound import Bound
from pipeline.content.mistakes import TONE_ROWS
from pipeline.content.models import Culture, TellTable
from pipeline.content.problems import Problem
from pipeline.content.terms import TELL_CATEGORIES, Kind, TellState
from pipeline.errors import UserError
from pipeline.project import checked_id

_CATEGORIES = ", ".join(TELL_CATEGORIES)


def check_culture(culture: Bound[Culture], folder: Path) -> Iterator[Problem]:
    """Everything about one culture; `folder` is where its files lie."""
    value = culture.value
    try:
        checked_id(value.id)
    except UserError as error:
        yield culture.problem(("id",), f"`{value.id}` cannot be the id of a culture", hint=error.hint)
    if value.id != folder.name:
        message = f"the culture is called `{value.id}`, its folder `{folder.name}`"
        yield culture.problem(("id",), message, hint="Rename one of them: a culture's id is its folder's name.")
    if all(example.kind is not Kind.behavior for example in value.injector.examples):
        hint = "The examples teach both kinds: give at least one `kind: behavior`."
        yield culture.problem(("injector", "examples"), "no example is a behavior", hint=hint)
    yield from _check_tones(culture)
    yield from _check_adapter(culture, folder)


def _check_tones(culture: Bound[Culture]) -> Iterator[Problem]:
    seen: dict[tuple[TellState, bool], int] = {}
    for index, row in enumerate(culture.value.tell_tones):
        path = ("tell_tones", index)
        if row.category is TellState.Neutral:
            hint = f"Neutral has no tone. The categories are {_CATEGORIES}."
            yield culture.problem((*path, "category"), "Neutral is no tell category", hint=hint, id=TONE_ROWS)
        if row.towards_one and row.category is not TellState.Guarded:
            hint = "Only Guarded has a second row, towards one person."
            yield culture.problem(
                (*path, "towards_one"), f"{row.category} has no row towards one person", hint=hint, id=TONE_ROWS
            )
        key = (row.category, row.towards_one)
        if key in seen:
            also = culture.excerpt(("tell_tones", seen[key], "category"), "first here")
            message = f"a second row for {row.category}"
            hint = "Each category has one row; Guarded may have a second one with `towards_one: true`."
            yield culture.problem((*path, "category"), message, hint=hint, also=also, id=TONE_ROWS)
        seen.setdefault(key, index)
    for category in TELL_CATEGORIES:
        if (category, False) not in seen:
            hint = f"A culture says how each category sounds: {_CATEGORIES}."
            yield culture.problem(("tell_tones",), f"no row for {category}", hint=hint, id=TONE_ROWS)


def _check_adapter(culture: Bound[Culture], folder: Path) -> Iterator[Problem]:
    name = culture.value.adapter
    if name is None:
        return
    if "/" in name or "\\" in name or name in (".", ".."):
        hint = "Name a file in the culture's own folder, without any path."
        yield culture.problem(("adapter",), f"`{name}` is no plain file name", hint=hint)
    elif not (folder / name).is_file():
        hint = f"Put the adapter beside culture.ron in cultures/{folder.name}/, or set the field to None."
        yield culture.problem(("adapter",), f"there is no file `{name}` in the culture's folder", hint=hint)


def check_tells(tells: Bound[TellTable]) -> Iterator[Problem]:
    """`tells.ron` has one row per category."""
    seen: dict[TellState, int] = {}
    for index, row in enumerate(tells.value.rows):
        path = ("rows", index, "category")
        if row.category is TellState.Neutral:
            hint = f"Neutral has no row. The categories are {_CATEGORIES}."
            yield tells.problem(path, "Neutral is no tell category", hint=hint, id=TONE_ROWS)
        if row.category in seen:
            also = tells.excerpt(("rows", seen[row.category], "category"), "first here")
            yield tells.problem(
                path, f"a second row for {row.category}", hint="Keep one of the two.", also=also, id=TONE_ROWS
            )
        seen.setdefault(row.category, index)
    for category in TELL_CATEGORIES:
        if category not in seen:
            hint = f"The table has one row per category: {_CATEGORIES}."
            yield tells.problem(("rows",), f"no row for {category}", hint=hint, id=TONE_ROWS)
