"""How a field's type is read from a node: one reader per annotation, made once per model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args, get_origin

from pydantic import BaseModel, RootModel

from pipeline.content.bound import Path
from pipeline.content.models import Line
from pipeline.content.ron_types import described, optional_type, ron_name, shortest_length, without_metadata
from pipeline.ron import (
    Bool,
    Called,
    Char,
    Float,
    Int,
    List,
    Map,
    Node,
    NoneNode,
    Some,
    Str,
    Tuple,
    Variant,
    closest,
)

if TYPE_CHECKING:
    from pipeline.content.binding import Binder


class Failed:
    """Stands for a value that could not be read; its mistake has been noted."""


FAILED: Final = Failed()
Reader: TypeAlias = Callable[["Binder", Node, Path], object]
"""Reads a node that stands at a path, noting its span; `FAILED` when the node does not fit."""


@cache
def readers(model: type[BaseModel]) -> Mapping[str, Reader]:
    """How each field of a model is read, by RON name, in the model's order."""
    return {
        ron_name(name, info): _reader(info.annotation, tuple(info.metadata))
        for name, info in model.model_fields.items()
    }


def _reader(annotation: Any, metadata: tuple[Any, ...] = ()) -> Reader:
    inner = without_metadata(annotation)
    shortest = shortest_length([*metadata, *getattr(annotation, "__metadata__", ())])
    if (wanted := optional_type(inner)) is not None:
        return _option(wanted, metadata)
    if get_origin(inner) is tuple:
        return _list(get_args(inner)[0], shortest)
    if get_origin(inner) is Mapping:
        return _map(get_args(inner)[1])
    if inner is Line:
        return _line
    if issubclass(inner, RootModel):
        return _newtype(inner)
    if issubclass(inner, BaseModel):
        return lambda binder, node, path: binder.struct(inner, node, path)
    if issubclass(inner, StrEnum):
        return _enum(inner)
    return _plain(inner, shortest)


def _plain(wanted: type, shortest: int) -> Reader:
    node_types: dict[type, tuple[type, ...]] = {str: (Str,), bool: (Bool,), int: (Int,), float: (Float, Int)}
    accepted = node_types[wanted]

    def read(binder: Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if not isinstance(node, accepted):
            return binder.wrong(node, described(wanted), _hint_for_plain(binder, node, wanted))
        value = node.value  # type: ignore[union-attr]  # every accepted node has a plain value
        if isinstance(value, str) and len(value.strip()) < shortest:
            return binder.fail((node.start, node.end), "this text must not be empty")
        return value

    return read


def _hint_for_plain(binder: Binder, node: Node, wanted: type) -> str | None:
    written = binder.source.text[node.start : node.end]
    if wanted is str and isinstance(node, Variant | Int | Float | Bool | Char):
        return f'Text stands in double quotes: "{written.strip(chr(39))}"'
    if wanted is bool and isinstance(node, Str | Variant) and written.strip('"').lower() in ("true", "false"):
        return f"Write {written.strip(chr(34)).lower()}, without quotes and in lower case."
    if isinstance(node, Some | NoneNode):
        return "This field always has a value: write it without Some, or leave the field out if it has a default."
    return None


def _enum(wanted: type[StrEnum]) -> Reader:
    members = wanted.__members__

    def read(binder: Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if isinstance(node, Variant) and node.name in members:
            return members[node.name]
        if isinstance(node, Str) and node.value in members:
            return binder.wrong(node, described(wanted), f"Write {node.value} without quotes.")
        if not isinstance(node, Variant | Str):
            return binder.wrong(node, described(wanted))
        name = node.name if isinstance(node, Variant) else node.value
        near = closest(name, members)
        return binder.fail(
            (node.start, node.end),
            f"there is no {wanted.__name__} `{name}`",
            expected=described(wanted),
            hint=f"Did you mean {near}?" if near else None,
        )

    return read


def _option(wanted: Any, metadata: tuple[Any, ...]) -> Reader:
    inner = _reader(wanted, metadata)

    def read(binder: Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if isinstance(node, NoneNode):
            return None
        if isinstance(node, Some):
            return inner(binder, node.value, path)
        if "implicit_some" in binder.extensions:
            return inner(binder, node, path)
        written = binder.source.text[node.start : node.end]
        shown = written if len(written) < 40 and "\n" not in written else ".."
        hint = f"Write Some({shown}), or begin the file with #![enable(implicit_some)]."
        return binder.wrong(node, described(wanted | None), hint)

    return read


def _list(item: Any, shortest: int) -> Reader:
    reader = _reader(item)

    def read(binder: Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if not isinstance(node, List):
            return binder.wrong(node, described(tuple[item, ...]), "A list has square brackets: [ .. ].")
        values = [reader(binder, each, (*path, index)) for index, each in enumerate(node.items)]
        if len(values) < shortest:
            message = f"expected at least {shortest} item{'s' * (shortest > 1)}, found {len(values)}"
            return binder.fail((node.end - 1, node.end), message)
        return tuple(values)

    return read


def _map(wanted: Any) -> Reader:
    key_reader, reader = _reader(str), _reader(wanted)

    def read(binder: Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if not isinstance(node, Map):
            return binder.wrong(
                node, "a map { .. }", 'A map has curly brackets and quoted keys: {"price": "what it costs"}.'
            )
        values: dict[object, object] = {}
        for key, value in node.entries:
            name = key_reader(binder, key, (*path, "?"))
            if isinstance(name, str):
                values[name] = reader(binder, value, (*path, name, "value"))
                binder.spans[(*path, name)] = (key.start, key.end)
        return values

    return read


def _line(binder: Binder, node: Node, path: Path) -> object:
    """A line: a bare string is short for a struct with that base text."""
    if not isinstance(node, Str):
        if isinstance(node, Variant | Int | Float | Bool | Char | List | Map):
            return binder.wrong(node, described(Line), _hint_for_plain(binder, node, str))
        return binder.struct(Line, node, path)
    binder.spans[path] = (node.start, node.end)
    base_text = readers(Line)["base_text"](binder, node, (*path, "base_text"))
    return Line(base_text=base_text) if isinstance(base_text, str) else base_text


def _newtype(model: type[RootModel[Any]]) -> Reader:
    inner = _reader(model.model_fields["root"].annotation)

    def read(binder: Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if isinstance(node, Called) and node.name == model.__name__ and len(node.args) == 1:
            node = node.args[0]
        elif isinstance(node, Tuple) and len(node.items) == 1:
            node = node.items[0]
        elif "unwrap_newtypes" not in binder.extensions:
            hint = f"Write {model.__name__}( .. ) round it, or begin the file with #![enable(unwrap_newtypes)]."
            return binder.wrong(node, described(model), hint)
        value = inner(binder, node, path)
        return value if value is FAILED else model(value)

    return read
