"""The fast way through a text: one loop over plain tokens, without a call per item.

It reads what the parser reads and gives the same nodes, or gives up. Whatever is unusual goes to the parser's own
methods; whatever is wrong ends the attempt, so that every message comes from one place. Tests hold the two together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from pipeline.ron.nodes import (
    Bool,
    Called,
    Field,
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
)
from pipeline.ron.numbers import NOT_FINITE
from pipeline.ron.scanner import BLANK

# Plain values come first, and those that their comma follows are even.
STRING, STRING_COMMA, INTEGER, INTEGER_COMMA, FLOAT, FLOAT_COMMA = 1, 2, 3, 4, 5, 6
WORD, WORD_COMMA, WORD_COLON, WORD_OPENS, OPENS, CLOSES, CLOSES_COMMA, COMMA, OTHER = 7, 8, 9, 10, 11, 12, 13, 14, 15
"""Groups of `_PLAIN`; the last one that took part says what a token is. None: the end of the text."""
_PLAIN = re.compile(
    BLANK + r"(?:"
    r'("[^"\\]*+")(,)?+'
    r"|(-?[0-9]{1,18}+)(?![\w.])(,)?+"
    r"|(-?[0-9]{1,18}+\.[0-9]++)(?![\w.])(,)?+"
    r"|([A-Za-z_][A-Za-z0-9_]*+)(?![^\x00-\x7f]|[\"'#])(?:(,)|[ \t\r\n]*+(?:(:)(?!:)|(\()))?+"
    r"|([(\[{])"
    r"|([)\]}])(,)?+"
    r"|(,)"
    r"|(.)"
    r")?",
    re.DOTALL,
)
_COLON = re.compile(BLANK + ":")
_TOP, _STRUCT, _MAP, _LIST, _ROUND, _SOME = range(6)
_MODES = {"[": (_LIST, "]"), "(": (_ROUND, ")"), "{": (_MAP, "}")}
_new = tuple.__new__
"""Makes a node from its fields at a third less cost than the node's own constructor."""
_Named = tuple[str, int, int]
"""A name with its start and end."""


class Unusual(Protocol):
    """The parser's methods for what is not plain; each takes the offset where to begin and gives the one behind."""

    def value_at(self, at: int, depth: int) -> tuple[Node, int]:
        """A value of any kind within `depth` brackets. Raises `RonError`."""
        ...

    def name_at(self, at: int) -> tuple[_Named | None, int]:
        """A raw or non-ASCII field name with its colon; None when none stands here."""
        ...

    def past_comments(self, at: int) -> int:
        """Where the next token begins."""
        ...


def read_bulk(text: str, at: int, depth_limit: int, unusual: Unusual) -> tuple[Node, int] | None:
    """The value at `at` and the offset behind it; None where the text is not plain enough. Raises `RonError`."""
    scan: Callable[[str, int], re.Match[str] | None] = _PLAIN.match
    stack: list[tuple[int, str, list[object], set[object] | None, Any, int, str | None, int]] = []
    mode, closer, begin, name_end = _TOP, "", at, at
    name: str | None = None
    items: list[object] = []
    seen: set[object] | None = None  # field names or map keys
    pending: Any = None  # the field name or map key whose value comes next
    ready = True  # nothing but the container's opener or a comma stands before
    node: Node | None
    while True:
        match = scan(text, at)
        kind = match.lastindex if match else None
        if match is None or kind is None:
            return None
        at = match.end()
        if kind <= WORD_COMMA:
            if pending is None and (mode == _STRUCT or not ready):
                return None
            if kind <= STRING_COMMA:
                start, end = match.span(STRING)
                node = _new(Str, (text[start + 1 : end - 1], start, end))
            elif kind <= INTEGER_COMMA:
                start, end = match.span(INTEGER)
                node = _new(Int, (int(match[INTEGER]), start, end))
            elif (node := _plain(match, kind)) is None:
                return None
            comma = kind & 1 == 0
        elif kind == CLOSES or kind == CLOSES_COMMA:  # noqa: SIM109  # two comparisons are faster than a set here
            if pending is not None or match[CLOSES] != closer:
                return None
            if mode == _LIST:
                node = _new(List, (tuple(items), begin, match.end(CLOSES)))
            elif (node := _closed(mode, items, begin, match.end(CLOSES), name, name_end)) is None:
                return None
            comma = kind == CLOSES_COMMA
            mode, closer, items, seen, pending, begin, name, name_end = stack.pop()
        elif kind == OPENS or kind == WORD_OPENS:  # noqa: SIM109
            if (pending is None and (mode == _STRUCT or not ready)) or len(stack) == depth_limit:
                return None
            stack.append((mode, closer, items, seen, pending, begin, name, name_end))
            items, seen, pending, ready = [], None, None, True
            if kind == OPENS:
                begin = name_end = at - 1
                mode, closer = _MODES[text[begin]]
                name = None
            else:
                name, closer = match[WORD], ")"
                begin, name_end = match.span(WORD)
                mode = _SOME if name == "Some" else _ROUND
                if mode == _ROUND and name in RESERVED:
                    return None
            continue
        elif kind == COMMA:
            if ready or pending is not None or mode == _TOP:
                return None
            ready = True
            continue
        elif kind == WORD_COLON:
            if pending is not None or not ready:
                return None
            word = match[WORD]
            if mode == _MAP:
                node = _plain(match, WORD)
                mark = _mark(node)
                if node is None or (seen is not None and mark in seen):
                    return None
                seen = {mark} if seen is None else seen
                seen.add(mark)
                pending, ready = node, False
                continue
            if mode == _STRUCT or (mode == _ROUND and not items):
                if seen is None:
                    mode, seen = _STRUCT, {word}
                elif word in seen:
                    return None
                else:
                    seen.add(word)
                start, end = match.span(WORD)
                pending = (word, start, end)
                continue
            return None
        else:
            start = match.start(OTHER)
            if text.startswith("/*", start):
                at = unusual.past_comments(start)
                continue
            if pending is None:
                if not ready:
                    return None
                if mode == _STRUCT or (mode == _ROUND and not items):
                    named, at = unusual.name_at(start)
                    if named is not None:
                        if seen is not None and named[0] in seen:
                            return None
                        mode, seen, pending = _STRUCT, (seen or set()) | {named[0]}, named
                        continue
                    if mode == _STRUCT:
                        return None
            node, at = unusual.value_at(start, len(stack))
            comma = False
        if mode >= _LIST:
            items.append(node)
        elif mode == _STRUCT:
            called, start, end = pending
            items.append(_new(Field, (called, node, start, end)))
        elif mode == _TOP:
            # A comment may part a name from its bracket; only the parser looks behind it.
            return None if comma or kind == WORD else (node, at)
        elif pending is None:
            colon = None if comma else _COLON.match(text, at)
            mark = _mark(node)
            if colon is None or (seen is not None and mark in seen):
                return None
            seen = {mark} if seen is None else seen
            seen.add(mark)
            pending, at, ready = node, colon.end(), False
            continue
        else:
            items.append((pending, node))
        pending, ready = None, comma


RESERVED = frozenset({"r", "b", "br", "true", "false", "None", "Some", *NOT_FINITE})
"""Words that are no plain names, or begin a literal."""


def _plain(match: re.Match[str], kind: int) -> Node | None:
    """The node of a float or a word; None for a `Some` without a bracket."""
    if kind <= FLOAT_COMMA:
        start, end = match.span(FLOAT)
        return _new(Float, (float(match[FLOAT]), start, end))
    word = match[WORD]
    start, end = match.span(WORD)
    if word not in RESERVED:
        return _new(Variant, (word, start, end))
    if word in ("true", "false"):
        return Bool(word == "true", start, end)
    if word == "None":
        return NoneNode(start, end)
    if word == "Some":
        return None
    return Float(NOT_FINITE[word], start, end) if word in NOT_FINITE else Variant(word, start, end)


def _mark(key: Node | None) -> object:
    """What stands for a map key among others: equal for equal keys, and quick to hash where keys are plain."""
    kind = type(key)
    if kind is Str or kind is Int:
        return key[0]  # type: ignore[index]  # a node is a tuple
    return (key[0],) if kind is Variant else key  # type: ignore[index]


def _closed(mode: int, items: list[object], begin: int, end: int, name: str | None, name_end: int) -> Node | None:
    """The node of a finished container but a list; None for a `Some` that holds not exactly one value."""
    if mode == _STRUCT:
        return _new(Struct, (name, tuple(items), begin, end, name_end))
    if mode == _MAP:
        return _new(Map, (tuple(items), begin, end))
    if mode == _ROUND:
        return (
            _new(Tuple, (tuple(items), begin, end))
            if name is None
            else _new(Called, (name, tuple(items), begin, end, name_end))
        )
    return Some(items[0], begin, end) if len(items) == 1 else None  # type: ignore[arg-type]  # it holds nodes
