"""RON (Rusty Object Notation) text to plain nodes with source spans; errors with carets.

`parse` and `parse_file` give a `Document`, `project` turns its nodes into JSON values. The reader takes what the Rust
reader (ron 0.12) takes, except that a field or key may not stand twice. `implicit_some` and `unwrap_newtypes` change
what a value means to a type, so they belong to whoever binds nodes to types; the document says which are enabled.
"""

from pipeline.ron.error import RonError
from pipeline.ron.nodes import (
    Bool,
    Bytes,
    Called,
    Char,
    Document,
    Field,
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
from pipeline.ron.projection import project
from pipeline.ron.reading import parse, parse_file
from pipeline.ron.source import Source
from pipeline.ron.spelling import closest

__all__ = [
    "Bool",
    "Bytes",
    "Called",
    "Char",
    "Document",
    "Field",
    "Float",
    "Int",
    "List",
    "Map",
    "Node",
    "NoneNode",
    "Range",
    "RonError",
    "Some",
    "Source",
    "Str",
    "Struct",
    "Tuple",
    "Variant",
    "closest",
    "parse",
    "parse_file",
    "project",
]
