"""What must hold for NPCs and their lines beyond their own fields."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from pipeline.content.bound import Bound, Path
from pipeline.content.braces import authored_slots, brace_mistakes
from pipeline.content.mistakes import DUPLICATE_ID, HUB_LINE_ID, SLOT_FORM, UNKNOWN_CULTURE
from pipeline.content.models import Line, Npc, Zone
from pipeline.content.problems import Problem
from pipeline.content.terms import Kind, TellState
from pipeline.errors import UserError
from pipeline.project import checked_id
from pipeline.ron import closest

_LINE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_LINE_FIELDS = ((Kind.behavior, "observable_behaviors"), (Kind.dialogue, "dialogue"))


def npc_lines(npc: Npc) -> Iterator[tuple[Kind, Path, Line]]:
    """An NPC's lines with kind and path: behaviors before dialogue, as authored."""
    for kind, field in _LINE_FIELDS:
        for index, line in enumerate(npc.observable_behaviors if kind is Kind.behavior else npc.dialogue):
            yield kind, (field, index), line


def line_id(kind: Kind, line: Line) -> str:
    """The line's own id; without one, the kind's letter and 10 hex digits of sha256 over kind and base text."""
    if line.id is not None:
        return line.id
    return f"{kind[0]}-{hashlib.sha256(f'{kind}{line.base_text}'.encode()).hexdigest()[:10]}"


def check_id(bound: Bound[Npc] | Bound[Zone], what: str) -> Iterator[Problem]:
    """Ids become parts of file names and keys: plain ones only."""
    try:
        checked_id(bound.value.id)
    except UserError as error:
        yield bound.problem(("id",), f"`{bound.value.id}` cannot be the id of {what}", hint=error.hint)


def check_npc(npc: Bound[Npc], zone: Zone | None, cultures: list[str]) -> Iterator[Problem]:
    """Everything about one NPC but its place among others. `zone` is None when its file is broken."""
    yield from check_id(npc, "an NPC")
    culture = npc.value.culture
    if culture is not None and culture not in cultures:
        yield unknown_culture(npc, ("culture",), culture, cultures)
    yield from _check_line_ids(npc, hub=zone is not None and zone.hub)
    for _, path, line in npc_lines(npc.value):
        yield from _check_slots(npc, path, line)
    for index, tell in enumerate(npc.value.tell_behaviors):
        path = ("tell_behaviors", index)
        if tell.category is TellState.Neutral:
            hint = "A tell shows one of the five categories; what shows none is an observable behavior."
            yield npc.problem((*path, "category"), "Neutral is no tell category", hint=hint)
        if "{" in tell.base_text or "}" in tell.base_text:
            yield npc.problem(
                (*path, "base_text"), "a tell has no slots", hint="Tells ship exactly as authored.", id=SLOT_FORM
            )


def unknown_culture(bound: Bound[Npc] | Bound[Zone], path: Path, culture: str, cultures: list[str]) -> Problem:
    """A culture id without a folder."""
    near = closest(culture, cultures)
    hint = f"Did you mean `{near}`?" if near else f"Cultures are folders in cultures/: {', '.join(cultures) or 'none'}."
    return bound.problem(path, f"there is no culture `{culture}`", hint=hint, id=UNKNOWN_CULTURE)


def _check_line_ids(npc: Bound[Npc], *, hub: bool) -> Iterator[Problem]:
    seen: dict[str, Path] = {}
    for kind, path, line in npc_lines(npc.value):
        own = line_id(kind, line)
        place = (*path, "id") if line.id is not None else path
        if line.id is None and hub:
            hint = 'Write (id: "..", base_text: ".."): with an id, the history of a line survives edits of its text.'
            yield npc.problem(path, "a line of a hub needs an id", hint=hint, id=HUB_LINE_ID)
        if line.id is not None and not _LINE_ID.fullmatch(line.id):
            hint = "A line id begins with a letter or digit and holds only letters, digits, `_`, `-` and `.`."
            yield npc.problem(place, f"`{line.id}` cannot be a line id", hint=hint)
        if own in seen:
            also = npc.excerpt(seen[own], "first here")
            same_text = line.id is None
            message = "this line stands twice" if same_text else f"the line id `{own}` is used twice"
            hint = "Give one of them another text or an id." if same_text else "Line ids are unique within an NPC."
            yield npc.problem(place, message, hint=hint, also=also, id=DUPLICATE_ID)
        seen.setdefault(own, place)


def _check_slots(npc: Bound[Npc], path: Path, line: Line) -> Iterator[Problem]:
    for part, message, hint in brace_mistakes(line.base_text):
        yield npc.problem_inside((*path, "base_text"), line.base_text, part, message, hint, SLOT_FORM)
    used = authored_slots(line.base_text)
    for name in line.slots:
        if name not in used:
            near = closest(name, used)
            hint = f"Did you mean `{near}`?" if near else f"Write {{{name}}} where it belongs, or delete its meaning."
            yield npc.problem((*path, "slots", name), f"the text has no slot `{{{name}}}`", hint=hint, id=SLOT_FORM)


def check_unique(npcs: Mapping[str, list[Bound[Npc]]]) -> Iterator[Problem]:
    """NPC ids are unique over all zones. `npcs` maps a zone's folder name to its NPCs."""
    seen: dict[str, Bound[Npc]] = {}
    for bounds in npcs.values():
        for npc in bounds:
            earlier = seen.setdefault(npc.value.id, npc)
            if earlier is not npc:
                also = earlier.excerpt(("id",), "first here")
                message = f"the NPC id `{npc.value.id}` is used twice"
                yield npc.problem(
                    ("id",), message, hint="NPC ids are unique over all zones.", also=also, id=DUPLICATE_ID
                )
