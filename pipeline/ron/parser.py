"""The parser: recursive descent over the scanner's tokens.

It reads every text by itself. Whole texts go through the faster loop of `bulk` first, which leaves to the parser what
is unusual, and all of a text that is wrong.
"""

from __future__ import annotations

import re

from pipeline.ron.attributes import read_attributes
from pipeline.ron.bulk import read_bulk
from pipeline.ron.complaints import Complaints
from pipeline.ron.error import RonError
from pipeline.ron.literals import read_byte, read_bytes, read_char, read_raw, read_string
from pipeline.ron.nodes import (
    Bool,
    Called,
    Document,
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
from pipeline.ron.numbers import NOT_FINITE, read_number
from pipeline.ron.scanner import (
    FIELD,
    ITEM,
    ITEM_COMMA,
    ITEM_FLOAT,
    ITEM_INTEGER,
    ITEM_STRING,
    ITEM_WORD,
    OTHER,
    PLAIN_INTEGER,
    PLAIN_STRING,
    WORD,
    name_at,
    next_token,
)
from pipeline.ron.source import Source

DEPTH_LIMIT = 128
"""Brackets within brackets; the Rust reader's own default."""
_PREFIXES = frozenset({"r", "b", "br"})
_CLOSERS = frozenset(")]}")
_ENDS_NAME = frozenset(",)]}:")
"""What ends a bare name at once, so that no bracket needs to be looked for."""
_RESERVED = _PREFIXES | {"true", "false", "None", "Some", *NOT_FINITE}


class Parser:
    """Reads one text; make one per text. `_at` is always the end of the last token taken."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._at = 0
        self._depth = 0
        self._complaints = Complaints(source)
        self._bare_some = False

    def document(self, *, bulk: bool = True) -> Document:
        """The whole text as one value. `bulk`: by the faster loop as far as it goes. Raises `RonError`."""
        extensions, self._at = read_attributes(self._source)
        self._bare_some = "unwrap_variant_newtypes" in extensions
        value = (self._bulk() if bulk else None) or self._value(next_token(self._source, self._at))
        after = next_token(self._source, self._at)
        if after.lastindex is not None:
            raise self._complaints.after_value(after.start(after.lastindex), self._at)
        return Document(value, extensions, self._source)

    def _bulk(self) -> Node | None:
        """The value as the faster loop reads it; None, and nothing taken, where it gives up."""
        if self._bare_some:
            return None
        start = self._at
        try:
            found = read_bulk(self._text, start, DEPTH_LIMIT, self)
        except RonError:
            found = None  # the parser itself comes to the same place and says what is wrong
        self._at, self._depth = start, 0
        if found is None:
            return None
        node, self._at = found
        return node

    def value_at(self, at: int, depth: int) -> tuple[Node, int]:
        """For `read_bulk`: a value of any kind within `depth` brackets, and the offset behind it."""
        self._at, self._depth = at, depth
        return self._value(next_token(self._source, at)), self._at

    def name_at(self, at: int) -> tuple[tuple[str, int, int] | None, int]:
        """For `read_bulk`: an unusual field name with its colon, and the offset behind; None when none stands here."""
        self._at = at
        return self._unusual_name(), self._at

    def past_comments(self, at: int) -> int:
        """For `read_bulk`: where the next token begins."""
        return self._start(next_token(self._source, at))

    def _value(self, token: re.Match[str]) -> Node:
        """The value that begins with `token`."""
        kind = token.lastindex
        if kind == PLAIN_STRING:
            start, end = token.span(1)
            self._at = end
            return Str(self._text[start + 1 : end - 1], start, end)
        if kind == WORD:
            return self._word(token[2], token.start(2), token.end())
        if kind == PLAIN_INTEGER:
            start, self._at = token.span(3)
            return Int(int(token[3]), start, self._at)
        if kind is None:
            raise self._complaints.no_value(len(self._text), self._at)
        return self._other(token[4], token.start(4))

    def _other(self, char: str, start: int) -> Node:
        """A value whose first character says what it is."""
        if char in "([{":
            self._enter(start)
            node: Node = self._round(start) if char == "(" else self._list(start) if char == "[" else self._map(start)
            self._depth -= 1
            return node
        if char == '"':
            node = read_string(self._source, start)
        elif char == "'":
            node = read_char(self._source, start)
        elif char in "+-0123456789" or (char == "." and self._text[start + 1 : start + 2] in (*".0123456789",)):
            node = read_number(self._source, start)
        elif named := name_at(self._text, start):
            return self._word(named[0], start, named[1])
        else:
            raise self._complaints.no_value(start, self._at)
        self._at = node.end
        return node

    def _word(self, name: str, start: int, end: int) -> Node:
        """A value that begins with a name, a reserved word or the prefix of a literal."""
        self._at = end
        if name in _RESERVED and end - start == len(name) and (node := self._reserved(name, start, end)):
            return node
        following = self._text[end : end + 1]
        if following in _ENDS_NAME:
            return Variant(name, start, end)
        if following == "(":
            opener = end
        else:
            token = next_token(self._source, end)
            if token.lastindex != OTHER or token[4] != "(":
                return Variant(name, start, end)
            opener = token.start(4)
        self._enter(opener)
        node = self._round(opener, name, start, end)
        self._depth -= 1
        return node

    def _reserved(self, name: str, start: int, end: int) -> Node | None:
        """What a reserved word or the prefix of a literal stands for; None when a prefix is just a name."""
        if name in ("true", "false"):
            return Bool(name == "true", start, end)
        if name == "None":
            return NoneNode(start, end)
        if name == "Some":
            return self._some(start, end)
        if name in NOT_FINITE:
            return Float(NOT_FINITE[name], start, end)
        if node := self._prefixed(name, start):
            self._at = node.end
        return node

    def _prefixed(self, prefix: str, start: int) -> Node | None:
        """A literal or raw name after `r`, `b` or `br`; None when the prefix is just a name."""
        text, following = self._text, start + len(prefix)
        if prefix == "b" and text.startswith('"', following):
            return read_bytes(self._source, start)
        if prefix == "b" and text.startswith("'", following):
            return read_byte(self._source, start)
        if prefix != "b" and text.startswith(('"', "#"), following) and (node := read_raw(self._source, start)):
            return node
        if prefix == "r" and (named := name_at(text, start)) and named[1] > following:
            return self._word(named[0], start, named[1])
        return None

    def _enter(self, opener: int) -> None:
        self._at = opener + 1
        self._depth += 1
        if self._depth > DEPTH_LIMIT:
            raise self._complaints.too_deep(opener, DEPTH_LIMIT)

    def _list(self, opener: int) -> List:
        return List(self._items(opener, "]"), opener, self._at)

    def _round(
        self, opener: int, name: str | None = None, start: int | None = None, name_end: int = 0
    ) -> Struct | Tuple | Called:
        """What stands in round brackets: fields when the first item is a name with a colon, else plain items."""
        begin = opener if start is None else start
        if fields := self._fields(opener):
            return Struct(name, fields, begin, self._at, name_end or opener)
        items = self._items(opener, ")")
        if name is None:
            return Tuple(items, begin, self._at)
        return Called(name, items, begin, self._at, name_end)

    def _items(self, opener: int, closer: str) -> tuple[Node, ...]:
        items: list[Node] = []
        while True:
            if plain := ITEM.match(self._text, self._at):
                items.append(self._plain(plain))
                if plain.lastindex == ITEM_COMMA:
                    continue
            elif token := self._item(opener, closer):
                items.append(self._value(token))
            else:
                break
            if self._text.startswith(",", self._at):
                self._at += 1
            elif not self._more(opener, closer):
                break
        return tuple(items)

    def _item(self, opener: int, closer: str) -> re.Match[str] | None:
        """The first token of the next item; None when the bracket closes here."""
        token = next_token(self._source, self._at)
        if token.lastindex == OTHER and token[4] in _CLOSERS:
            if token[4] != closer:
                raise self._complaints.no_separator(token.start(4), self._at, opener)
            self._at = token.end()
            return None
        if token.lastindex is None:
            raise self._complaints.no_separator(len(self._text), self._at, opener)
        return token

    def _more(self, opener: int, closer: str) -> bool:
        """Takes the comma after an item (True) or the closing bracket (False)."""
        token = next_token(self._source, self._at)
        if token.lastindex == OTHER:
            if token[4] == ",":
                self._at = token.end()
                return True
            if token[4] == closer:
                self._at = token.end()
                return False
        raise self._complaints.no_separator(self._start(token), self._at, opener)

    def _start(self, token: re.Match[str]) -> int:
        return token.start(token.lastindex) if token.lastindex else len(self._text)

    def _fields(self, opener: int) -> tuple[Field, ...] | None:
        """The fields up to the closing bracket; None, and nothing taken, when the first item is no `name:`."""
        text = self._text
        fields: dict[str, Field] = {}
        while True:
            if match := FIELD.match(text, self._at):
                name = match[1]
                start, end = match.span(1)
            elif named := self._unusual_name():
                name, start, end = named
            elif not fields:
                return None
            elif self._item(opener, ")"):
                raise self._no_field(opener)
            else:
                break
            if earlier := fields.get(name):
                raise self._complaints.twice("field", (earlier.start, earlier.end), (start, end))
            fields[name] = Field(name, self._field_value(match), start, end)
            if match and match.lastindex == ITEM_COMMA:
                continue
            if text.startswith(",", self._at):
                self._at += 1
            elif not self._more(opener, ")"):
                break
        return tuple(fields.values())

    def _field_value(self, match: re.Match[str] | None) -> Node:
        """The value of a field: in `match` already when it is plain."""
        if match is None:
            return self._value(next_token(self._source, self._at))
        self._at = match.end()
        if match.lastindex == 1:
            return self._value(next_token(self._source, self._at))
        return self._plain(match)

    def _plain(self, match: re.Match[str]) -> Node:
        """The value that `FIELD` or `ITEM` has taken whole; leaves `_at` behind its comma."""
        self._at = match.end()
        start, end = match.span(ITEM_STRING)
        if start >= 0:
            return Str(self._text[start + 1 : end - 1], start, end)
        start, end = match.span(ITEM_INTEGER)
        if start >= 0:
            return Int(int(match[ITEM_INTEGER]), start, end)
        start, end = match.span(ITEM_WORD)
        if start < 0:
            return Float(float(match[ITEM_FLOAT]), *match.span(ITEM_FLOAT))
        name = match[ITEM_WORD]
        if name not in _RESERVED:
            return Variant(name, start, end)
        node = self._word(name, start, end)
        self._at = match.end()
        return node

    def _unusual_name(self) -> tuple[str, int, int] | None:
        """Takes a raw or non-ASCII name, or one with a comment before its colon; None when none stands here."""
        token = next_token(self._source, self._at)
        start = self._start(token)
        named = name_at(self._text, start) if token.lastindex in (WORD, OTHER) else None
        if named is None:
            return None
        colon = next_token(self._source, named[1])
        if colon.lastindex != OTHER or colon[4] != ":" or self._text.startswith("::", colon.start(4)):
            return None
        self._at = colon.end()
        return named[0], start, named[1]

    def _no_field(self, opener: int) -> RonError:
        start = self._start(next_token(self._source, self._at))
        if named := name_at(self._text, start):
            after = self._start(next_token(self._source, named[1]))
            return self._complaints.no_colon(named[0], after, named[1], opener)
        return self._complaints.no_field(start, self._at, opener)

    def _map(self, opener: int) -> Map:
        entries: dict[Node, Node] = {}
        while token := self._item(opener, "}"):
            key = self._value(token)
            colon = next_token(self._source, self._at)
            if colon.lastindex != OTHER or colon[4] != ":":
                shown = self._text[key.start : key.end]
                raise self._complaints.no_colon(shown, self._start(colon), self._at, opener)
            if key in entries:
                earlier = next(each for each in entries if each == key)
                raise self._complaints.twice("key", (earlier.start, earlier.end), (key.start, key.end))
            self._at = colon.end()
            entries[key] = self._value(next_token(self._source, self._at))
            if self._text.startswith(",", self._at):
                self._at += 1
            elif not self._more(opener, "}"):
                break
        return Map(tuple(entries.items()), opener, self._at)

    def _some(self, start: int, end: int) -> Some:
        """What follows the word `Some`: one value in round brackets."""
        token = next_token(self._source, end)
        if token.lastindex != OTHER or token[4] != "(":
            raise self._complaints.option("`Some` needs a value in round brackets", start, end)
        opener = token.start(4)
        self._enter(opener)
        inner = self._round(opener)
        self._depth -= 1
        if isinstance(inner, Tuple) and len(inner.items) == 1:
            return Some(inner.items[0], start, self._at)
        if self._bare_some and not (isinstance(inner, Tuple) and not inner.items):
            return Some(inner, start, self._at)
        raise self._not_one(inner, opener)

    def _not_one(self, inner: Struct | Tuple | Called, opener: int) -> RonError:
        """`Some` round no value, several values or bare fields."""
        if isinstance(inner, Struct):
            name = inner.fields[0]
            return self._complaints.option(
                "`Some` holds one value, found fields without their own brackets", name.end, name.end + 1
            )
        if isinstance(inner, Tuple) and inner.items:
            second = inner.items[1]
            return self._complaints.option("`Some` holds one value, found a second one", second.start, second.end)
        return self._complaints.option("`Some` needs a value in its brackets", opener, self._at)
