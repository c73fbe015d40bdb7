"""The one error that reading RON raises."""

from __future__ import annotations

from pipeline.errors import UserError
from pipeline.ron.source import Source


class RonError(UserError):
    """A text that is no RON.

    `span` holds start and end offsets in code points, `line` and `col` the start, counted from 1. `problem` is one
    sentence; `excerpt` shows the source line with carets, then the related places in `notes` (offsets and a label, such
    as the bracket that was never closed); `message` is the finished text of all that.
    """

    def __init__(
        self,
        source: Source,
        span: tuple[int, int],
        problem: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        notes: tuple[tuple[int, int, str], ...] = (),
    ) -> None:
        self.source_name = source.name
        self.span = span
        self.line, self.col = source.position(span[0])
        self.problem = problem
        self.expected = expected
        self.notes = notes
        shown = [source.excerpt(*span), *(source.excerpt(start, end, label) for start, end, label in notes)]
        self.excerpt = "\n".join(shown)
        lines = [f"{source.where(span[0])}: {problem}", self.excerpt]
        if expected and expected not in problem:
            lines.append(f"  Expected {expected}.")
        super().__init__("\n".join(lines), hint)
