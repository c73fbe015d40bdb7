"""A hash over all that decides findings; when it changes, candidates are validated again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from pathlib import Path

from pipeline.content.models import Content
from pipeline.validation.oaths import foreign_oaths

_ROOM = Path(__file__).parent
_FIGURES = _ROOM.parent / "prompting"
"""The room that decides what a figure is."""


def rules_digest(content: Content, cultures: Collection[str] | None = None) -> str:
    """sha256 over the word lists, what the cultures allow, and the source of this package and of the figures.

    With `cultures` only what decides findings on texts of those: an edit of another culture then leaves it as it is.
    Builds no matcher.
    """
    digest = hashlib.sha256()
    for guard in content.guards:
        _add(digest, guard.id, [term.model_dump(mode="json") for term in guard.vocabulary])
    for words in content.word_lists:
        _add(digest, words.id, [term.model_dump(mode="json") for term in words.vocabulary])
    foreign = foreign_oaths(content.cultures)
    for culture_id in sorted(content.cultures if cultures is None else cultures):
        culture = content.cultures[culture_id]
        injector = culture.injector.model_dump(mode="json", include={"vocabulary", "exclusions"})
        institutions = culture.institutions.model_dump(mode="json")
        _add(digest, culture_id, [injector, institutions, sorted(foreign[culture_id])])
    for path in sorted((*_ROOM.rglob("*"), *_FIGURES.glob("data/*"), _FIGURES / "figures.py", _FIGURES / "lexicon.py")):
        if path.suffix in {".py", ".txt"}:
            _add(digest, path.relative_to(_ROOM.parent).as_posix(), path.read_text("utf-8"))
    return digest.hexdigest()


def _add(digest: hashlib._Hash, name: str, value: object) -> None:
    text = json.dumps([name, value], sort_keys=True, ensure_ascii=False)
    digest.update(f"{len(text)}:{text}".encode())
