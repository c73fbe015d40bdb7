"""The log on disk: nothing is lost, whoever writes, whatever is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.review import Action, Verdict, load_ledger, locked_log, log_path, read_log, to_json
from tests.review.verdicts import OTHER, verdict

ONE, TWO = verdict(Action.approve), verdict(Action.reject, OTHER)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def append(project: Project, verdicts: Sequence[Verdict]) -> None:
    with locked_log(project, "test_hub") as log:
        log.append(verdicts)


def test_what_is_appended_is_read_in_order(project: Project) -> None:
    assert read_log(project, "test_hub").verdicts == ()
    append(project, [ONE])
    append(project, [])
    append(project, [TWO])
    assert log_path(project, "test_hub").read_text("utf-8") == f"{to_json(ONE)}\n{to_json(TWO)}\n"
    assert read_log(project, "test_hub").verdicts == (ONE, TWO)
    assert [log.zone_id for log in load_ledger(project).logs] == ["test_hub"]


def test_shuffled_and_doubled_lines_count_once(project: Project) -> None:
    append(project, [ONE, TWO, TWO, ONE, ONE])
    assert read_log(project, "test_hub").verdicts == (ONE, TWO)


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_torn_last_line_is_told_and_nothing_is_glued_to_it(project: Project, cut: int) -> None:
    append(project, [ONE])
    with log_path(project, "test_hub").open("ab") as file:
        file.write(f"{to_json(TWO)}\n".encode()[:-cut])
    torn = read_log(project, "test_hub")
    if cut == 1:  # only the line end is missing: the entry is whole
        assert torn.verdicts == (ONE, TWO)
    else:
        assert torn.verdicts == (ONE,)
        assert [problem.split(" ")[0] for problem in torn.problems] == ["review_queue/test_hub.verdicts.jsonl:2:"]
    append(project, [TWO])
    whole = read_log(project, "test_hub")
    assert whole.verdicts == (ONE, TWO)
    assert len(whole.problems) == len(torn.problems)


def test_lines_that_are_no_verdict_stay_and_count_for_nothing(project: Project) -> None:
    path = log_path(project, "test_hub")
    path.parent.mkdir()
    path.write_text(f"\n<<<<<<< ours\n{to_json(ONE)}\r\n[]\n", encoding="utf-8")
    log = read_log(project, "test_hub")
    assert log.verdicts == (ONE,)
    assert [problem.rsplit(":", 2)[0].rpartition(":")[2] for problem in log.problems] != []
    assert len(log.problems) == 2
    append(project, [TWO])
    assert "<<<<<<< ours" in path.read_text("utf-8")


def test_many_processes_lose_nothing(project: Project) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from pipeline.project import Project\n"
        "from pipeline.review import Action, locked_log\n"
        "from tests.review.verdicts import verdict\n"
        "for number in range(25):\n"
        "    with locked_log(Project(Path(sys.argv[1])), 'test_hub') as log:\n"
        "        log.append([verdict(Action.approve, f'{sys.argv[2]} {number}')])\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(project.root), name], cwd=Path(__file__).parents[2])
        for name in ("Ada", "Bo")
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    log = read_log(project, "test_hub")
    assert log.problems == ()
    assert {one.voiced for one in log.verdicts} == {f"{name} {at}" for name in ("Ada", "Bo") for at in range(25)}


def test_what_cannot_be_written_is_told(project: Project) -> None:
    (project.root / "review_queue").touch()
    with pytest.raises(UserError, match="cannot be written"):
        append(project, [ONE])
    with pytest.raises(UserError, match="is not an id"):
        read_log(project, "../test_hub")
