"""One model in memory per machine: who waits, who is named, and that a dead holder holds nothing."""

from __future__ import annotations

import multiprocessing
import multiprocessing.synchronize
import os
import signal
import tempfile
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.generation import EngineSettings, SamplerSettings, open_engine
from pipeline.generation.model_lock import ModelLock
from pipeline.project import Project
from tests.generation.requests import BASES, line

CONTEXT = multiprocessing.get_context("spawn")


def hold(folder: Path, held: multiprocessing.synchronize.Event, leave: multiprocessing.synchronize.Event) -> None:
    lock = ModelLock("project north", folder=folder)
    lock.acquire(wait=False, notify=print)
    held.set()
    leave.wait(60)
    lock.release()


def test_others_wait_or_fail_and_read_for_whom(tmp_path: Path) -> None:
    held, leave = CONTEXT.Event(), CONTEXT.Event()
    other = CONTEXT.Process(target=hold, args=(tmp_path, held, leave))
    other.start()
    assert held.wait(60)
    lock = ModelLock("project south", folder=tmp_path)
    with pytest.raises(UserError, match=rf"process {other.pid}, project north"):
        lock.acquire(wait=False, notify=print)
    said: list[str] = []

    def notified(message: str) -> None:
        said.append(message)
        leave.set()

    lock.acquire(wait=True, notify=notified)
    other.join(60)
    assert len(said) == 1
    assert "project north" in said[0]
    assert lock.holder() == f"process {os.getpid()}, project south"
    lock.release()
    assert lock.holder() == "it left no name"


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    held, leave = CONTEXT.Event(), CONTEXT.Event()
    other = CONTEXT.Process(target=hold, args=(tmp_path, held, leave))
    other.start()
    assert held.wait(60)
    os.kill(other.pid or 0, signal.SIGKILL)
    other.join(60)
    lock = ModelLock("project south", folder=tmp_path)
    lock.acquire(wait=False, notify=print)
    assert "project south" in lock.holder()
    lock.release()


def test_an_engine_waits_with_its_first_line_or_fails(
    tiny_project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    settings = EngineSettings(model="tiny.gguf", sampler=SamplerSettings(), threads=1)
    held, leave = CONTEXT.Event(), CONTEXT.Event()
    other = CONTEXT.Process(target=hold, args=(tmp_path, held, leave))
    other.start()
    assert held.wait(60)
    said: list[str] = []

    def notified(message: str) -> None:
        said.append(message)
        leave.set()

    impatient = open_engine(tiny_project, settings, wait=False, notify=said.append)
    with pytest.raises(UserError, match=f"process {other.pid}, project north"):
        impatient.generate(line(BASES[0]))
    patient = open_engine(tiny_project, settings, notify=notified)
    assert patient.count_tokens([BASES[0]]) != [0]  # reading tokens takes no model
    assert said == []
    assert len(patient.generate(line(BASES[0]))[0]) == 24
    assert [message.endswith("Waiting for it to end.") for message in said if "project north" in message] == [True]
    with pytest.raises(UserError, match=f"process {os.getpid()}, project"):
        impatient.generate(line(BASES[0]))
    patient.close()
    assert len(impatient.generate(line(BASES[0]))[0]) == 24
    impatient.close()
    other.join(60)


def test_release_without_holding_is_harmless(tmp_path: Path) -> None:
    ModelLock("nobody", folder=tmp_path).release()
    assert list(tmp_path.iterdir()) == []
