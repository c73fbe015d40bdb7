"""The reference of every RON struct, generated from the models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pipeline.content.models import Culture, Guard, Line, Npc, TellTable, WordList, Zone
from pipeline.content.ron_types import optional_type, ron_name, without_metadata
from pipeline.content.voice_bank import VoiceBank

FILES: tuple[tuple[str, type[BaseModel]], ...] = (
    ("zones/<zone>/zone.ron", Zone),
    ("zones/<zone>/npcs/<file>.ron", Npc),
    ("cultures/<culture>/culture.ron", Culture),
    ("cultures/<culture>/voice_bank.ron", VoiceBank),
    ("prompts/tells.ron", TellTable),
    ("prompts/guards/<file>.ron", Guard),
    ("prompts/vocabulary/<file>.ron", WordList),
)
"""Which struct each kind of file holds."""

_HEAD = """\
# Content: the RON structs

This page is generated from the models in `pipeline/content/` by `voicebake schema`; a test keeps it equal.

A file holds one struct, written `Name(field: value, ..)` or, without its name, `(field: value, ..)`. Fields stand in
any order; a field with a default may be left out; a field that stands twice or is unknown is an error. An optional
value is written `Some(..)` or `None`; in a file that begins with `#![enable(implicit_some)]` the `Some(..)` may be left
out.
`unwrap_newtypes` and `explicit_struct_names` work as in the game's own reader. Ids of zones, cultures and NPCs start
with a lower-case letter and hold only `a-z`, `0-9` and `_`; a line id may also hold capitals, `-` and `.`.

| file | struct |
|---|---|
"""


def schema_reference() -> str:
    """A Markdown page: every kind of file, every struct with its fields, every closed set of words."""
    rows = "".join(f"| `{file}` | {_link(model)} |\n" for file, model in FILES)
    structs = _structs()
    words = {
        found for model in structs for info in model.model_fields.values() for found in _word_sets(info.annotation)
    }
    parts = [_HEAD + rows, *(_section(model) for model in structs)]
    parts += [_words(each) for each in sorted(words, key=lambda each: each.__name__)]
    return "\n".join(parts)


def ron_type(annotation: Any) -> str:
    """A type as a writer sees it, in Markdown."""
    annotation = without_metadata(annotation)
    if (inner := optional_type(annotation)) is not None:
        return f"`Some(..)` with {ron_type(inner)}, or `None`"
    if get_origin(annotation) is tuple:
        return f"list `[ .. ]` of {ron_type(get_args(annotation)[0])}"
    if get_origin(annotation) is Mapping:
        return 'map `{"name": "text", ..}`'
    if annotation is Line:
        return f'`"text"` or {_link(Line)}'
    if issubclass(annotation, BaseModel | StrEnum):
        return _link(annotation)
    return {str: '`"text"`', bool: "`true` or `false`", int: "a whole number", float: "a number"}[annotation]


def ron_default(info: FieldInfo) -> str:
    """A field's default as RON; "required" when it has none."""
    if info.is_required():
        return "required"
    value = info.get_default(call_default_factory=True)
    if value is None:
        return "`None`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, BaseModel):
        return "`()`"
    if isinstance(value, str) and not isinstance(value, StrEnum):
        return f'`"{value}"`'
    return f"`{value}`" if isinstance(value, StrEnum) else "`[]`" if isinstance(value, tuple) else "`{}`"


def _link(model: type) -> str:
    return f"[{model.__name__}](#{model.__name__.lower()})"


def _structs() -> list[type[BaseModel]]:
    """The files' structs, each followed by those that it holds and that did not stand before."""
    found: dict[type[BaseModel], None] = {}

    def add(model: type[BaseModel]) -> None:
        if model in found:
            return
        found[model] = None
        for info in model.model_fields.values():
            for inner in _models(info.annotation):
                add(inner)

    for _, model in FILES:
        add(model)
    return list(found)


def _members(annotation: Any) -> Iterator[type]:
    """The plain types inside an annotation."""
    annotation = without_metadata(annotation)
    if get_origin(annotation) is None and isinstance(annotation, type):
        yield annotation
        return
    for each in get_args(annotation):
        yield from _members(each)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    return (each for each in _members(annotation) if issubclass(each, BaseModel))


def _word_sets(annotation: Any) -> Iterator[type[StrEnum]]:
    return (each for each in _members(annotation) if issubclass(each, StrEnum))


def _section(model: type[BaseModel]) -> str:
    rows = "".join(
        f"| `{ron_name(name, info)}` | {ron_type(info.annotation)} | {ron_default(info)} | {info.description} |\n"
        for name, info in model.model_fields.items()
    )
    return f"## {model.__name__}\n\n{_doc(model)}\n\n| field | value | default | meaning |\n|---|---|---|---|\n{rows}"


def _words(words: type[StrEnum]) -> str:
    return f"## {words.__name__}\n\n{_doc(words)}\n\nOne of {', '.join(f'`{each}`' for each in words)}.\n"


def _doc(described: type) -> str:
    return " ".join((described.__doc__ or "").split())
