"""Starting and ending a review at a terminal."""

from __future__ import annotations

import os
import sys

from pipeline.cli.console import err, out
from pipeline.cli.review_terminal.app import App
from pipeline.cli.review_terminal.desk import Desk
from pipeline.cli.review_terminal.keys import KeyReader
from pipeline.cli.review_terminal.position import read_position
from pipeline.cli.review_terminal.screen import Screen, check_terminal
from pipeline.cli.review_terminal.tray import Tray
from pipeline.project import Project
from pipeline.review import log_path, queue_path, read_queue


def review_at_terminal(project: Project, zone_id: str, reviewer: str) -> None:
    """Lets a person review a zone until they quit, then brings queue and draft up to date if anything was decided.

    Stdin and stdout are a terminal. Raises `UserError` for one that cannot be drawn on, and for a zone without a queue.
    """
    check_terminal(os.environ)
    if _log_is_newer(project, zone_id):
        err.print("The verdict log is newer than the queue: bringing the queue up to date ...")
        _rebuild_alone(project, zone_id)
    tray = Tray(read_queue(project, zone_id))
    note = ""
    if position := read_position(project, zone_id):
        note = "You are back where you stopped." if tray.find(*position) else ""
    encoding = sys.stdout.encoding or "utf-8"
    screen = Screen(sys.stdout.fileno(), encoding, colour=not os.environ.get("NO_COLOR"))
    keys = KeyReader(sys.stdin.fileno(), encoding)
    app = App(project, zone_id, reviewer, tray, screen, keys, lambda: Desk(project, None, zone_id, reviewer), note=note)
    try:
        with screen.opened(), keys.watching_size():
            app.run()
        _finish(app)
    finally:
        app.close()
        keys.close()


def _log_is_newer(project: Project, zone_id: str) -> bool:
    """True after a session that was cut off, and after a log was merged or edited: the queue shows what is decided."""
    log, queue = log_path(project, zone_id), queue_path(project, zone_id)
    return log.exists() and queue.exists() and log.stat().st_mtime_ns > queue.stat().st_mtime_ns


def _rebuild_alone(project: Project, zone_id: str) -> None:
    from pipeline.bake import Workspace, rebuild

    with Workspace.open(project) as workspace:
        done = rebuild(workspace, zone_id)
    for problem in (*done.problems, *done.conflicts):
        err.print(problem)
    if not done.rebuilt:
        err.print("The zone is being baked; that bake brings the queue up to date when it ends.")


def _finish(app: App) -> None:
    """Queue and draft, once for the whole session."""
    if not app.decided:
        out.print("Nothing was decided.")
        return
    out.print(f"{app.decided} {'entry' if app.decided == 1 else 'entries'} written to the verdict log.")
    out.print("Bringing queue and draft up to date ...")
    done = app.desk.rebuild()
    for problem in (*done.problems, *done.conflicts):
        err.print(problem)
    if done.rebuilt:
        out.print(f"{done.lines_waiting} lines of {app.zone_id} wait for a person.")
    else:
        out.print("The zone is being baked; that bake takes the verdicts in when it ends.")
