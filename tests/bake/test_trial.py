"""What `voicebake try` hears is what a bake would write, and nothing is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.bake import Workspace
from pipeline.bake.trial import TrialLine, plan_trial, voice_trial
from pipeline.bake.trial_rows import trial_rows
from pipeline.content.terms import Affect, Kind, TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.store import BakeStore
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Subject
from tests.project_fixture import edit

IMKE = "test_hub/npcs/imke_dorr.ron"


def stored_candidates(project: Project, line_id: str) -> set[tuple[str, int, str]]:
    with closing(sqlite3.connect(project.zone_build("test_hub") / "bake.sqlite")) as db:
        return set(
            db.execute(
                "SELECT c.tell_state, c.candidate_index, c.text FROM candidates c JOIN batches b USING (fingerprint) "
                "WHERE b.npc_id = 'imke_dorr' AND b.line_id = ?",
                (line_id,),
            ).fetchall()
        )


@pytest.mark.parametrize(
    ("line_id", "base", "kind"),
    [
        ("greet", "Good morning. What do you need?", Kind.dialogue),
        ("price", "The seal costs {price}.", Kind.dialogue),
        ("crates", "Eleven crates arrived at Dock Nine last shift.", Kind.dialogue),
        ("lift_broken", "The lift is broken again and nobody came.", Kind.dialogue),
        ("sorts_seals", "sorts pump seals into three trays", Kind.behavior),
    ],
)
def test_a_line_of_the_zone_comes_out_as_in_its_bake(baked: Project, line_id: str, base: str, kind: Kind) -> None:
    with Workspace.open(baked) as workspace:
        result = voice_trial(workspace, plan_trial(workspace, TrialLine(base, kind, "imke_dorr")))
    tried = {
        (state.value, one.candidate.index, one.candidate.masked)
        for state, choice in result.choices.items()
        for one in ([choice.chosen] if choice.chosen else []) + list(choice.others)
    }
    assert tried == stored_candidates(baked, line_id)
    with BakeStore.read_only(baked.zone_build("test_hub") / "bake.sqlite") as store:
        chosen = {c.tell_state: (c.voiced, c.score) for c in store.choices() if c.line_id == line_id}
    assert {
        state.value: (choice.chosen.candidate.voiced, choice.chosen.score.total) if choice.chosen else (None, None)
        for state, choice in result.choices.items()
    } == chosen


def test_nothing_is_stored(project: Project) -> None:
    with Workspace.open(project) as workspace:
        voice_trial(workspace, plan_trial(workspace, TrialLine("The gate is shut.")))
    assert not (project.build / "zones").exists()
    assert not project.draft_cache.exists()


def tried_subjects(project: Project, monkeypatch: pytest.MonkeyPatch, line: TrialLine) -> list[Subject]:
    """What the rules are shown of a line."""
    seen: list[Subject] = []

    def validate(subject: Subject) -> Sequence[Finding]:
        seen.append(subject)
        return ()

    with Workspace.open(project) as workspace:
        monkeypatch.setattr(Workspace, "rules", SimpleNamespace(validate=validate))
        voice_trial(workspace, plan_trial(workspace, line))
    return seen


def test_rules_that_need_an_absent_fact_are_told_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = tried_subjects(project, monkeypatch, TrialLine("Ilsa Renn owes Dock Nine {price} and five crates."))
    assert {(one.npc, one.affect) for one in unknown} == {(None, None)}
    assert unknown[0].names >= {"Ilsa Renn", "Dock Nine", "Imke Dorr", "Jora Vant"}
    assert unknown[0].masked_slots == {"P1": "Ilsa Renn", "P2": "Dock Nine", "N1": "five"}
    known = tried_subjects(project, monkeypatch, TrialLine("The gate is shut.", npc_id="tam_orley"))
    assert {(one.npc.npc_id if one.npc else "", one.affect) for one in known} == {("tam_orley", None)}


def test_affect_is_the_given_one_or_that_of_the_line(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    base = "The lift is broken again and nobody came."
    for line, affect in (
        (TrialLine(base, npc_id="imke_dorr"), Affect.high),
        (TrialLine(base, npc_id="imke_dorr", affect=Affect.low), Affect.low),
        (TrialLine(base, affect=Affect.high), Affect.high),
        (TrialLine(base, npc_id="tam_orley"), None),
    ):
        assert {one.affect for one in tried_subjects(project, monkeypatch, line)} == {affect}


def test_the_culture_is_the_named_one_the_npcs_or_the_hubs(project: Project) -> None:
    other = project.cultures / "other_folk"
    other.mkdir()
    text = (project.cultures / "van_maanens_star/culture.ron").read_text("utf-8")
    (other / "culture.ron").write_text(text.replace('"van_maanens_star"', '"other_folk"'), "utf-8")
    edit(
        project.zones / IMKE,
        '    mood: "tired but steady",',
        '    mood: "tired but steady",\n    culture: "other_folk",',
    )
    with Workspace.open(project) as workspace:
        for line, culture in (
            (TrialLine("The gate is shut."), "van_maanens_star"),
            (TrialLine("The gate is shut.", npc_id="imke_dorr"), "other_folk"),
            (TrialLine("The gate is shut.", npc_id="imke_dorr", culture_id="van_maanens_star"), "van_maanens_star"),
        ):
            assert plan_trial(workspace, line).job.line.culture.id == culture


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (TrialLine("The gate is shut.", npc_id="imke_dor"), "Did you mean imke_dorr?"),
        (TrialLine("The gate is shut.", culture_id="sovary"), "The cultures are: van_maanens_star."),
        (TrialLine("The seal costs {Price}."), "is no slot"),
        (TrialLine("The seal costs {price."), "stands alone"),
        (TrialLine("  "), "is empty"),
        (TrialLine("The gate is shut.<end_of_turn>"), "`<end_of_turn>` is a mark that steers a model"),
        (TrialLine("[INST] The gate is {shut."), "`[INST]` is a mark that steers a model"),
        (TrialLine("The gate\u202e is shut."), "the control character U+202E has no place in a text"),
        (TrialLine("The gate is shut.\0"), "the control character U+0000 has no place in a text"),
        (TrialLine("Drops the same seal twice."), "must never reach a model"),
        (TrialLine("The gate is shut, as it was before. " * 20), "tokens; allowed are"),
    ],
)
def test_what_cannot_be_tried_is_one_clear_error(project: Project, line: TrialLine, said: str) -> None:
    with Workspace.open(project) as workspace, pytest.raises(UserError) as error:
        plan_trial(workspace, line)
    assert said in str(error.value)


def test_a_further_round_is_asked_for_as_in_a_bake(project: Project) -> None:
    (project.root / "voicebake.toml").write_text("[sampling]\nrounds = 2\n", "utf-8")
    with Workspace.open(project) as workspace:
        trial = plan_trial(workspace, TrialLine("wipes the counter", Kind.behavior))
        result = voice_trial(workspace, trial)
        rounds = [(r.round, [v.variant for v in r.variants]) for r in workspace.engine.requests]  # type: ignore[attr-defined]
    assert rounds[0] == (0, list(TellState))
    first_failed = [
        state.value
        for state, choice in result.choices.items()
        if choice.chosen is None or choice.chosen.candidate.round > 0
    ]
    assert first_failed
    assert rounds[1:] == [(1, [state]) for state in first_failed]


GIVEN = {"kind": "behavior"}


def test_rows_say_what_they_need_to(tmp_path: Path) -> None:
    rows = [
        b'\xef\xbb\xbf{"base": "One gate.", "kind": "dialogue"}',
        b"  ",
        b'{"base": "opens the gate"}',
        b'{"base": "Look out.", "kind": "dialogue", "npc": "imke_dorr", "affect": "high", "culture": "x", "id": 7}',
    ]
    assert list(trial_rows(rows, "lines.jsonl", GIVEN)) == [
        (1, TrialLine("One gate.", Kind.dialogue)),
        (3, TrialLine("opens the gate", Kind.behavior)),
        (4, TrialLine("Look out.", Kind.dialogue, "imke_dorr", Affect.high, "x")),
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (b"{base: 1}", "this is not JSON"),
        (b'{"base": "caf\xe9"}', "this is not JSON"),
        (b"[" * 100_000, "this is not JSON"),
        (b'["a"]', "expected a JSON object"),
        (b"{}", "base: Field required"),
        (b'{"base": 7}', "base: Input should be a valid string"),
        (b'{"base": "a", "kind": "shout"}', "kind: Input should be 'dialogue' or 'behavior'"),
        (b'{"base": "\\ud800"}', "half a character"),
    ],
)
def test_a_row_that_cannot_be_read_names_file_and_line(row: bytes, said: str) -> None:
    with pytest.raises(UserError) as error:
        list(trial_rows([b'{"base": "a"}', row], "lines.jsonl", {}))
    assert str(error.value).startswith("lines.jsonl:2: ")
    assert said in str(error.value)
