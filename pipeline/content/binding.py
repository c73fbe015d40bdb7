"""Binding RON nodes to pydantic models: annotations and nodes are walked side by side, so every mistake has a place.

`implicit_some`, `unwrap_newtypes` and `explicit_struct_names` count only where the file enables them, as in the Rust
reader. A pydantic `RootModel` is a newtype.
"""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from pipeline.content.bound import Bound, Model, Path
from pipeline.content.problems import Problem
from pipeline.content.readers import FAILED, Failed, readers
from pipeline.content.ron_types import described, ron_name, without_metadata
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


def bind(model: type[Model], document: Document) -> tuple[Bound[Model] | None, list[Problem]]:
    """The document as an instance of `model`, and all mistakes; the instance is None when there are any."""
    binder = Binder(document)
    value = binder.struct(model, document.value, ())
    if not isinstance(value, model) or binder.problems:
        return None, binder.problems
    return Bound(value, document.source, binder.spans), []


class Binder:
    """Reads one document. Collects mistakes and the span of every value by its path."""

    def __init__(self, document: Document) -> None:
        self.source = document.source
        self.extensions = frozenset(document.extensions)
        self.problems: list[Problem] = []
        self.spans: dict[Path, tuple[int, int]] = {}

    def fail(
        self, span: tuple[int, int], message: str, *, expected: str | None = None, hint: str | None = None
    ) -> Failed:
        self.problems.append(Problem.at(self.source, span, message, expected=expected, hint=hint))
        return FAILED

    def wrong(self, node: Node, expected: str, hint: str | None = None) -> Failed:
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
            return FAILED
        try:
            return model.model_validate(values)
        except ValidationError as error:
            for each in error.errors():
                where = (*path, *each["loc"])
                self.fail(self.spans.get(where, (node.end - 1, node.end)), each["msg"])
            return FAILED

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
        known = readers(model)
        values: dict[str, object] = {}
        explained: set[str] = set()
        for field in node.fields:
            reader = known.get(field.name)
            if reader is None:
                near = closest(field.name, known)
                explained.add(near or "")
                self.fail(
                    (field.start, field.end),
                    f"{model.__name__} has no field `{field.name}`",
                    expected=", ".join(known),
                    hint=f"Did you mean `{near}`?" if near else f"Its fields are {', '.join(known)}.",
                )
                continue
            values[field.name] = reader(self, field.value, (*path, field.name))
        for name, info in _required(model):
            if name not in values and name not in explained:
                wanted = described(without_metadata(info.annotation))
                self.fail(
                    (node.end - 1, node.end),
                    f"{model.__name__} lacks the field `{name}`",
                    expected=f"{name}: {wanted}",
                    hint=info.description,
                )
        return values


@cache
def _required(model: type[BaseModel]) -> tuple[tuple[str, FieldInfo], ...]:
    """The fields without a default, by RON name."""
    return tuple((ron_name(name, info), info) for name, info in model.model_fields.items() if info.is_required())


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
