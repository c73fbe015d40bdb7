"""Binding RON nodes to pydantic models: annotations and nodes are walked side by side, so every mistake has a place.

`implicit_some`, `unwrap_newtypes` and `explicit_struct_names` count only where the file enables them, as in the Rust
reader. A pydantic `RootModel` is a newtype.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel, RootModel, ValidationError

from pipeline.content.bound import Bound, Model, Path
from pipeline.content.models import Line
from pipeline.content.problems import Problem
from pipeline.content.ron_types import described, optional_type, ron_name, shortest_length, without_metadata
from pipeline.ron import (
    Bool,
    Called,
    Char,
    Document,
    Float,
    Int,
    List,
    Map,
    Node,
    NoneNode,
    Some,
    Str,
    Struct,
    Tuple,
    Variant,
    closest,
)


class _Failed:
    """Stands for a value that could not be read; its mistake has been noted."""


_FAILED: Final = _Failed()
_Reader = Callable[["_Binder", Node, Path], object]


def bind(model: type[Model], document: Document) -> tuple[Bound[Model] | None, list[Problem]]:
    """The document as an instance of `model`, and all mistakes; the instance is None when there are any."""
    binder = _Binder(document)
    value = binder.struct(model, document.value, ())
    if not isinstance(value, model) or binder.problems:
        return None, binder.problems
    return Bound(value, document.source, binder.spans), []


class _Binder:
    """Reads one document. Collects mistakes and the span of every value by its path."""

    def __init__(self, document: Document) -> None:
        self.source = document.source
        self.extensions = frozenset(document.extensions)
        self.problems: list[Problem] = []
        self.spans: dict[Path, tuple[int, int]] = {}

    def fail(
        self, span: tuple[int, int], message: str, *, expected: str | None = None, hint: str | None = None
    ) -> _Failed:
        self.problems.append(Problem.at(self.source, span, message, expected=expected, hint=hint))
        return _FAILED

    def wrong(self, node: Node, expected: str, hint: str | None = None) -> _Failed:
        """The node is of another type than the model wants."""
        message = f"expected {expected}, found {_found(node)}"
        return self.fail(_head(node), message, expected=expected, hint=hint)

    def struct(self, model: type[BaseModel], node: Node, path: Path) -> object:
        """An instance of `model` from its fields."""
        self.spans[path] = (node.start, node.end)
        if isinstance(node, Tuple) and not node.items:
            node = Struct(None, (), node.start, node.end, node.start)
        elif isinstance(node, Called) and not node.args:
            node = Struct(node.name, (), node.start, node.end, node.name_end)
        if not isinstance(node, Struct):
            hint = "A struct has round brackets and field names without quotes: (name: value)."
            return self.wrong(node, f"a struct {model.__name__}( .. )", hint)
        self._struct_name(model, node)
        before = len(self.problems)
        values = self._fields(model, node, path)
        if len(self.problems) > before:
            return _FAILED
        try:
            return model.model_validate(values)
        except ValidationError as error:
            for each in error.errors():
                where = (*path, *each["loc"])
                self.fail(self.spans.get(where, (node.end - 1, node.end)), each["msg"])
            return _FAILED

    def _struct_name(self, model: type[BaseModel], node: Struct) -> None:
        if node.name is None and "explicit_struct_names" in self.extensions:
            self.fail(
                (node.start, node.start + 1),
                f"the name {model.__name__} is missing",
                hint="The file enables explicit_struct_names.",
            )
        elif node.name not in (None, model.__name__):
            self.fail(
                (node.start, node.name_end),
                f"this is a {model.__name__}, not a {node.name}",
                expected=f"{model.__name__}( .. )",
                hint=f"Write {model.__name__}( .. ), or leave the name out.",
            )

    def _fields(self, model: type[BaseModel], node: Struct, path: Path) -> dict[str, object]:
        readers = _readers(model)
        values: dict[str, object] = {}
        explained: set[str] = set()
        for field in node.fields:
            reader = readers.get(field.name)
            if reader is None:
                near = closest(field.name, readers)
                explained.add(near or "")
                self.fail(
                    (field.start, field.end),
                    f"{model.__name__} has no field `{field.name}`",
                    expected=", ".join(readers),
                    hint=f"Did you mean `{near}`?" if near else f"Its fields are {', '.join(readers)}.",
                )
                continue
            values[field.name] = reader(self, field.value, (*path, field.name))
        for name, info in model.model_fields.items():
            shown = ron_name(name, info)
            if info.is_required() and shown not in values and shown not in explained:
                wanted = described(without_metadata(info.annotation))
                self.fail(
                    (node.end - 1, node.end),
                    f"{model.__name__} lacks the field `{shown}`",
                    expected=f"{shown}: {wanted}",
                    hint=info.description,
                )
        return values


@cache
def _readers(model: type[BaseModel]) -> Mapping[str, _Reader]:
    """How each field of a model is read, by RON name, in the model's order."""
    return {
        ron_name(name, info): _reader(info.annotation, tuple(info.metadata))
        for name, info in model.model_fields.items()
    }


def _reader(annotation: Any, metadata: tuple[Any, ...] = ()) -> _Reader:
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


def _plain(wanted: type, shortest: int) -> _Reader:
    node_types: dict[type, tuple[type, ...]] = {str: (Str,), bool: (Bool,), int: (Int,), float: (Float, Int)}
    accepted = node_types[wanted]

    def read(binder: _Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if not isinstance(node, accepted):
            return binder.wrong(node, described(wanted), _hint_for_plain(binder, node, wanted))
        value = node.value  # type: ignore[union-attr]  # every accepted node has a plain value
        if isinstance(value, str) and len(value) < shortest:
            return binder.fail((node.start, node.end), "this text must not be empty")
        return value

    return read


def _hint_for_plain(binder: _Binder, node: Node, wanted: type) -> str | None:
    written = binder.source.text[node.start : node.end]
    if wanted is str and isinstance(node, Variant | Int | Float | Bool | Char):
        return f'Text stands in double quotes: "{written.strip(chr(39))}"'
    if wanted is bool and isinstance(node, Str | Variant) and written.strip('"').lower() in ("true", "false"):
        return f"Write {written.strip(chr(34)).lower()}, without quotes and in lower case."
    if isinstance(node, Some | NoneNode):
        return "This field always has a value: write it without Some, or leave the field out if it has a default."
    return None


def _enum(wanted: type[StrEnum]) -> _Reader:
    members = wanted.__members__

    def read(binder: _Binder, node: Node, path: Path) -> object:
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


def _option(wanted: Any, metadata: tuple[Any, ...]) -> _Reader:
    inner = _reader(wanted, metadata)

    def read(binder: _Binder, node: Node, path: Path) -> object:
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


def _list(item: Any, shortest: int) -> _Reader:
    reader = _reader(item)

    def read(binder: _Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if not isinstance(node, List):
            return binder.wrong(node, described(tuple[item, ...]), "A list has square brackets: [ .. ].")
        values = [reader(binder, each, (*path, index)) for index, each in enumerate(node.items)]
        if len(values) < shortest:
            message = f"expected at least {shortest} item{'s' * (shortest > 1)}, found {len(values)}"
            return binder.fail((node.end - 1, node.end), message)
        return tuple(values)

    return read


def _map(wanted: Any) -> _Reader:
    key_reader, reader = _reader(str), _reader(wanted)

    def read(binder: _Binder, node: Node, path: Path) -> object:
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


def _line(binder: _Binder, node: Node, path: Path) -> object:
    """A line: a bare string is short for a struct with that base text."""
    if not isinstance(node, Str):
        if isinstance(node, Variant | Int | Float | Bool | Char | List | Map):
            return binder.wrong(node, described(Line), _hint_for_plain(binder, node, str))
        return binder.struct(Line, node, path)
    binder.spans[path] = (node.start, node.end)
    base_text = _readers(Line)["base_text"](binder, node, (*path, "base_text"))
    return Line(base_text=base_text) if isinstance(base_text, str) else base_text


def _newtype(model: type[RootModel[Any]]) -> _Reader:
    inner = _reader(model.model_fields["root"].annotation)

    def read(binder: _Binder, node: Node, path: Path) -> object:
        binder.spans[path] = (node.start, node.end)
        if isinstance(node, Called) and node.name == model.__name__ and len(node.args) == 1:
            node = node.args[0]
        elif isinstance(node, Tuple) and len(node.items) == 1:
            node = node.items[0]
        elif "unwrap_newtypes" not in binder.extensions:
            hint = f"Write {model.__name__}( .. ) round it, or begin the file with #![enable(unwrap_newtypes)]."
            return binder.wrong(node, described(model), hint)
        value = inner(binder, node, path)
        return value if value is _FAILED else model(value)

    return read


def _head(node: Node) -> tuple[int, int]:
    """What to point at in a node: all of it when it is short, else its name or opening bracket."""
    if isinstance(node, Struct | Called) and node.name_end > node.start:
        return node.start, node.name_end
    if isinstance(node, Struct | Tuple | List | Map):
        return node.start, node.start + 1
    return node.start, node.end


def _found(node: Node) -> str:
    names: dict[type, str] = {
        Str: "a string",
        Bool: "a truth value",
        Int: "an integer",
        Float: "a float",
        Char: "a character",
        List: "a list",
        Map: "a map",
        Tuple: "a tuple ( .. )",
        NoneNode: "None",
        Some: "Some(..)",
    }
    if isinstance(node, Variant):
        return f"the name {node.name}"
    if isinstance(node, Struct | Called):
        return f"{node.name}( .. )" if node.name else "a struct ( .. )"
    return names.get(type(node), "something else")
