"""The queue file: what waits, in the order in which it should be read, the same bytes every time."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import pytest

from pipeline.content.models import Npc
from pipeline.content.terms import Kind, Severity, TellState, Tier
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.review import (
    Action,
    QueueCandidate,
    QueueLine,
    QueueVariant,
    base_hash,
    read_queue,
    voiced_hash,
    write_queue,
)
from pipeline.validation.finding import Finding
from tests.review.verdicts import verdict

REVIEW = Finding("shape", Severity.review, "Two sentences.", (0, 4), "One.")
INFO = Finding("shape", Severity.info, "Know.")
WAIVER = verdict(Action.waive, "Lift's out. That's all.", rule="shape", reason="wanted")
BLOCK = Finding("slots", Severity.block, "A slot is gone.")


def line(
    line_id: str,
    *,
    tier: Tier = Tier.Ambient,
    npc: str = "tam_orley",
    position: int = 0,
    findings: tuple[Finding, ...] = (),
) -> QueueLine:
    return QueueLine(
        npc=Npc(id=npc, name=npc.title(), role="hauls", tier=tier, traits=("dry",), mood="even"),
        line_id=line_id,
        kind=Kind.dialogue,
        culture_id="van_maanens_star",
        base="The lift is broken – “again”.",
        position=position,
        variants=(
            QueueVariant(TellState.Neutral, "Lift's out.", pending=False, score=1.0),
            QueueVariant(
                TellState.Guarded,
                "Lift's out. That's all.",
                pending=True,
                score=0.9,
                findings=findings,
                others=(QueueCandidate(0, 2, "Out.", 0.4, (BLOCK,)),),
                last_approved=(verdict(Action.approve, "Lift's down."),),
                verdicts=(WAIVER,),
            ),
            QueueVariant(TellState.Angry, None, pending=False, findings=(BLOCK,)),
        ),
    )


LINES = [
    line("plot_plain", tier=Tier.PlotCritical, npc="zora", position=9),
    line("semi_info", tier=Tier.SemiUnique, npc="bo", position=2, findings=(INFO,)),
    line("semi_review", tier=Tier.SemiUnique, npc="cy", position=8, findings=(INFO, REVIEW)),
    line("ambient_b", npc="bo", position=4),
    line("ambient_a", npc="bo", position=3),
    line("ambient_first_npc", npc="al", position=7),
]
ORDER = ["plot_plain", "semi_review", "semi_info", "ambient_first_npc", "ambient_a", "ambient_b"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def _written(project: Project) -> list[dict[str, Any]]:
    text = (project.review_queue / "test_hub.queue.jsonl").read_text(encoding="utf-8")
    return [json.loads(row) for row in text.splitlines()]


def test_the_order_is_tier_then_severity_then_npc_then_place(project: Project) -> None:
    assert write_queue(project, "test_hub", LINES) == len(LINES)
    assert [row["line_id"] for row in _written(project)] == ORDER


def test_the_bytes_do_not_depend_on_the_order_given(project: Project) -> None:
    path = project.review_queue / "test_hub.queue.jsonl"
    write_queue(project, "test_hub", LINES)
    first = path.read_bytes()
    for seed in range(5):
        shuffled = LINES.copy()
        random.Random(seed).shuffle(shuffled)
        write_queue(project, "test_hub", shuffled)
        assert path.read_bytes() == first


def test_a_row_says_all_that_a_reviewer_needs(project: Project) -> None:
    write_queue(project, "test_hub", [line("greet", tier=Tier.PlotCritical, findings=(REVIEW,))])
    [row] = _written(project)
    neutral, guarded, angry = row.pop("variants")
    assert row == {
        "zone": "test_hub",
        "npc": {"id": "tam_orley", "name": "Tam_Orley", "role": "hauls", "tier": "PlotCritical"},
        "line_id": "greet",
        "kind": "dialogue",
        "culture": "van_maanens_star",
        "base": "The lift is broken – “again”.",
        "base_hash": base_hash("The lift is broken – “again”."),
        "pending": 1,
    }
    assert neutral["question"] is None
    assert neutral["pending"] is False
    assert "Guarded" in guarded.pop("question")
    assert guarded == {
        "tell_state": "Guarded",
        "voiced": "Lift's out. That's all.",
        "voiced_hash": voiced_hash("Lift's out. That's all."),
        "pending": True,
        "source": "generated",
        "trouble": None,
        "waits_for_bake": False,
        "offer": False,
        "score": 0.9,
        "diff": [["-", "The lift is broken – “again”."], ["+", "Lift's out. That's all."]],
        "last_approved": [
            {
                "voiced": "Lift's down.",
                "base": "The lift is broken – “again”.",
                "action": "approve",
                "reviewer": "Ada <ada@example.org>",
                "time": "2026-03-01T10:00:00.000+00:00",
            }
        ],
        "verdicts": [
            {
                "id": WAIVER.id,
                "action": "waive",
                "reviewer": "Ada <ada@example.org>",
                "time": "2026-03-01T10:00:00.000+00:00",
                "reason": "wanted",
            }
        ],
        "findings": [
            {
                "rule": "shape",
                "severity": "review",
                "span": [0, 4],
                "message": "Two sentences.",
                "suggestion": "One.",
            }
        ],
        "others": [
            {
                "round": 0,
                "index": 2,
                "voiced": "Out.",
                "voiced_hash": voiced_hash("Out."),
                "score": 0.4,
                "findings": [
                    {
                        "rule": "slots",
                        "severity": "block",
                        "span": None,
                        "message": "A slot is gone.",
                        "suggestion": None,
                    }
                ],
            }
        ],
    }
    assert angry["voiced"] is None
    assert angry["voiced_hash"] is None


def test_lines_without_a_pending_variant_do_not_wait_and_an_empty_queue_replaces_the_old_one(project: Project) -> None:
    write_queue(project, "test_hub", LINES)
    decided = [
        dataclasses.replace(one, variants=tuple(dataclasses.replace(v, pending=False) for v in one.variants))
        for one in LINES
    ]
    assert write_queue(project, "test_hub", decided) == 0
    assert _written(project) == []
    assert [path.name for path in project.review_queue.iterdir()] == ["test_hub.queue.jsonl"]


@pytest.mark.parametrize("change", [{"waits_for_bake": True}, {"offer": True}])
def test_what_waits_for_a_bake_and_what_is_on_offer_comes_last_and_is_not_counted(
    project: Project, change: dict[str, bool]
) -> None:
    decided = {"pending": False, "source": "approved"}
    [plot, *_] = LINES
    told = dataclasses.replace(plot, variants=(dataclasses.replace(plot.variants[1], **decided, **change),))
    quiet = dataclasses.replace(plot, line_id="quiet", variants=(dataclasses.replace(plot.variants[1], **decided),))
    assert write_queue(project, "test_hub", [told, quiet, *LINES[1:]]) == len(LINES) - 1
    rows = read_queue(project, "test_hub")
    assert [row["line_id"] for row in rows] == [*ORDER[1:], "plot_plain"]
    assert rows[-1]["pending"] == 0


def test_a_decision_in_question_comes_before_findings(project: Project) -> None:
    base = LINES[0]
    doubtful = dataclasses.replace(base.variants[1], trouble="Ada and Bo contradict each other.", findings=())
    first = dataclasses.replace(base, line_id="doubtful", position=99, variants=(doubtful,))
    write_queue(project, "test_hub", [line("flagged", tier=Tier.PlotCritical, findings=(REVIEW,)), first])
    assert [row["line_id"] for row in read_queue(project, "test_hub")] == ["doubtful", "flagged"]


def test_reading_a_queue_that_is_not_there_or_broken_says_what_to_do(project: Project) -> None:
    with pytest.raises(UserError, match="no review queue yet") as error:
        read_queue(project, "test_hub")
    assert error.value.hint == "Run: voicebake bake test_hub"
    project.review_queue.mkdir()
    (project.review_queue / "test_hub.queue.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be read"):
        read_queue(project, "test_hub")


def test_the_earlier_queue_survives_a_failure(project: Project) -> None:
    write_queue(project, "test_hub", LINES)
    before = _written(project)
    bad = dataclasses.replace(LINES[0], base="\ud800")
    with pytest.raises(UnicodeEncodeError):
        write_queue(project, "test_hub", [bad])
    assert _written(project) == before
    assert [path.name for path in project.review_queue.iterdir()] == ["test_hub.queue.jsonl"]


def test_what_cannot_be_written_is_told(project: Project) -> None:
    project.review_queue.touch()
    with pytest.raises(UserError, match="could not be written"):
        write_queue(project, "test_hub", LINES)
    with pytest.raises(UserError, match="is not an id"):
        write_queue(project, "../test_hub", LINES)
