"""One model in memory per machine: an operating-system lock that dies with its process."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.errors import UserError
from pipeline.generation.machine import process_exists

_NAME = "voicebake-model.lock"


class ModelLock:
    """Held while a model is loaded. Beside it each holder leaves a note for those who wait, named by its process id."""

    def __init__(self, purpose: str, *, folder: Path | None = None) -> None:
        """`purpose`: what those who wait read, such as a project's path. `folder`: default the temporary folder."""
        self._folder = folder or Path(tempfile.gettempdir())
        self._note = self._folder / f"{_NAME}.{os.getpid()}"
        self._purpose = purpose
        self._lock = FileLock(self._folder / _NAME, mode=0o666)

    def acquire(self, *, wait: bool, notify: Callable[[str], None]) -> None:
        """Takes the lock. While another process holds it, waits and tells `notify` once for whom.

        Raises `UserError` instead of waiting when `wait` is False.
        """
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            message = f"Another bake has a model in memory ({self.holder()})."
            if not wait:
                raise UserError(message, "Wait for it, or run without --no-wait.") from None
            notify(f"{message} Waiting for it to end.")
            self._lock.acquire()
        self._note.write_text(f"process {os.getpid()}, {self._purpose}", encoding="utf-8")

    def release(self) -> None:
        """Gives the lock back; nothing happens when it is not held."""
        if self._lock.is_locked:
            self._note.unlink(missing_ok=True)
            self._lock.release()

    def holder(self) -> str:
        """Who holds the lock, as it wrote of itself. Notes of processes that were killed do not count."""
        for note in sorted(self._folder.glob(f"{_NAME}.*")):
            process = note.suffix[1:]
            if process.isdigit() and process_exists(int(process)):
                return note.read_text(encoding="utf-8")[:200]
        return "it left no name"
