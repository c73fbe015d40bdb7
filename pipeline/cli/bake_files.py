"""The files that `voicebake bake` writes for CI: JUnit XML and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.bake import BakeSummary
    from pipeline.project import Project


class BakeFiles:
    """Writes each file that was asked for, whole or not at all; the folder is made where it is missing."""

    def __init__(self, junit: Path | None, markdown: Path | None) -> None:
        self._junit, self._markdown = junit, markdown

    def write(self, project: Project, summary: BakeSummary, why: Mapping[str, Sequence[str]]) -> None:
        """The files of a bake that ended; `why` says by zone what change made it be baked."""
        if not (self._junit or self._markdown):
            return
        from pipeline.report import junit_summary, markdown_summary, zone_outcomes

        outcomes = {zone.status.zone: zone_outcomes(project, zone) for zone in summary.zones}
        self._write(junit_summary(summary, outcomes), markdown_summary(summary, outcomes, why))

    @contextmanager
    def telling_failure(self) -> Iterator[None]:
        """The files tell of a `UserError` that ends the block; it is raised on."""
        try:
            yield
        except UserError as error:
            if self._junit or self._markdown:
                from pipeline.report import junit_failure, markdown_failure

                self._write(junit_failure(error), markdown_failure(error))
            raise

    def _write(self, junit: str, markdown: str) -> None:
        from pipeline.replacing import replacing

        for path, text in ((self._junit, junit), (self._markdown, markdown)):
            if path:
                with replacing(path) as fresh:
                    fresh.write_text(text, encoding="utf-8")
