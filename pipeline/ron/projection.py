"""The projection of RON nodes to JSON values, which keeps apart all that RON keeps apart."""

from __future__ import annotations

import math
from typing import TypeAlias, assert_never

from pipeline.ron.nodes import (
    Bool,
    Bytes,
    Called,
    Char,
    Float,
    Int,
    List,
    Map,
    Node,
    NoneNode,
    Range,
    Some,
    Str,
    Struct,
    Tuple,
    Variant,
)

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def project(node: Node) -> Json:
    """`node` as a JSON value.

    Booleans, integers, floats, strings and lists stand for themselves, `None` is null. The rest are objects:
    `{"$some": v}`, `{"$char": c}`, `{"$bytes": hex}`, `{"$float": "inf" | "-inf" | "nan"}`, `{"$tuple": [..]}` (unit is
    empty), `{"$struct": name or null, "fields": {..}}`, `{"$variant": name}` with `"args": [..]` when called,
    `{"$map": [[key, value], ..]}` in source order, `{"$range": {start, end, inclusive}}`.
    """
    match node:
        case Str() | Int() | Bool():
            return node.value
        case Struct():
            return {"$struct": node.name, "fields": {each.name: project(each.value) for each in node.fields}}
        case List():
            return [project(item) for item in node.items]
        case Map():
            return {"$map": [[project(key), project(value)] for key, value in node.entries]}
        case Tuple():
            return {"$tuple": [project(item) for item in node.items]}
        case Variant():
            return {"$variant": node.name}
        case Called():
            return {"$variant": node.name, "args": [project(arg) for arg in node.args]}
        case Float():
            return _float(node.value)
        case Some():
            return {"$some": project(node.value)}
        case NoneNode():
            return None
        case Char():
            return {"$char": node.value}
        case Bytes():
            return {"$bytes": node.value.hex()}
        case Range():
            ends = {
                name: None if end is None else project(end) for name, end in (("start", node.low), ("end", node.high))
            }
            return {"$range": {**ends, "inclusive": node.inclusive}}
        case _:
            assert_never(node)


def _float(value: float) -> Json:
    if math.isfinite(value):
        return value
    return {"$float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
