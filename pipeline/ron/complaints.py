"""What the parser says when the text goes wrong: each complaint is a `RonError` that names the likeliest cause."""

from __future__ import annotations

import re

from pipeline.ron.error import RonError
from pipeline.ron.hints import described, hint_for, token_end
from pipeline.ron.source import Source, quoted

_CLOSERS = {"[": "]", "(": ")", "{": "}"}
_NAMES = {"[": "list", "(": "( )", "{": "map"}
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_FIELD = re.compile(r"\w+\s*:(?!:)")
_BEGINS_VALUE = frozenset("\"'([{+-.0123456789")


class Complaints:
    """Makes the errors for one source. Every offset is in code points; `before` is the end of the token before."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text

    def after_value(self, start: int, before: int) -> RonError:
        """Something stands behind the only value of the text."""
        hint = hint_for(self._text, start, before)
        if hint is None and self._text[start] == ",":
            hint = "Nothing follows the value of a file, not even a comma."
        elif hint is None and self._text[start] == ":":
            hint = "Fields stand in round brackets: (name: value)."
        return self._expected(
            "the end of the file", start, hint or "A file holds one value; wrap several in [ ] or ( )."
        )

    def no_value(self, start: int, before: int, opener: int | None = None) -> RonError:
        """A value is missing where `start` is; `opener` is the bracket round it."""
        text = self._text
        if start >= len(text) and not text.strip():
            return self._expected("a value", start, "The file is empty.")
        hint = hint_for(text, start, before)
        if hint is None and text[start : start + 1] == ",":
            hint = "There is a comma too many, or the item before it is missing."
        return self._expected("a value", start, hint, opener if start >= len(text) else None)

    def no_separator(self, start: int, before: int, opener: int) -> RonError:
        """Neither a comma nor the closing bracket follows an item within the bracket at `opener`."""
        text, bracket = self._text, self._text[opener]
        closer = _CLOSERS[bracket]
        expected = f"`,` or `{closer}`"
        char = text[start : start + 1]
        hint = hint_for(text, start, before)
        if start >= len(text):
            return self._unclosed(start, opener)
        if char in ")]}":
            return self._expected(expected, start, f"Close the {_NAMES[bracket]} with `{closer}` first.", opener)
        if char == ":" and not text.startswith("::", start):
            return self._expected(expected, start, self._stray_colon(opener, before), opener)
        if hint is None and (char in _BEGINS_VALUE or token_end(text, start) > start + 1 or char.isalpha()):
            hint = self._lost_quote(opener, before, start) or self._lost_comma(opener, before, start)
            return self._missing_comma(start, hint)
        return self._expected(expected, start, hint)

    def _missing_comma(self, start: int, hint: str) -> RonError:
        span = (start, token_end(self._text, start))
        problem = f"a comma is missing before {quoted(self._text[slice(*span)])}"
        return RonError(self._source, span, problem, expected="a comma", hint=hint)

    def _lost_comma(self, opener: int, before: int, start: int) -> str:
        line = self._source.position(max(before - 1, 0))[0]
        if line != self._source.position(start)[0]:
            return f"Line {line} ends without a comma."
        named_next = _FIELD.match(self._text, start)
        if self._text[before - 1].isdigit() and self._text[start].isalpha() and not named_next:
            return "A number stands without its unit; other items need a comma between them."
        named = self._text[opener] == "(" and self._text[before - 1].isidentifier()
        return "Put a comma between the two items" + (", or a colon after a field's name." if named else ".")

    def _lost_quote(self, opener: int, before: int, start: int) -> str | None:
        """When the string that ends at `before` looks as if it had swallowed more than it should."""
        strings = _STRING.finditer(self._text, opener, before)
        string = next((each for each in strings if each.end() == before), None)
        if string is None:
            return None
        first = self._source.position(string.start())[0]
        if first != self._source.position(before)[0]:
            return f"The string before it began in line {first}: is its closing quote missing there?"
        if before == start:
            return (
                f"The string {quoted(string[0])} ends right before it: a quote is missing, or one inside lacks its \\."
            )
        return None

    def _stray_colon(self, opener: int, before: int) -> str:
        if self._text[opener] == "[":
            line = self._source.position(opener)[0]
            return f"A list holds plain values. Is the `]` of line {line} missing? A name and a value belong in ( )."
        if before and self._text[before - 1] == '"':
            return "Field names have no quotes; a map with text keys stands in { }."
        return "Either every item in ( ) has a name, or none has; a name begins with a letter."

    def _unclosed(self, start: int, opener: int) -> RonError:
        bracket = self._text[opener]
        closer = f"`{_CLOSERS[bracket]}`"
        line = self._source.position(opener)[0]
        return RonError(
            self._source,
            (start, start),
            f"expected {closer} for the `{bracket}` of line {line}, found the end of the file",
            expected=closer,
            hint=f"Add {closer} where it should end.",
            notes=((opener, opener + 1, "opened here"),),
        )

    def no_field(self, start: int, before: int, opener: int) -> RonError:
        """Something other than a field name or the closing bracket stands in a struct."""
        text = self._text
        char = text[start : start + 1]
        if start >= len(text):
            return self._unclosed(start, opener)
        hint = hint_for(text, start, before)
        if hint is None and char == '"':
            hint = "Field names have no quotes."
        elif hint is None and char.isdigit():
            hint = "Every item of this struct has a name. A decimal point is a point, not a comma."
        elif hint is None and char == ",":
            hint = "There is a comma too many."
        elif hint is None and char in "]}":
            hint = "Close the struct with `)` first."
        return self._expected("a field name or `)`", start, hint, opener if char in "]}" else None)

    def no_colon(self, name: str, start: int, before: int, opener: int) -> RonError:
        """No colon follows a field name or a map key."""
        if start >= len(self._text):
            return self._unclosed(start, opener)
        hint = hint_for(self._text, start, before)
        if self._text[opener] == "{":
            hint = hint or "A map holds `key: value` pairs; plain items stand in [ ]."
            return self._expected("`:` after the key", start, hint)
        return self._expected(f"`:` after {quoted(name)}", start, hint or f"Write {quoted(name)[1:-1]}: value")

    def twice(self, what: str, first: tuple[int, int], second: tuple[int, int]) -> RonError:
        """A field or key that stands twice."""
        return RonError(
            self._source,
            second,
            f"{what} {quoted(self._text[slice(*second)])} stands twice",
            hint="Keep one of the two.",
            notes=((*first, "first here"),),
        )

    def too_deep(self, start: int, limit: int) -> RonError:
        """Brackets nest too deeply."""
        return RonError(
            self._source, (start, start + 1), f"brackets nest more than {limit} levels deep", expected="flatter data"
        )

    def option(self, problem: str, start: int, end: int) -> RonError:
        """`Some` or its like used wrongly."""
        return RonError(
            self._source,
            (start, end),
            problem,
            expected="Some(value)",
            hint="As in Some(5), or Some((x: 1)) for a struct.",
        )

    def _expected(self, expected: str, start: int, hint: str | None, opener: int | None = None) -> RonError:
        end = token_end(self._text, start)
        found = described(self._text, start, end) or quoted(self._text[start:end])
        problem = f"expected {expected}, found {found}"
        notes = () if opener is None else ((opener, opener + 1, "opened here"),)
        return RonError(self._source, (start, end), problem, expected=expected, hint=hint, notes=notes)
