"""How many keys a hub of 100 lines with 60 flagged variants takes; docs/review.md tells these numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.cli.review_terminal.app import App
from pipeline.cli.review_terminal.keys import Key
from pipeline.cli.review_terminal.tray import Tray
from pipeline.content.terms import TellState
from pipeline.project import Project
from pipeline.review import Action, Decision, voiced_hash

GUIDE = Path(__file__).parents[3] / "docs/review.md"
FLAGGED_LINES = 40


def finding(rule: str) -> dict[str, Any]:
    return {"rule": rule, "severity": "review", "span": None, "message": "Odd.", "suggestion": None}


def line(number: int) -> dict[str, Any]:
    """A line of which the first 40 have a flagged variant, and the first 20 of those a second one: 60."""
    flagged = {1} if number < FLAGGED_LINES else set()
    flagged |= {4} if number < FLAGGED_LINES // 2 else set()
    texts = [f"Text {number} {state}." for state in TellState]
    variants = [
        {
            "tell_state": str(state), "voiced": text, "voiced_hash": voiced_hash(text), "pending": True,
            "source": "generated", "trouble": None, "waits_for_bake": False, "offer": False, "score": 0.8,
            "question": None, "findings": [finding("fidelity")] if index in flagged else [], "diff": [["+", text]],
            "last_approved": [], "verdicts": [],
            "others": [{"voiced": f"Other {text}", "voiced_hash": "1" * 64, "score": 0.7, "findings": []}],
        }
        for index, (state, text) in enumerate(zip(TellState, texts, strict=True))
    ]  # fmt: skip
    npc = {"id": "imke", "name": "Imke", "role": "clerk", "tier": "PlotCritical"}
    rest = {"kind": "dialogue", "culture": "sovari", "base": f"Base {number}.", "base_hash": "2" * 64}
    return {"zone": "hub", "npc": npc, "line_id": f"l{number}", **rest, "pending": len(variants), "variants": variants}


class Keyboard:
    def __init__(self, keys: Sequence[str]) -> None:
        names = {"\r": Key("enter")}
        self.left = [names.get(key, Key(key, key)) for key in keys]

    def next(self, timeout: float | None = None) -> Key | None:
        return None if timeout is not None else self.left.pop(0) if self.left else Key("hangup")

    def wake(self) -> None:
        raise AssertionError("nothing opens in the background here")


class Paper:
    size = (80, 24)
    drawn = 0

    def draw(self, rows: Sequence[Any], cursor: object = None) -> None:
        assert len(rows) == self.size[1]
        self.drawn += 1


class Clerk:
    """Takes every decision, as the core does for a hub: a rejected text gives way to one that waits."""

    is_open, failure = True, None

    def __init__(self, lines: Sequence[dict[str, Any]]) -> None:
        self.lines = {one["line_id"]: one for one in lines}
        self.taken: list[Action] = []

    def when_open(self, told: object) -> None:
        assert callable(told)

    def prepare(self, place: object, text: str) -> None:
        assert text

    def check(self, place: object, state: TellState, text: str) -> tuple[()]:
        return ()

    def decide(self, decisions: Sequence[Decision]) -> Sequence[Decision]:
        for one in decisions:
            variants = self.lines[one.line_id]["variants"]
            at = list(TellState).index(one.tell_state)
            gone = one.action is Action.reject
            text = one.text or (f"Next {at}." if gone else variants[at]["voiced"])
            source = "generated" if gone else "approved"
            changed = {"voiced": text, "pending": gone, "source": source, "findings": []}
            variants[at] = {**variants[at], **changed, "voiced_hash": voiced_hash(text)}
            self.taken.append(one.action)
        return decisions

    def line(self, place: tuple[str, str]) -> dict[str, Any]:
        line = self.lines[place[1]]
        return {**line, "pending": sum(one["pending"] for one in line["variants"])}


def review(tmp_path: Path, keys: str) -> tuple[Tray, Clerk]:
    lines = [line(number) for number in range(100)]
    tray, clerk = Tray(lines), Clerk([{**one, "variants": list(one["variants"])} for one in lines])
    with pytest.raises(SystemExit):  # nobody is at the keyboard any more
        App(Project(tmp_path), "hub", "Ada", tray, Paper(), Keyboard(keys), lambda: clerk).run()
    return tray, clerk


MIXED = "v" * 30 + "1" * 15 + "r\rv" * 10 + "e!\r" * 5
WAYS = {
    "every line read and approved as a whole": ("a" * 100, 100),
    "the clean ones at once, then the flagged lines": ("bcy" + "a" * FLAGGED_LINES, 43),
    "the clean ones at once, then each flagged variant": ("bcy" + "v" * 60, 63),
    "the clean ones at once; of the flagged 30 approved, 15 replaced, 10 rejected, 5 edited": ("bcy" + MIXED, 93),
}


@pytest.mark.parametrize("way", WAYS)
def test_keys_that_a_hub_takes(tmp_path: Path, way: str) -> None:
    keys, expected = WAYS[way]
    tray, clerk = review(tmp_path, keys)
    assert tray.counts() == (0, 0)
    assert len(clerk.taken) >= 600
    assert len(keys) == expected
    assert review(tmp_path / "short", keys[:-1])[0].counts() != (0, 0)
    assert f"| {way} | {expected} |" in GUIDE.read_text(encoding="utf-8")


def test_a_queue_of_thousands_is_drawn_and_bulk_is_bounded(tmp_path: Path) -> None:
    lines = [line(number) for number in range(840)]
    tray, clerk = Tray(lines), Clerk([{**one, "variants": list(one["variants"])} for one in lines])
    App(Project(tmp_path), "hub", "Ada", tray, Paper(), Keyboard("nnsbcyq"), lambda: clerk).run()
    assert len({one["line_id"] for one in tray.lines if one["pending"] < 6}) == 100
    assert tray.counts()[1] == 840 * 6 - len(clerk.taken)
