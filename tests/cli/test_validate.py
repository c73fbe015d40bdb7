"""`voicebake validate` and `voicebake words test`: rows in, findings out, a line each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project_fixture import bakeable_project

GOOD = {"base": "The cargo is late.", "voiced": "Load's late."}
BLOCKED = {"base": "The cargo is late.", "voiced": "Load's late, Commander."}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bakeable_project(tmp_path_factory.mktemp("words") / "project").root


def run(root: Path, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "pipeline.cli", *words, "--project", str(root)]
    return subprocess.run(command, input=stdin, env=dict(os.environ), capture_output=True, check=False)


def rows(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, list[dict[str, object]]]]:
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def test_one_answer_per_row_and_exit_code_one_if_any_is_blocked(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(rows(GOOD, BLOCKED))
    done = run(root, "validate", str(file), "--json")
    good, blocked = answers(done)
    assert done.returncode == 1
    assert good == {"findings": []}
    (finding,) = [f for f in blocked["findings"] if f["rule"] == "guard-vocabulary"]
    assert set(finding) == {"rule", "severity", "message", "span", "suggestion"}
    assert finding["severity"] == "block"
    assert finding["span"] == [13, 22]


def test_rows_that_cannot_be_read_lose_no_other_row(root: Path) -> None:
    bad = b'nonsense\n[1]\n{"base": "a"}\n{"base": "a", "voiced": 1}\n{"base": "a", "voiced": "\\ud800"}\n\xff\n'
    stdin = rows(GOOD) + bad + rows({**GOOD, "tell": "Nervos"}, {**GOOD, "npc": "nobody"}, GOOD)
    done = run(root, "validate", "-", "--json", stdin=stdin)
    found = answers(done)
    assert done.returncode == 1
    assert [[f["rule"] for f in row["findings"]] for row in found] == [[], *([["row"]] * 8), []]
    assert all(f"Row {number}: ".encode() in done.stderr for number in range(2, 10))
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "row",
    [
        {**GOOD, "kind": "Dialogue", "tell": "NERVOUS", "affect": None, "npc": None, "culture": None},
        {**GOOD, "tell": "routine_deviation", "affect": "High", "label": "of no matter"},
        {"base": "That is {price}.", "voiced": "{price}, that."},
        {"base": "Berth 7 is taken.", "voiced": "Berth Seven's taken."},
        {"base": "checks the gate", "voiced": "gives the gate a check", "kind": "BEHAVIOR"},
    ],
)
def test_letter_case_and_absent_facts(row: dict[str, object], root: Path) -> None:
    done = run(root, "validate", "-", "--json", stdin=rows(row))
    assert (done.returncode, answers(done)) == (0, [{"findings": []}])


def test_facts_of_an_npc_count_where_they_are_given(root: Path) -> None:
    stray = {"base": "The lift is down.", "voiced": "Mind you, lift's down."}
    anyone, imke = answers(run(root, "validate", "-", "--json", stdin=rows(stray, {**stray, "npc": "imke_dorr"})))
    assert "fillers" not in {f["rule"] for f in anyone["findings"]}
    assert "fillers" in {f["rule"] for f in imke["findings"]}


def test_people_read_what_is_wrong_and_a_summary(root: Path) -> None:
    done = run(root, "validate", "-", stdin=rows(GOOD, BLOCKED))
    assert b"-:2: Load's late, Commander." in done.stdout
    assert done.stdout.endswith(b"2 rows: 1 blocked, 0 to review, 1 pass\n")


def test_words_as_json_has_the_documented_shape(root: Path) -> None:
    done = run(root, "words", "test", "--file", "-", "--json", stdin=b"Piece of cake.\r\n\nGate's shut.\n")
    cake, shut = (json.loads(line) for line in done.stdout.decode().splitlines())
    assert list(cake) == ["sentence", "hits"]
    assert cake["hits"] == [{"term": "piece of cake", "severity": "block", "group": "idiom", "span": [0, 13]}]
    assert shut == {"sentence": "Gate's shut.", "hits": []}


def test_words_shows_why_a_term_fires_or_passes(root: Path) -> None:
    shown = run(root, "words", "test", "Sh1t. Cable tension's low. Gate's shut.").stdout.decode()
    assert 'the term "shit" of earth (swearing, in disguise)' in shown
    assert "passes" in shown
    assert "`allow` pattern" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("words", "test"), "--file"),
        (("words", "test", "--file", "nowhere.txt"), "nowhere.txt"),
        (("validate", "nowhere.jsonl"), "nowhere.jsonl"),
    ],
)
def test_a_wrong_call_is_one_clear_error(words: tuple[str, ...], said: str, root: Path) -> None:
    done = run(root, *words)
    assert done.returncode == 1
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_broken_zone_does_not_keep_the_words_from_being_tested(root: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(root, tmp_path / "broken")
    next((tmp_path / "broken/zones").glob("*/zone.ron")).write_text("Zone(", "utf-8")
    assert run(tmp_path / "broken", "words", "test", "Piece of cake.").returncode == 0


@pytest.mark.parametrize("code", ["\x00", "\x07", "\x1b[31m", "\t", "\x7f", "\x9b"])
def test_control_characters_are_blocked_and_never_reach_the_terminal(root: Path, code: str) -> None:
    stdin = rows({**GOOD, "voiced": f"Load's {code}late."})
    done = run(root, "validate", "-", stdin=stdin)
    assert done.returncode == 1
    assert f"U+{ord(code[0]):04X} has no place in a line.".encode() in done.stdout
    assert code.encode() not in done.stdout
    (answer,) = answers(run(root, "validate", "-", "--json", stdin=stdin))
    assert ("shape", "block") in {(finding["rule"], finding["severity"]) for finding in answer["findings"]}


def test_a_text_longer_than_any_line_is_refused_at_once(root: Path) -> None:
    words = " ".join(f"w{number}" for number in range(40_000))
    done = run(root, "validate", "-", "--json", stdin=rows({**GOOD, "voiced": words}, {**GOOD, "base": words}, GOOD))
    assert [[finding["rule"] for finding in row["findings"]] for row in answers(done)] == [["row"], ["row"], []]
    assert b"more than 10,000" in done.stderr


def test_words_test_writes_control_characters_out(root: Path) -> None:
    done = run(root, "words", "test", "--file", "-", stdin=b"\xef\xbb\xbfThe \x1b[31mCommander\x07 waits.\r\n\r\n")
    assert done.returncode == 0
    assert b"The \\x1b[31mCommander\\x07 waits." in done.stdout
    assert b"\x1b" not in done.stdout
