"""What decides and checks behind the screen. Made in the background: content and rules take longer than the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pipeline.cli.review_terminal.tray import Line, Place
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.project import Project

if TYPE_CHECKING:
    from pipeline.bake import Rebuilt, ReviewSession
    from pipeline.review import Decision, Verdict
    from pipeline.settings import Settings
    from pipeline.validation.finding import Finding


class Desk:
    """A review session that opens in the background. One thread does all the work, in order."""

    def __init__(self, project: Project, settings: Settings | None, zone_id: str, reviewer: str) -> None:
        self._project, self._settings = project, settings
        self._zone_id, self._reviewer = zone_id, reviewer
        self._thread = ThreadPoolExecutor(1, "review")
        self._closing = ExitStack()
        self._session: Future[ReviewSession] = self._thread.submit(self._open)

    @property
    def is_open(self) -> bool:
        """True when a call is answered at once."""
        return self._session.done()

    @property
    def failure(self) -> UserError | None:
        """Why the session could not be opened; None while that is not known, too."""
        error = self._session.exception() if self._session.done() else None
        return error if isinstance(error, UserError) else None

    def when_open(self, told: Callable[[], None]) -> None:
        """Calls `told`, in any thread, once the session is open or cannot be opened."""
        self._session.add_done_callback(lambda _: told())

    def prepare(self, place: Place, text: str) -> None:
        """Lets the rules be built before they are needed: the first check builds them."""
        self._thread.submit(lambda: self._session.result().check_text(*place, TellState.Neutral, text))

    def close(self) -> None:
        """Ends the work and gives back what it holds. Decisions need no closing."""
        self._thread.shutdown(cancel_futures=True)
        self._closing.close()

    def decide(self, decisions: Sequence[Decision]) -> tuple[Verdict, ...]:
        """As `ReviewSession.decide`. Like all calls below, raises what opening the session raised."""
        return self._thread.submit(lambda: self._session.result().decide(decisions)).result()

    def undo(self) -> tuple[Verdict, ...]:
        """As `ReviewSession.undo`."""
        return self._thread.submit(lambda: self._session.result().undo()).result()

    def check(self, place: Place, state: TellState, text: str) -> tuple[Finding, ...]:
        """As `ReviewSession.check_text`."""
        return self._thread.submit(lambda: self._session.result().check_text(*place, state, text)).result()

    def line(self, place: Place) -> Line:
        """The line as it stands now, as a row of the queue."""
        from pipeline.review import queue_row

        line = self._thread.submit(lambda: self._session.result().line(*place)).result()
        return queue_row(self._zone_id, line)

    def rebuild(self) -> Rebuilt:
        """As `ReviewSession.rebuild`."""
        return self._thread.submit(lambda: self._session.result().rebuild()).result()

    def _open(self) -> ReviewSession:
        from pipeline.bake import ReviewSession, Workspace
        from pipeline.settings import load_settings

        workspace = Workspace.open(self._project, self._settings or load_settings(self._project))
        self._closing.enter_context(workspace)
        return self._closing.enter_context(ReviewSession.open(workspace, self._zone_id, self._reviewer))
