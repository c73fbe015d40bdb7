"""kill -9 while a store is written: what was committed is there, what was not is not, and work goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.store import BakeStore
from tests.store.batches import CHOICES, batch, choice

_ROOT = Path(__file__).parents[2]


@contextmanager
def _writer(path: Path, what: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.store.batches", str(path), what]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def _commits_until_killed(path: Path, what: str, commits: int) -> int:
    """Lets a child commit `commits` times, kills it wherever it then is, and gives the last number it told."""
    with _writer(path, what) as process:
        assert process.stdout
        told = [int(process.stdout.readline()) for _ in range(commits)]
        process.kill()
        told += [int(line) for line in process.stdout.read().splitlines() if line]
        assert process.wait() == -signal.SIGKILL
    return told[-1]


@pytest.mark.parametrize("commits", [1, 6, 13])
def test_killed_while_batches_are_added(tmp_path: Path, commits: int) -> None:
    path = tmp_path / "bake.sqlite"
    last = _commits_until_killed(path, "batches", commits)
    with BakeStore(path) as store:
        for number in range(last + 1):
            record, candidates = batch(number)
            assert store.batch(record.fingerprint, 0) == candidates
        # The batch in flight is whole or absent, and can be added again either way.
        record, candidates = batch(last + 1)
        assert store.batch(record.fingerprint, 0) in (None, candidates)
        store.add_batch(record, candidates)
        assert store.batch(record.fingerprint, 0) == candidates


@pytest.mark.parametrize("commits", [1, 4])
def test_killed_while_choices_are_replaced(tmp_path: Path, commits: int) -> None:
    path = tmp_path / "bake.sqlite"
    last = _commits_until_killed(path, "choices", commits)
    with BakeStore(path) as store:
        state = store.state()
        assert state in (f"state {last}", f"state {last + 1}")
        number = state.removeprefix("state ")
        assert store.choices() == [choice(line, text=f"text {number}") for line in range(CHOICES)]
        store.replace_choices("after", [choice(1)])
        assert store.state() == "after"


def test_a_reader_in_another_process_sees_whole_states_only(tmp_path: Path) -> None:
    path = tmp_path / "bake.sqlite"
    with _writer(path, "choices") as process:
        assert process.stdout
        process.stdout.readline()
        with BakeStore.read_only(path) as reader:
            seen = set()
            while len(seen) < 3:
                texts = {record.voiced for record in reader.choices()}
                assert len(texts) == 1
                seen |= texts
