"""New content files that load as they are, with comments that say what to write where."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path

from pipeline.content.files import ContentFiles
from pipeline.errors import UserError
from pipeline.project import Project, checked_id
from pipeline.replacing import replacing
from pipeline.ron import RonError, Str, Struct, closest, parse_file


def new_npc(project: Project, npc_id: str, zone: str | None, name: str | None = None) -> list[Path]:
    """Writes `zones/<zone>/npcs/<npc_id>.ron` and gives its path. `zone` may be left out where there is only one.

    Raises `UserError` for an id that is none or is taken, and for an unknown zone; nothing is ever overwritten.
    """
    zones = list(ContentFiles.of(project).zones)
    if zone is None and len(zones) != 1:
        raise UserError("Which zone does the NPC belong to?", f"Add --zone with one of {', '.join(zones) or '(none)'}.")
    chosen = _known(zone or zones[0], zones, "zone")
    _check_free(project, npc_id)
    path = project.zones / chosen / "npcs" / f"{checked_id(npc_id)}.ron"
    return _write(project, {path: _filled("npc", id=npc_id, name=name or _title(npc_id))})


def new_zone(project: Project, zone_id: str, culture: str | None, name: str | None = None) -> list[Path]:
    """Writes `zones/<zone_id>/zone.ron` and a first NPC, and gives their paths.

    Without `culture` the zone has the one that most zones have. Raises `UserError` as `new_npc` does.
    """
    cultures = list(ContentFiles.of(project).cultures)
    chosen = _known(culture, cultures, "culture") if culture else _usual_culture(project, cultures)
    folder = project.zones / checked_id(zone_id)
    npc_id = f"{zone_id}_resident"
    _check_free(project, npc_id)
    shown = name or _title(zone_id)
    texts = {
        folder / "npcs" / f"{npc_id}.ron": _filled("npc", id=npc_id, name=_title(npc_id)),
        folder / "zone.ron": _filled("zone", id=zone_id, name=shown, culture=chosen),
    }
    return _write(project, texts)


def new_culture(project: Project, culture_id: str, name: str | None = None) -> list[Path]:
    """Writes `cultures/<culture_id>/culture.ron` and gives its path. Raises `UserError` as `new_npc` does."""
    path = project.cultures / checked_id(culture_id) / "culture.ron"
    return _write(project, {path: _filled("culture", id=culture_id, name=name or _title(culture_id))})


def _write(project: Project, texts: dict[Path, str]) -> list[Path]:
    for path in texts:
        if path.exists():
            raise UserError(f"{project.shown(path)} exists already.", "Nothing was written. Choose another id.")
    for path, text in texts.items():
        with replacing(path) as fresh:
            fresh.write_text(text, encoding="utf-8")
    return list(texts)


def _filled(kind: str, **values: str) -> str:
    text = files("pipeline.content").joinpath(f"scaffolds/{kind}.ron").read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", _ron_string(value))
    return text


def _ron_string(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise UserError(f"{text!r} is no name.", "A name is visible text on one line.")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _title(some_id: str) -> str:
    return " ".join(word.capitalize() for word in some_id.split("_") if word)


def _known(name: str, names: list[str], what: str) -> str:
    if name in names:
        return name
    near = closest(name, names)
    raise UserError(
        f"There is no {what} {name!r}.", f"Did you mean {near}?" if near else f"There are {', '.join(names) or 'none'}."
    )


def _check_free(project: Project, npc_id: str) -> None:
    """Raises `UserError` when an NPC of any zone has the id. A file that cannot be read has none."""
    for path in (path for paths in ContentFiles.of(project).npcs.values() for path in paths):
        if _field(path, "id") == npc_id:
            raise UserError(
                f"{project.shown(path)}: the NPC id {npc_id!r} is taken.", "NPC ids are unique over all zones."
            )


def _usual_culture(project: Project, cultures: list[str]) -> str:
    """The culture that most zones have; of several the first by name."""
    if not cultures:
        raise UserError("There is no culture yet.", "Begin one with: voicebake new culture ID")
    used = Counter(_field(path, "default_culture") for path in ContentFiles.of(project).zones.values())
    return max(sorted(cultures), key=lambda each: used[each])


def _field(path: Path, name: str) -> str | None:
    """A text field of the struct in a file; None where there is none, or the file cannot be read as RON."""
    try:
        node = parse_file(path).value
    except RonError:
        return None
    fields = node.fields if isinstance(node, Struct) else ()
    return next((each.value.value for each in fields if each.name == name and isinstance(each.value, Str)), None)
