"""Reviewing from the command line: files out and in, single verdicts, history."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pipeline.project import Project
from pipeline.review import log_path, read_log, read_queue
from tests.cli.test_commands import voicebake

HUB = "test_hub"


def exported(project: Project, path: Path) -> list[dict[str, str]]:
    done = voicebake(project, "review", HUB, "--export", "csv", "-o", str(path))
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def save(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_a_sheet_goes_out_is_filled_in_and_comes_back(baked: Project, tmp_path: Path) -> None:
    sheet = tmp_path / "hub.csv"
    rows = exported(baked, sheet)
    waiting = [row for row in rows if row["pending"]]
    assert len(rows) == 6 * len(read_queue(baked, HUB))
    waiting[0]["verdict"] = "approve"
    waiting[1] |= {"verdict": "reject", "reason": "dull"}
    save(sheet, rows)
    done = voicebake(baked, "review", HUB, "--import", str(sheet), "--reviewer", "Ada", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    # A Neutral text is decided last: its siblings are judged beside it.
    assert sorted(one["action"] for one in told["verdicts"]) == ["approve", "reject"]
    assert told["counts"]["approved"] == 1
    log = read_log(baked, HUB).verdicts
    assert {(one.voiced, one.reviewer) for one in log} == {(row["voiced"], "Ada") for row in waiting[:2]}
    again = voicebake(baked, "review", HUB, "--import", str(sheet), "--reviewer", "Bo")
    assert again.returncode == 1
    assert "the text has changed since you saw it" in again.stderr


def test_all_conflicts_are_listed_and_nothing_is_half_applied(baked: Project, tmp_path: Path) -> None:
    sheet = tmp_path / "hub.csv"
    rows = exported(baked, sheet)
    good, stale, blocked = [row for row in rows if row["pending"]][:3]
    good["verdict"] = "approve"
    stale |= {"verdict": "approve", "base_hash": "0" * 64}
    blocked |= {"verdict": "edit", "text": "Sir, the senate sends 99 ships to Berlin."}
    save(sheet, rows)
    done = voicebake(baked, "review", HUB, "--import", str(sheet), "--reviewer", "Ada")
    assert done.returncode == 1
    assert "2 decisions cannot be taken" in done.stderr
    assert f"row {rows.index(stale) + 2}: " in done.stderr
    assert f"row {rows.index(blocked) + 2}: " in done.stderr
    assert "Traceback" not in done.stderr
    assert not log_path(baked, HUB).exists()


def test_markdown_to_stdout_and_back(baked: Project, tmp_path: Path) -> None:
    text = voicebake(baked, "review", HUB, "--export", "md").stdout
    sheet = tmp_path / "hub.md"
    sheet.write_text(text.replace("\nverdict:\n", "\nverdict: approve\n", 1), encoding="utf-8")
    done = voicebake(baked, "review", HUB, "--import", str(sheet), "--reviewer", "Ada")
    assert done.returncode == 0, done.stderr
    assert "1 verdicts written" in done.stdout
    assert len(read_log(baked, HUB).verdicts) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--export", "csv", "--import", "x.csv"), "two steps"),
        (("--import", "nowhere.csv"), "cannot be read"),
    ],
)
def test_what_cannot_be_imported_is_told(baked: Project, words: tuple[str, ...], message: str) -> None:
    done = voicebake(baked, "review", HUB, *words)
    assert (done.returncode, message in done.stderr) == (1, True)


def test_what_waits_is_counted_by_rule(baked: Project) -> None:
    lines = len(read_queue(baked, HUB))
    assert f"{HUB}: {lines} lines with " in voicebake(baked, "review", HUB).stdout
    assert len(json.loads(voicebake(baked, "review", HUB, "--json").stdout)["lines"]) == lines
    missing = voicebake(baked, "review", "nowhere")
    assert (missing.returncode, "no review queue yet" in missing.stderr) == (1, True)


def decide(project: Project, *words: str) -> dict[str, Any]:
    done = voicebake(project, "verdict", *words, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_single_verdicts_and_the_history_of_their_line(baked: Project) -> None:
    who = ("--reviewer", "Ada")
    decide(baked, "set", "approve", "imke_dorr", "crates", "--tell", "all", *who)
    text = 'Eleven crates came in at Dock Nine: "last shift" — yeah # done'
    [edit] = decide(baked, "set", "edit", "imke_dorr", "crates", "--tell", "guarded", "--text", text, *who)["verdicts"]
    said = voicebake(baked, "say", "imke_dorr", "crates", "--tell", "Guarded")
    assert said.stdout.strip() == text
    decide(baked, "withdraw", edit["id"][:8], "--reason", "no", "--reviewer", "Bo")
    assert voicebake(baked, "say", "imke_dorr", "crates", "--tell", "Guarded").stdout.strip() != text
    history = json.loads(voicebake(baked, "history", "imke_dorr", "crates", "--tell", "Guarded", "--json").stdout)
    told = [event["verdict"]["action"] for event in history["events"] if "verdict" in event]
    assert told == ["approve", "edit", "withdraw"]
    assert [event["live"] for event in history["events"] if "verdict" in event] == [True, False, True]
    assert [text for event in history["events"] for text in event.get("texts", ())]
    assert history["now"] == [
        {"tell_state": "Guarded", "voiced": history["now"][0]["voiced"], "source": "approved", "trouble": None}
    ]
    shown = voicebake(baked, "history", "imke_dorr", "crates").stdout
    assert "[withdrawn]" in shown
    assert "Base text: Eleven crates arrived at Dock Nine last shift." in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("set", "bless", "imke_dorr", "crates"), "no decision"),
        (("set", "waive", "imke_dorr", "crates"), "needs its rule"),
        (("set", "approve", "nobody", "crates"), "no NPC 'nobody'"),
        (("set", "approve", "imke_dorr", "nowhere"), "no line 'nowhere'"),
        (("set", "approve", "imke_dorr", "crates", "--tell", "Sad"), "no tell state"),
        (("withdraw", "abc"), "No verdict"),
    ],
)
def test_a_verdict_that_cannot_be_is_told(baked: Project, words: tuple[str, ...], message: str) -> None:
    done = voicebake(baked, "verdict", *words, "--reviewer", "Ada")
    assert (done.returncode, message in done.stderr) == (1, True)


def test_conflicts_are_listed_with_exit_code_1(baked: Project) -> None:
    clean = voicebake(baked, "verdict", "conflicts")
    assert (clean.returncode, clean.stdout) == (0, "")
    log_path(baked, HUB).write_text("<<<<<<< ours\n", encoding="utf-8")
    done = voicebake(baked, "verdict", "conflicts")
    assert (done.returncode, "test_hub.verdicts.jsonl:1: this is no verdict" in done.stdout) == (1, True)
    assert "verdict conflicts" in voicebake(baked, "status").stdout
    assert "test_hub.verdicts.jsonl:1: this is no verdict" in voicebake(baked, "bake").stderr


def test_the_reviewer_is_whom_git_knows(baked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    config = baked.root / "gitconfig"
    config.write_text("[user]\n\tname = Ada Venn\n\temail = ada@example.org\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    subprocess.run(["git", "init", "-q", str(baked.root)], check=True)
    decide(baked, "set", "approve", "imke_dorr", "crates")
    assert read_log(baked, HUB).verdicts[0].reviewer == "Ada Venn <ada@example.org>"


def test_a_line_nobody_knows_has_no_history(baked: Project) -> None:
    done = voicebake(baked, "history", "imke_dorr", "nowhere")
    assert (done.returncode, "Nothing is known of a line 'nowhere'" in done.stderr) == (1, True)
