"""A model instance beside the file that it was read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from pydantic import BaseModel

from pipeline.content.problems import Problem
from pipeline.ron import Source

Path: TypeAlias = tuple[str | int, ...]
"""Field names (as in RON) and list positions from a file's struct to a value: `("dialogue", 2, "base_text")`."""
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Bound(Generic[Model]):
    """What a file says, and where it says it."""

    value: Model
    source: Source
    spans: Mapping[Path, tuple[int, int]]

    def span(self, path: Path = ()) -> tuple[int, int]:
        """Start and end offset of the value at `path`; of the nearest thing round it where the file leaves it out."""
        while path and path not in self.spans:
            path = path[:-1]
        start, end = self.spans[path]
        return (start, min(end, start + 1)) if path == () else (start, end)

    def where(self, path: Path = ()) -> str:
        """`file:line:col` of the value at `path`."""
        return self.source.where(self.span(path)[0])

    def problem(
        self,
        path: Path,
        message: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        also: str = "",
        id: str | None = None,
    ) -> Problem:
        """A mistake at the value of `path`."""
        return Problem.at(self.source, self.span(path), message, expected=expected, hint=hint, also=also, id=id)

    def problem_inside(
        self, path: Path, text: str, part: tuple[int, int], message: str, hint: str, id: str | None = None
    ) -> Problem:
        """A mistake at a part (start, end) of the string at `path`, whose value is `text`.

        The whole string is shown where escapes keep the written text from being the value.
        """
        start, end = self.span(path)
        opening = self.source.text.find('"', start) + 1
        if self.source.text.startswith(text, opening):
            start, end = opening + part[0], opening + part[1]
        return Problem.at(self.source, (start, end), message, hint=hint, id=id)

    def excerpt(self, path: Path, label: str) -> str:
        """The place of `path` as a related place of another problem: where it is, and its line."""
        return f"  {self.where(path)}\n{self.source.excerpt(*self.span(path), label)}"
