"""Mistakes in content: each with its place, all raised together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.errors import UserError
from pipeline.ron import RonError, Source


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `line` and `col` count from 1 and are None where a file or folder is missing."""

    file: str
    line: int | None
    col: int | None
    message: str
    expected: str | None = None
    hint: str | None = None
    excerpt: str = ""
    """The source line with carets, then the lines of related places."""
    id: str | None = None
    """The name under which `voicebake check --explain` tells more, where there is more to tell."""

    @classmethod
    def at(
        cls,
        source: Source,
        span: tuple[int, int],
        message: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        also: str = "",
        id: str | None = None,
    ) -> Problem:
        """A mistake at a span of a source. `also` is a finished excerpt of a related place."""
        line, col = source.position(span[0])
        excerpt = source.excerpt(*span)
        return cls(source.name, line, col, message, expected, hint, f"{excerpt}\n{also}" if also else excerpt, id)

    @classmethod
    def unreadable(cls, error: RonError) -> Problem:
        """A file that is no RON."""
        return cls(error.source_name, error.line, error.col, error.problem, error.expected, error.hint, error.excerpt)

    @property
    def where(self) -> str:
        """`file:line:col`, or the file or folder alone."""
        return self.file if self.line is None else f"{self.file}:{self.line}:{self.col}"

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.message}{f' [{self.id}]' if self.id else ''}", self.excerpt]
        guessed = self.hint is not None and self.hint.startswith("Did you mean")
        if self.expected and self.expected not in self.message and not guessed:
            lines.append(f"  Expected {self.expected}.")
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(line for line in lines if line)


class ContentErrors(UserError):
    """Everything that is wrong in the content files, in order of file and place. `problems` is never empty."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(
            sorted(problems, key=lambda each: (each.file, each.line or 0, each.col or 0, each.message))
        )
        files = len({each.file for each in self.problems})
        count = len(self.problems)
        summary = f"{count} mistake{'s' * (count > 1)} in {files} file{'s' * (files > 1)}. Nothing was baked from them."
        super().__init__("\n\n".join([*map(str, self.problems), summary]))

    def as_json(self) -> list[dict[str, str | int | None]]:
        """The problems as objects with `file`, `line`, `col`, `message`, `expected`, `hint` and `id`."""
        return [
            {
                "file": each.file,
                "line": each.line,
                "col": each.col,
                "message": each.message,
                "expected": each.expected,
                "hint": each.hint,
                "id": each.id,
            }
            for each in self.problems
        ]
