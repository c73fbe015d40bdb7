"""The types of model fields, seen as RON: what a reader of a message or of the reference is told to write."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, RootModel
from pydantic.fields import FieldInfo

from pipeline.content.models import Line


def without_metadata(annotation: Any) -> Any:
    """The type inside `Annotated[...]`."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def optional_type(annotation: Any) -> Any | None:
    """The `X` of `X | None`; None when the type is no option."""
    if get_origin(annotation) not in (Union, types.UnionType):
        return None
    members = [each for each in get_args(annotation) if each is not type(None)]
    return members[0] if len(members) == 1 else None


def shortest_length(metadata: tuple[Any, ...] | list[Any]) -> int:
    """The `min_length` that annotations ask for, else 0."""
    found = 0
    for each in metadata:
        for one in each.metadata if isinstance(each, FieldInfo) else [each]:
            found = max(found, getattr(one, "min_length", None) or 0)
    return found


def ron_name(name: str, field: FieldInfo) -> str:
    """A field's name in RON: its alias where Python needs another spelling."""
    return field.alias or name


@cache
def described(annotation: Any) -> str:
    """What to write for a type, in a few words: "a string", "one of low, even, high", "a list of Line"."""
    annotation = without_metadata(annotation)
    if (inner := optional_type(annotation)) is not None:
        return f"Some(..) with {described(inner)}, or None"
    if get_origin(annotation) is tuple:
        return f"a list, each item {described(get_args(annotation)[0])}"
    if get_origin(annotation) is Mapping:
        return "a map { .. } from strings to strings"
    if annotation is Line:
        return "a string or a Line( .. )"
    if issubclass(annotation, RootModel):
        return f"{annotation.__name__}( .. ) round one value"
    if issubclass(annotation, BaseModel):
        return f"a struct {annotation.__name__}( .. )"
    if issubclass(annotation, StrEnum):
        return f"one of {', '.join(annotation.__members__)}"
    return {str: "a string", bool: "true or false", int: "an integer", float: "a number"}[annotation]
