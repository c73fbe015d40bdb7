"""`voicebake review ZONE` at a real terminal: what a person presses, sees, and what is on disk afterwards."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pipeline.project import Project
from pipeline.review import Action, Verdict, queue_path, read_log, read_queue
from tests.cli.review_terminal.terminal import Terminal
from tests.project_fixture import digest

HUB = "test_hub"


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LINES", "COLUMNS")}
    return kept | {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONUTF8": "1"} | more


def review(project: Project, width: int = 80, height: int = 24, **more: str) -> Terminal:
    words = ["review", HUB, "--project", str(project.root), "--reviewer", "Ada"]
    return Terminal(words, environment(**more), width, height)


@pytest.fixture
def at_terminal(baked: Project) -> Iterator[Terminal]:
    with review(baked) as terminal:
        terminal.wait(f"{HUB}  line 1/")
        yield terminal


def log(project: Project) -> Sequence[Verdict]:
    return read_log(project, HUB).verdicts


def quit_of(terminal: Terminal) -> str:
    """Quits; gives what is printed after the screen is gone."""
    terminal.press("q")
    assert terminal.end() == 0
    return terminal.output.rpartition("\x1b[?1049l")[2]


def change_queue(project: Project, line: int, variant: int, **values: Any) -> None:
    """Puts other words into the queue file, as if content or a model had brought them."""
    rows = read_queue(project, HUB)
    rows[line]["variants"][variant].update(values)
    queue_path(project, HUB).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def waiting(project: Project) -> tuple[int, int]:
    """Lines and variants of the queue file that wait."""
    counts = [row["pending"] for row in read_queue(project, HUB) if row["pending"]]
    return len(counts), sum(counts)


def test_a_line_is_approved_with_one_key_and_is_on_disk_at_once(baked: Project, at_terminal: Terminal) -> None:
    row = read_queue(baked, HUB)[0]
    assert row["base"] in at_terminal.wait("Base")
    before = waiting(baked)
    at_terminal.press("a")
    at_terminal.wait(f"Approved {row['pending']} of {row['line_id']}.")
    written = log(baked)
    assert [one.action for one in written] == [Action.approve] * row["pending"]
    assert {one.reviewer for one in written} == {"Ada"}
    assert {one.voiced for one in written} == {one["voiced"] for one in row["variants"] if one["pending"]}
    said = quit_of(at_terminal)
    assert f"{before[0] - 1} lines of {HUB} wait" in said
    assert waiting(baked) == (before[0] - 1, before[1] - row["pending"])


def test_a_variant_is_approved_and_undo_takes_it_back(baked: Project, at_terminal: Terminal) -> None:
    at_terminal.press("v")
    at_terminal.wait("Approved ")
    [approval] = log(baked)
    at_terminal.press("u")
    at_terminal.wait("Taken back: 1 entry.")
    assert [(one.action, one.withdraws) for one in log(baked)[1:]] == [(Action.withdraw, approval.id)]
    at_terminal.press("u")
    at_terminal.wait("There is nothing to undo.")


def test_an_edit_hears_the_rules_while_it_is_written_and_is_kept(baked: Project, at_terminal: Terminal) -> None:
    row = read_queue(baked, HUB)[0]
    at_terminal.press("e")
    at_terminal.wait("Edit ")
    at_terminal.press("\x15thou")
    at_terminal.wait("franchise-bleed")
    at_terminal.press("\x15" + row["base"])
    at_terminal.wait(lambda screen: "franchise-bleed" not in screen and "checking" not in screen)
    assert log(baked) == ()
    at_terminal.press("\r")
    at_terminal.wait("reads as you wrote it.")
    [edit] = log(baked)
    assert (edit.action, edit.voiced) == (Action.edit, row["base"])
    before = digest(baked)
    quit_of(at_terminal)
    assert digest(baked) != before


def test_a_blocked_edit_is_kept_only_with_a_reason(baked: Project, at_terminal: Terminal) -> None:
    base = read_queue(baked, HUB)[0]["base"]
    at_terminal.press(f"e\x15{base} thou\r")
    at_terminal.wait("Why is the rule wrong here?")
    at_terminal.press("\x1b")
    at_terminal.wait("Edit ")
    assert log(baked) == ()
    at_terminal.press("\r")
    at_terminal.wait("Why is the rule wrong here?")
    at_terminal.press("She quotes an old song.\r")
    at_terminal.wait("reads as you wrote it.")
    *waivers, edit = log(baked)
    assert "franchise-bleed" in {one.rule for one in waivers}
    assert {one.reason for one in waivers} == {"She quotes an old song."}
    assert edit.voiced == f"{base} thou"


def test_esc_leaves_an_edit_and_a_paste_is_one_line(baked: Project, at_terminal: Terminal) -> None:
    at_terminal.press("e\x15\x1b[200~two\nlines \x1b[201~\x1b[D\x1b[D.")
    at_terminal.wait("two lin.es")
    at_terminal.press("\x1b")
    at_terminal.wait("Not edited.")
    assert log(baked) == ()


def test_a_rejection_has_a_reason_and_the_next_candidate_stands(baked: Project, at_terminal: Terminal) -> None:
    at_terminal.press("r")
    at_terminal.wait("why?")
    at_terminal.press("\x15too stiff\r")
    at_terminal.wait("Rejected.")
    [rejection] = log(baked)
    assert (rejection.action, rejection.reason) == (Action.reject, "too stiff")
    assert "other candidates asked for" in at_terminal.grid.text


def test_another_candidate_is_taken_with_its_digit(baked: Project, at_terminal: Terminal) -> None:
    shown = at_terminal.wait("take 1")
    state = re.search(r"> (\w+) ", shown)
    assert state is not None
    variant = next(one for one in read_queue(baked, HUB)[0]["variants"] if one["tell_state"] == state[1])
    at_terminal.press("1")
    at_terminal.wait(lambda screen: "Candidate 1 stands" in screen or "the rules block" in screen)
    if any(one["severity"] == "block" for one in variant["others"][0]["findings"]):
        assert log(baked) == ()
    else:
        assert [one.voiced for one in log(baked)] == [variant["others"][0]["voiced"]]


def test_other_candidates_are_asked_for_and_skip_decides_nothing(baked: Project, at_terminal: Terminal) -> None:
    at_terminal.press("g")
    at_terminal.wait("The next bake makes other candidates.")
    assert [one.action for one in log(baked)] == [Action.regenerate]
    at_terminal.press("s")
    at_terminal.wait(f"{HUB}  line 2/")
    at_terminal.press("p")
    at_terminal.wait(f"{HUB}  line 1/")
    at_terminal.press("p")
    at_terminal.wait("This is the first line.")
    assert len(log(baked)) == 1


def test_bulk_says_how_many_and_asks_and_undo_takes_all_back(baked: Project, at_terminal: Terminal) -> None:
    at_terminal.press("b")
    found = re.search(r"all without a finding \((\d+) variants? of (\d+) lines?\)", at_terminal.wait("Approve  c:"))
    assert found is not None
    at_terminal.press("c")
    at_terminal.wait(f"Approve {found[1]} variants of {found[2]} lines?")
    at_terminal.press("n")
    at_terminal.wait("Nothing was approved.")
    assert log(baked) == ()
    at_terminal.press("bcy")
    at_terminal.wait("u takes all of it back.")
    approved = log(baked)
    assert 0 < len(approved) <= int(found[1])
    assert not any(one.findings for one in approved)
    at_terminal.press("u")
    at_terminal.wait(f"Taken back: {len(approved)} entries.")
    assert len(log(baked)) == 2 * len(approved)


def test_a_filter_shows_what_it_names_and_bounds_the_bulk(baked: Project, at_terminal: Terminal) -> None:
    rows = read_queue(baked, HUB)
    tam = [row for row in rows if row["npc"]["id"] == "tam_orley" and row["pending"]]
    at_terminal.press("fn")
    at_terminal.wait("Filter by npc")
    at_terminal.press("tam\r")
    at_terminal.wait(f"line 1/{len(tam)}  [NPC tam_orley]")
    at_terminal.press("bf")
    at_terminal.wait("Approve ")
    at_terminal.press("y")
    at_terminal.wait("u takes all of it back.")
    assert {one.npc_id for one in log(baked)} == {"tam_orley"}
    at_terminal.press("f")
    at_terminal.wait(f"/{len(rows)}  ")


def test_a_filter_by_state_leads_from_variant_to_variant(baked: Project, at_terminal: Terminal) -> None:
    at_terminal.press("fsAngry\r")
    at_terminal.wait("[state Angry]")
    at_terminal.press("v")
    at_terminal.wait(lambda screen: "Approved Angry." in screen and "line 2/" in screen)
    assert [one.tell_state for one in log(baked)] == ["Angry"]
    assert "> Angry" in at_terminal.grid.text


def test_the_next_session_begins_where_the_last_one_stopped(baked: Project, at_terminal: Terminal) -> None:
    at_terminal.press("nnj")
    at_terminal.wait(f"{HUB}  line 3/")
    assert "Nothing was decided." in quit_of(at_terminal)
    position = json.loads((baked.zone_build(HUB) / "review_position.json").read_bytes())
    third = read_queue(baked, HUB)[2]
    assert (position["npc_id"], position["line_id"]) == (third["npc"]["id"], third["line_id"])
    with review(baked) as again:
        again.wait(f"{HUB}  line 3/")
        assert "You are back where you stopped." in again.grid.text
        assert f"> {position['tell_state']} " in again.grid.text


def test_a_killed_session_loses_no_decision(baked: Project, at_terminal: Terminal) -> None:
    row = read_queue(baked, HUB)[0]
    at_terminal.press("a")
    at_terminal.wait("Approved ")
    at_terminal.press("e\x15half an ed")
    at_terminal.wait("half an ed")
    at_terminal.program.kill(signal.SIGKILL)
    at_terminal.end()
    assert len(log(baked)) == row["pending"]
    with review(baked) as again:
        again.wait(f"{HUB}  line ")
        assert "bringing the queue up to date" in again.output
        quit_of(again)
    assert row["line_id"] not in [(one["line_id"]) for one in read_queue(baked, HUB) if one["npc"] == row["npc"]]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_session_that_is_ended_gives_the_terminal_back(
    baked: Project, at_terminal: Terminal, number: signal.Signals
) -> None:
    at_terminal.press("v")
    at_terminal.wait("Approved ")
    at_terminal.program.kill(number)
    assert at_terminal.end() == 128 + number
    assert at_terminal.grid.alternate is False
    assert len(log(baked)) == 1


def test_what_has_changed_meanwhile_is_told_and_shown_as_it_is(baked: Project) -> None:
    change_queue(baked, 0, 0, voiced="A text of yesterday.", voiced_hash="0" * 64)
    with review(baked) as terminal:
        terminal.wait("A text of yesterday.")
        terminal.press("a")
        shown = terminal.wait("has changed since you saw it")
        assert "A text of yesterday." not in shown
        assert log(baked) == ()
        terminal.press("a")
        terminal.wait("Approved ")


def test_content_cannot_steer_the_terminal(baked: Project) -> None:
    bad = "\x1b[2J\x1b]0;owned\x07 [bold]x[/bold] \u202eright \x9b31m \x08\r\n"
    change_queue(baked, 0, 0, voiced=bad, voiced_hash="0" * 64, trouble=bad, diff=[["+", bad]])
    rows = read_queue(baked, HUB)
    rows[0]["base"] = rows[0]["npc"]["name"] = bad
    queue_path(baked, HUB).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    with review(baked) as terminal:
        shown = terminal.wait("[bold]x[/bold]")
        assert "owned" in shown
        assert "\u202e" not in terminal.output
        assert "\x1b]" not in terminal.output


def test_without_colour_flags_and_marks_are_still_told(baked: Project) -> None:
    finding = {"rule": "fidelity", "severity": "review", "span": [0, 4], "message": "Odd.", "suggestion": "Mend it."}
    change_queue(baked, 0, 0, findings=[finding])
    with review(baked, NO_COLOR="1") as terminal:
        shown = terminal.wait("review fidelity: Odd.")
        assert re.search(r"(?m)^ {6}\^\^\^\^$", shown)
        assert "FLAGGED" in shown
        assert "Mend it." in shown
        assert {part for code in terminal.grid.used_codes for part in code.split(";")} <= {"", "1", "4", "7"}
    with review(baked) as terminal:
        terminal.wait("review fidelity: Odd.")
        assert any("31" in code.split(";") for code in terminal.grid.used_codes)


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_be_drawn_on_says_what_to_do(baked: Project, term: str) -> None:
    with review(baked, TERM=term) as terminal:
        assert terminal.end() == 1
        assert "TERM=xterm" in terminal.output
        assert "--export csv" in terminal.output
        assert "Traceback" not in terminal.output


def test_a_resize_is_followed_and_a_tiny_window_waits(at_terminal: Terminal) -> None:
    at_terminal.resize(120, 40)
    at_terminal.wait(lambda screen: len(screen.split("\n")[0]) > 100 and "? q" in screen.split("\n")[39])
    at_terminal.resize(30, 8)
    at_terminal.wait("Needs 40 x 12")
    at_terminal.resize(60, 14)
    at_terminal.wait(lambda screen: HUB in screen.split("\n")[0] and "a line" in screen.split("\n")[13])


def test_help_shows_every_key(at_terminal: Terminal) -> None:
    at_terminal.press("?")
    shown = at_terminal.wait("any key goes back")
    for key in ("a ", "v ", "e ", "r ", "w ", "g ", "s ", "u ", "n, p", "j, k", "f ", "b ", "q "):
        assert re.search(rf"(?m)^{key}", shown)
    at_terminal.press("x")
    at_terminal.wait("Base")


def test_a_waiver_of_a_finding_needs_a_reason(baked: Project, at_terminal: Terminal) -> None:
    base = read_queue(baked, HUB)[0]["base"]
    at_terminal.press("w")
    screen = at_terminal.wait(lambda text: "No rule speaks" in text or "Waive" in text)
    if "No rule speaks" in screen:  # the front text is clean: write one that is not
        at_terminal.press(f"e\x15{base} Plainly.\r")
        at_terminal.wait("reads as you wrote it.")
        at_terminal.press("p" if "line 1/" not in at_terminal.grid.text else "k")
        at_terminal.wait("edited")
        at_terminal.press("w")
        at_terminal.wait("Waive")
    at_terminal.press("\r")
    at_terminal.wait("needs a reason")
    assert Action.waive not in {one.action for one in log(baked)}


def test_a_zone_that_does_not_wait_for_anybody_can_be_opened(baked: Project) -> None:
    queue_path(baked, HUB).write_text("", encoding="utf-8")
    with review(baked) as terminal:
        terminal.wait("The queue is empty")
        terminal.press("aversb1")
        terminal.wait("Nothing waits here.")
        assert "Nothing was decided." in quit_of(terminal)


def test_a_zone_that_was_never_baked_is_one_clear_error(project: Project) -> None:
    with review(project) as terminal:
        assert terminal.end() == 1
        assert f"voicebake bake {HUB}" in terminal.output
        assert "Traceback" not in terminal.output
