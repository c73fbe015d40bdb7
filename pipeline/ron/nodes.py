"""What a RON text holds: a tree of frozen nodes that know where they stand.

Two nodes are equal when they are of one class and hold equal values; where they stand does not matter. So the integer
1, the float 1.0 and `true` all differ, and nodes serve as map keys. They are named tuples because those are made three
times as fast as frozen dataclasses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

from pipeline.ron.source import Source

_PLACES = frozenset({"start", "end", "name_end"})
_Class = TypeVar("_Class", bound=type[tuple[object, ...]])


def _by_value(node: _Class) -> _Class:
    """Makes nodes of a class equal by class and value, wherever they stand. Places are the last fields of a node."""
    values = sum(name not in _PLACES for name in node._fields)  # type: ignore[attr-defined]  # every node has them

    def equal(self: tuple[object, ...], other: object) -> bool:
        return type(other) is node and self[:values] == other[:values]

    def unequal(self: tuple[object, ...], other: object) -> bool:
        return not equal(self, other)

    def hashed(self: tuple[object, ...]) -> int:
        return hash((node, self[:values]))

    node.__eq__, node.__ne__, node.__hash__ = equal, unequal, hashed  # type: ignore[method-assign,assignment]
    return node


@_by_value
class Bool(NamedTuple):
    """`true` or `false`."""

    value: bool
    start: int
    end: int


@_by_value
class Int(NamedTuple):
    """An integer of any base, or a byte such as `b'A'`; a type suffix has been checked and dropped."""

    value: int
    start: int
    end: int


@_by_value
class Float(NamedTuple):
    """A float, with `inf` and `NaN`."""

    value: float
    start: int
    end: int


@_by_value
class Char(NamedTuple):
    """One character: `'x'`."""

    value: str
    start: int
    end: int


@_by_value
class Str(NamedTuple):
    """A string, plain or raw; escapes have been read."""

    value: str
    start: int
    end: int


@_by_value
class Bytes(NamedTuple):
    """A byte string, plain or raw."""

    value: bytes
    start: int
    end: int


@_by_value
class NoneNode(NamedTuple):
    """`None`."""

    start: int
    end: int


@_by_value
class Some(NamedTuple):
    """`Some(value)`."""

    value: Node
    start: int
    end: int


@_by_value
class List(NamedTuple):
    """`[a, b]`."""

    items: tuple[Node, ...]
    start: int
    end: int


@_by_value
class Tuple(NamedTuple):
    """`(a, b)` without a name; without items it is the unit `()`."""

    items: tuple[Node, ...]
    start: int
    end: int


@_by_value
class Map(NamedTuple):
    """`{key: value}`, in source order; no key occurs twice."""

    entries: tuple[tuple[Node, Node], ...]
    start: int
    end: int


@_by_value
class Field(NamedTuple):
    """One `name: value` of a struct; the span is the name's."""

    name: str
    value: Node
    start: int
    end: int


@_by_value
class Struct(NamedTuple):
    """`Name(field: value)` or `(field: value)`; no field occurs twice. `name_end` is where the name ends."""

    name: str | None
    fields: tuple[Field, ...]
    start: int
    end: int
    name_end: int


@_by_value
class Variant(NamedTuple):
    """A bare name: a unit struct or an enum's unit variant."""

    name: str
    start: int
    end: int


@_by_value
class Called(NamedTuple):
    """`Name(a, b)`: a tuple struct or variant. `name_end` is where the name ends."""

    name: str
    args: tuple[Node, ...]
    start: int
    end: int
    name_end: int


@_by_value
class Range(NamedTuple):
    """`low..high`, or `low..=high` when inclusive; either end may be open, not both."""

    low: Int | Float | None
    high: Int | Float | None
    inclusive: bool
    start: int
    end: int


Node: TypeAlias = (
    Bool | Int | Float | Char | Str | Bytes | NoneNode | Some | List | Tuple | Map | Struct | Variant | Called | Range
)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole RON text: its value, the extensions that it enables in source order, and the text itself."""

    value: Node
    extensions: tuple[str, ...]
    source: Source
