"""What a RON text holds: a tree of frozen nodes that know where they stand.

Two nodes are equal when they are of one class and hold equal values; where they stand does not matter. So the integer
1, the float 1.0 and `true` all differ, and nodes serve as map keys.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from pipeline.ron.source import Source


@dataclass(frozen=True, slots=True)
class Bool:
    """`true` or `false`."""

    value: bool
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Int:
    """An integer of any base, or a byte such as `b'A'`; a type suffix has been checked and dropped."""

    value: int
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Float:
    """A float, with `inf` and `NaN`."""

    value: float
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Char:
    """One character: `'x'`."""

    value: str
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Str:
    """A string, plain or raw; escapes have been read."""

    value: str
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Bytes:
    """A byte string, plain or raw."""

    value: bytes
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class NoneNode:
    """`None`."""

    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Some:
    """`Some(value)`."""

    value: Node
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class List:
    """`[a, b]`."""

    items: tuple[Node, ...]
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tuple:
    """`(a, b)` without a name; without items it is the unit `()`."""

    items: tuple[Node, ...]
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Map:
    """`{key: value}`, in source order; no key occurs twice."""

    entries: tuple[tuple[Node, Node], ...]
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Field:
    """One `name: value` of a struct; the span is the name's."""

    name: str
    value: Node
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Struct:
    """`Name(field: value)` or `(field: value)`; no field occurs twice. `name_end` is where the name ends."""

    name: str | None
    fields: tuple[Field, ...]
    start: int = field(compare=False)
    end: int = field(compare=False)
    name_end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Variant:
    """A bare name: a unit struct or an enum's unit variant."""

    name: str
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Called:
    """`Name(a, b)`: a tuple struct or variant. `name_end` is where the name ends."""

    name: str
    args: tuple[Node, ...]
    start: int = field(compare=False)
    end: int = field(compare=False)
    name_end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    """`low..high`, or `low..=high` when inclusive; either end may be open, not both."""

    low: Int | Float | None
    high: Int | Float | None
    inclusive: bool
    start: int = field(compare=False)
    end: int = field(compare=False)


Node: TypeAlias = (
    Bool | Int | Float | Char | Str | Bytes | NoneNode | Some | List | Tuple | Map | Struct | Variant | Called | Range
)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole RON text: its value, the extensions that it enables in source order, and the text itself."""

    value: Node
    extensions: tuple[str, ...]
    source: Source
