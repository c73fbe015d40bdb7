"""Which zones a change touches: what each zone's texts are made from, compared between a commit and now."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from pipeline.bake.digests import models_digest
from pipeline.content import ContentErrors, load_content
from pipeline.content.models import Content, ZoneContent
from pipeline.git import Changes, changes_since, write_tree
from pipeline.project import Project
from pipeline.settings import FILE
from pipeline.validation.oaths import foreign_oaths

_CONTENT = ("zones/", "cultures/", "prompts/")
_PROFILES = "prompts/profiles/"
_CODE = ("pipeline/", "requirements/engine")
"""Only in voicebake's own repository: a change of the code that bakes may change any text."""


@dataclass(frozen=True, slots=True)
class TouchedZone:
    """A zone that has to be baked, and why."""

    zone: str
    why: tuple[str, ...]
    """What it is made from that has changed, such as `npc imke_dorr` or `culture sovari`."""


def touched_zones(project: Project, content: Content, since: str) -> list[TouchedZone]:
    """The zones of `content` that the changes since the git revision `since` touch, with uncommitted work.

    Content is compared as it is read, so a comment touches nothing. Where the commit's own content had mistakes, all
    zones are touched. Raises `UserError` as `changes_since`.
    """
    changes = changes_since(project.root, since)
    now = _all_parts(content)
    authored = any(path.startswith(_CONTENT) for path in changes.paths)
    before = _parts_at(project, changes.commit) if authored else now
    found = []
    for zone_id, parts in now.items():
        if before is None:
            why = ["the content of the earlier commit cannot be read"]
        else:
            earlier = before.get(zone_id, {})
            why = [name for name in {**parts, **earlier} if parts.get(name) != earlier.get(name)]
        why += _by_path(changes, content, content.zones[zone_id])
        if why:
            found.append(TouchedZone(zone_id, tuple(why)))
    return found


def _parts_at(project: Project, commit: str) -> dict[str, dict[str, str]] | None:
    """The parts of every zone at a commit; None when its content did not load."""
    folder = Path(tempfile.mkdtemp(prefix="voicebake-since-"))
    try:
        write_tree(project.root, commit, [name.rstrip("/") for name in _CONTENT], folder)
        return _all_parts(load_content(Project(folder)))
    except ContentErrors:
        return None
    finally:
        shutil.rmtree(folder)


def _all_parts(content: Content) -> dict[str, dict[str, str]]:
    """By zone, a digest of everything authored that its texts or findings depend on, by the name people know."""
    shared = {
        "guards": models_digest(content.guards),
        "word lists": models_digest(content.word_lists),
        "tells.ron": models_digest([content.tells]),
    }
    oaths = {name: ", ".join(sorted(words)) for name, words in foreign_oaths(content.cultures).items()}
    return {
        zone_id: {name: _digest(model) for name, model in _zone_models(content, zone)}
        | {f"oaths foreign to {culture}": oaths[culture] for culture in _cultures(zone)}
        | shared
        for zone_id, zone in content.zones.items()
    }


def _zone_models(content: Content, zone: ZoneContent) -> Iterator[tuple[str, BaseModel]]:
    yield "zone.ron", zone.zone
    for npc in zone.npcs:
        yield f"npc {npc.id}", npc
    for culture_id in _cultures(zone):
        yield f"culture {culture_id}", content.cultures[culture_id]


def _cultures(zone: ZoneContent) -> list[str]:
    """The cultures of a zone's people, each once."""
    return sorted({ref.culture.id for ref in zone.lines})


def _by_path(changes: Changes, content: Content, zone: ZoneContent) -> Iterator[str]:
    """What has changed that is no RON: adapters, templates, settings, verdicts, and voicebake itself."""
    for culture_id in _cultures(zone):
        adapter = content.cultures[culture_id].adapter
        if adapter and f"cultures/{culture_id}/{adapter}" in changes.paths:
            yield f"adapter of {culture_id}"
    if any(path.startswith(_PROFILES) for path in changes.paths):
        yield "prompt templates"
    if FILE in changes.paths:
        yield FILE
    if f"review_queue/{zone.zone.id}.verdicts.jsonl" in changes.paths:
        yield "verdicts"
    if any(path.startswith(_CODE) for path in changes.paths):
        yield "voicebake itself"


def _digest(model: BaseModel) -> str:
    return models_digest([model])
