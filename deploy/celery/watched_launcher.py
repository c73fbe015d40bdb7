"""Dagster's Celery run launcher, with an eye on the workers: a run whose worker is gone is no longer running."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dagster import DagsterRun
from dagster._core.launcher import CheckRunHealthResult, WorkerStatus
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.tags import DAGSTER_CELERY_TASK_ID_TAG

ANSWER_SECONDS = 5.0
TRIES = 3


class WatchedCeleryRunLauncher(CeleryRunLauncher):
    """Celery says of a task that it has started until it ends, also when its worker was killed. This asks the worker.

    A worker that lives answers while it bakes, since a process beside the bake does. One that was started anew answers
    too, but does not name the task. Only a worker that does neither in three tries is given up.
    """

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        told = super().check_run_worker_health(run)
        if told.status is not WorkerStatus.RUNNING:
            return told
        task_id = run.tags[DAGSTER_CELERY_TASK_ID_TAG]
        result = self.celery.AsyncResult(task_id)
        worker = _worker_of(result.info)
        if worker is None or _is_active(self.celery.control.inspect, worker, task_id):
            return told
        # It may have ended while we asked.
        told = super().check_run_worker_health(run)
        if told.status is not WorkerStatus.RUNNING:
            return told
        return CheckRunHealthResult(WorkerStatus.FAILED, f"The worker {worker} is gone, or forgot the task {task_id}.")


def _worker_of(info: object) -> str | None:
    """The worker that Celery noted when the task started; None when the task has ended meanwhile."""
    return str(info["hostname"]) if isinstance(info, dict) and "hostname" in info else None


def _is_active(inspect: Callable[..., Any], worker: str, task_id: str) -> bool:
    for _ in range(TRIES):
        answer = inspect(destination=[worker], timeout=ANSWER_SECONDS).active() or {}
        if any(task["id"] == task_id for tasks in answer.values() for task in tasks):
            return True
    return False
