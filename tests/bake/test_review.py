"""Deciding: what a person settles is chosen, stays chosen, and says so where it no longer can."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.bake import ReviewSession, Silent, Workspace, bake, decide, plan_zone, rebuild
from pipeline.bake.status import zone_status
from pipeline.cache import VoiceCache
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.review import (
    Action,
    Contradiction,
    Decision,
    DecisionErrors,
    StaleItem,
    log_path,
    read_log,
    read_queue,
    voiced_hash,
)
from pipeline.store import BakeStore, ChoiceRecord, StoreMissing, zone_lock
from tests.project_fixture import bake_all, batches, digest, edit

HUB = "test_hub"
NPC, LINE = "imke_dorr", "crates"
GUARDED = TellState.Guarded
EDIT = 'Eleven crates came in at Dock Nine: "last shift" — yeah # done'


def decided(project: Project, *decisions: Decision, reviewer: str = "Ada") -> Any:
    with Workspace.open(project) as workspace:
        done = decide(workspace, HUB, decisions, reviewer)
        assert workspace._engine is None or workspace.engine.requests == []  # type: ignore[attr-defined]
    return done


def asked(action: Action, state: TellState = GUARDED, **more: Any) -> Decision:
    return Decision(action, more.pop("npc_id", NPC), more.pop("line_id", LINE), state, **more)


def choice(project: Project, state: TellState = GUARDED, npc: str = NPC, line: str = LINE) -> ChoiceRecord:
    with BakeStore.read_only(project.zone_build(HUB) / "bake.sqlite") as store:
        return next(
            one for one in store.choices() if (one.npc_id, one.line_id, one.tell_state) == (npc, line, state.value)
        )


def row(project: Project, state: TellState = GUARDED) -> dict[str, Any]:
    for line in read_queue(project, HUB):
        if (line["npc"]["id"], line["line_id"]) == (NPC, LINE):
            return next(one for one in line["variants"] if one["tell_state"] == state)
    raise AssertionError("the line is not in the queue")


def spoken(project: Project, state: TellState = GUARDED) -> str:
    with VoiceCache(project.draft_cache) as cache:
        return cache.template(NPC, LINE, state).text


def rest_of_line(project: Project, *but: TellState) -> Sequence[Decision]:
    return [asked(Action.approve, state) for state in TellState if state not in but and choice(project, state).voiced]


def test_an_approval_is_logged_and_no_longer_waits(baked: Project) -> None:
    before = choice(baked)
    done = decided(baked, asked(Action.approve, seen_hash=before.voiced_hash))
    [entry] = done.verdicts
    assert read_log(baked, HUB).verdicts == (entry,)
    assert (entry.voiced, entry.base_hash, entry.reviewer) == (before.voiced, before.base_hash, "Ada")
    after = choice(baked)
    assert (after.voiced, after.source, after.verdict, after.reviewer) == (before.voiced, "approved", entry.id, "Ada")
    assert row(baked)["pending"] is False
    assert row(baked)["verdicts"][0]["id"] == entry.id
    assert done.outcome.counts.approved == 1
    assert digest(baked) == done.outcome.draft.content_digest


def test_a_decided_line_leaves_the_queue(baked: Project) -> None:
    waiting = len(read_queue(baked, HUB))
    done = decided(baked, *rest_of_line(baked))
    assert done.outcome.lines_waiting == len(read_queue(baked, HUB)) == waiting - 1


def test_an_edit_takes_the_place_of_the_text_everywhere_and_survives_bakes(baked: Project) -> None:
    before = choice(baked)
    [entry] = decided(baked, asked(Action.edit, text=f"  {EDIT}\n", reason="plainer")).verdicts
    assert (entry.voiced, entry.old_voiced, entry.voiced_hash) == (EDIT, before.voiced, voiced_hash(EDIT))
    assert (choice(baked).source, choice(baked).round) == ("edited", None)
    assert spoken(baked) == EDIT
    known = batches(baked)
    bake_all(baked)
    assert spoken(baked) == EDIT
    assert batches(baked) == known


def test_a_clone_without_a_build_keeps_what_people_settled(baked: Project) -> None:
    approved = choice(baked, TellState.Angry).voiced
    decided(baked, asked(Action.edit, text=EDIT), asked(Action.approve, TellState.Angry))
    text = digest(baked)
    shutil.rmtree(baked.build)
    bake_all(baked)
    assert (spoken(baked), choice(baked, TellState.Angry).voiced) == (EDIT, approved)
    assert digest(baked) == text


def test_an_edit_is_validated_like_any_output_and_a_waiver_lets_it_pass(baked: Project) -> None:
    bad = "Twelve crates came in at Dock Nine."
    with pytest.raises(UserError, match="figures"):
        decided(baked, asked(Action.edit, text=bad))
    with pytest.raises(UserError, match="needs a reason"):
        decided(baked, asked(Action.edit, text=bad, waive=("figures",)))
    assert not log_path(baked, HUB).exists()
    with Workspace.open(baked) as workspace, ReviewSession.open(workspace, HUB, "Ada") as session:
        blocking = {one.rule for one in session.check_text(NPC, LINE, GUARDED, bad) if one.severity == "block"}
    done = decided(baked, asked(Action.edit, text=bad, waive=tuple(sorted(blocking)), reason="a slip in the base"))
    assert [one.action for one in done.verdicts] == [*([Action.waive] * len(blocking)), Action.edit]
    assert spoken(baked) == bad
    waived = {one.rule: one for one in choice(baked).findings}
    assert {waived[rule].severity for rule in blocking} == {"info"}
    assert "a slip in the base" in waived["figures"].message


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (asked(Action.edit), "new text is missing"),
        (asked(Action.edit, text="  "), "new text is missing"),
        (asked(Action.edit, text="half \ud800"), "half a character"),
        (asked(Action.approve, line_id="nowhere"), "no line 'nowhere'"),
        (asked(Action.approve, line_id="sign"), "is an anchor"),
        (asked(Action.waive, rule="nonsense", reason="so"), "no rule 'nonsense'"),
        (asked(Action.waive, rule="slots", reason="so"), "cannot be waived"),
        (asked(Action.waive, rule="exclamations", reason="so"), "says nothing of this text"),
        (Decision(Action.withdraw, verdict_id="abcdef12"), "no verdict"),
    ],
)
def test_what_cannot_be_decided_is_told_and_nothing_is_written(
    baked: Project, decision: Decision, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        decided(baked, decision)
    assert not log_path(baked, HUB).exists()


def test_one_bad_decision_among_many_stops_all_and_all_are_listed(baked: Project) -> None:
    wrong = [asked(Action.approve, line_id="nowhere"), asked(Action.edit, text="Twelve crates.")]
    with pytest.raises(DecisionErrors) as error:
        decided(baked, asked(Action.approve), *wrong)
    assert [one.message.split(":")[0] for one in error.value.errors] == [
        f"zone {HUB} has no line 'nowhere' of NPC 'imke_dorr'.",
        "edit imke_dorr crates (Guarded)",
    ]
    assert not log_path(baked, HUB).exists()


def test_an_item_that_has_changed_since_it_was_seen_is_stale(baked: Project) -> None:
    seen = choice(baked)
    decided(baked, asked(Action.edit, text=EDIT))
    with pytest.raises(StaleItem, match="has changed since you saw it") as error:
        decided(baked, asked(Action.approve, seen_hash=seen.voiced_hash))
    assert EDIT in str(error.value.hint)
    with pytest.raises(StaleItem):
        decided(baked, asked(Action.reject, voiced_hash=voiced_hash("Never seen.")))
    with pytest.raises(StaleItem, match="base text has changed"):
        decided(baked, asked(Action.approve, base_hash="0" * 64))


def test_a_contradiction_names_the_other_person_and_the_way_out(baked: Project) -> None:
    [first] = decided(baked, asked(Action.approve)).verdicts
    with pytest.raises(Contradiction, match="was approved by Ada") as error:
        decided(baked, asked(Action.reject, reason="dull"), reviewer="Bo")
    assert first.id[:8] in str(error.value.hint)
    [undone] = decided(baked, Decision(Action.withdraw, verdict_id=first.id[:8]), reviewer="Bo").verdicts
    assert (undone.action, undone.withdraws, undone.reviewer) == (Action.withdraw, first.id, "Bo")
    assert (choice(baked).source, row(baked)["pending"]) == ("generated", True)
    decided(baked, asked(Action.reject, reason="dull"), reviewer="Bo")
    with pytest.raises(Contradiction, match="was rejected by Bo"):
        decided(baked, asked(Action.approve, text=first.voiced))
    with pytest.raises(UserError, match="withdrawn already"):
        decided(baked, Decision(Action.withdraw, verdict_id=first.id))


def test_both_sides_in_one_step_are_a_contradiction(baked: Project) -> None:
    with pytest.raises(Contradiction):
        decided(baked, asked(Action.approve), asked(Action.reject))
    assert not log_path(baked, HUB).exists()


def test_approving_twice_writes_once(baked: Project) -> None:
    assert len(decided(baked, asked(Action.approve), asked(Action.approve)).verdicts) == 1
    assert decided(baked, asked(Action.approve)).verdicts == ()
    assert len(read_log(baked, HUB).verdicts) == 1


def test_another_candidate_can_be_approved(baked: Project) -> None:
    other = next(one for one in row(baked)["others"] if not any(f["severity"] == "block" for f in one["findings"]))
    decided(baked, asked(Action.approve, voiced_hash=other["voiced_hash"], seen_hash=choice(baked).voiced_hash))
    assert (choice(baked).voiced, choice(baked).source) == (other["voiced"], "approved")


def test_a_rejected_text_gives_way_at_once_and_the_next_bake_makes_others(baked: Project) -> None:
    before, known = choice(baked), batches(baked)
    others = {state: choice(baked, state).voiced for state in TellState if state is not GUARDED}
    done = decided(baked, asked(Action.reject, reason="dull"))
    waiting = choice(baked)
    assert waiting.voiced != before.voiced
    assert waiting.waits_for_bake is True
    assert row(baked)["waits_for_bake"] is True
    assert done.outcome.status.stale == 1
    assert spoken(baked) != before.voiced
    bake_all(baked)
    made = batches(baked) - known
    assert {(npc, line, variant) for npc, line, _, _, variant in made} == {(NPC, LINE, "Guarded")}
    assert len({fingerprint for _, _, fingerprint, _, _ in made}) == 1
    assert choice(baked).waits_for_bake is False
    assert choice(baked).voiced != before.voiced
    assert {state: choice(baked, state).voiced for state in others} == others  # nobody asked for those
    again = batches(baked)
    bake_all(baked)
    assert batches(baked) == again


def test_withdrawing_a_rejection_brings_the_text_back_without_a_bake(baked: Project) -> None:
    before = choice(baked)
    [rejection] = decided(baked, asked(Action.reject)).verdicts
    bake_all(baked)
    decided(baked, Decision(Action.withdraw, verdict_id=rejection.id))
    assert choice(baked) == before


def test_requests_are_capped_and_then_the_variant_falls_back(baked: Project) -> None:
    for _ in range(3):
        decided(baked, asked(Action.regenerate))
    with pytest.raises(UserError, match="3 times already"):
        decided(baked, asked(Action.regenerate))
    rejected = []
    while choice(baked).voiced is not None:
        rejected.append(choice(baked).voiced)
        decided(baked, asked(Action.reject))
        bake_all(baked)
    assert len(set(rejected)) == len(rejected)
    assert choice(baked).source == "empty"
    with VoiceCache(baked.draft_cache) as cache:
        assert cache.template(NPC, LINE, GUARDED).source == "neutral"


def test_asking_for_others_passes_the_text_over_without_judging_it(baked: Project) -> None:
    before = choice(baked)
    decided(baked, asked(Action.regenerate))
    bake_all(baked)
    assert choice(baked).voiced != before.voiced
    decided(baked, asked(Action.approve, text=before.voiced))
    assert (choice(baked).voiced, choice(baked).source) == (before.voiced, "approved")


def test_a_settled_text_survives_another_model_and_offers_come_with_it(baked: Project) -> None:
    approved = choice(baked, TellState.Angry).voiced
    decided(baked, *rest_of_line(baked, GUARDED), asked(Action.edit, text=EDIT))
    settled = {state: choice(baked, state).voiced for state in TellState}
    before = batches(baked)
    (baked.root / "voicebake.toml").write_text("[sampling]\ntemperature = 0.9\n", encoding="utf-8")
    bake_all(baked)
    assert batches(baked) > before
    assert {state: choice(baked, state).voiced for state in TellState} == settled
    assert choice(baked, TellState.Angry).voiced == approved
    assert row(baked, TellState.Angry)["pending"] is False
    offers = [state for state in TellState if row(baked, state)["offer"]]
    assert offers
    decided(baked, *[asked(Action.approve, state) for state in offers])  # seen, and the settled text stays
    with pytest.raises(AssertionError, match="not in the queue"):
        row(baked)


def test_deciding_after_a_change_keeps_the_texts_of_lines_that_wait_for_a_bake(baked: Project) -> None:
    before = {state: choice(baked, state).voiced for state in TellState}
    (baked.root / "voicebake.toml").write_text("[sampling]\ntemperature = 0.9\n", encoding="utf-8")
    done = decided(baked, asked(Action.approve))
    assert {state: choice(baked, state).voiced for state in TellState} == before
    assert choice(baked).source == "approved"
    assert done.outcome.status.stale == done.outcome.status.lines
    bake_all(baked)
    assert choice(baked).voiced == before[GUARDED]


def test_a_changed_base_text_lets_the_verdict_lapse_and_the_old_one_revives_it(baked: Project) -> None:
    decided(baked, asked(Action.edit, text=EDIT))
    file = baked.zones / HUB / "npcs" / "imke_dorr.ron"
    edit(file, "Eleven crates arrived at Dock Nine last shift.", "Eleven crates arrived at Dock Nine today.")
    bake_all(baked)
    assert (choice(baked).source, row(baked)["pending"]) == ("generated", True)
    assert [one["voiced"] for one in row(baked)["last_approved"]] == [EDIT]
    assert "last shift" in row(baked)["last_approved"][0]["base"]
    edit(file, "Eleven crates arrived at Dock Nine today.", "Eleven crates arrived at Dock Nine last shift.")
    bake_all(baked)
    assert (choice(baked).voiced, choice(baked).source) == (EDIT, "edited")


def test_a_renamed_line_keeps_its_approvals(baked: Project) -> None:
    other = next(one for one in row(baked)["others"] if not any(f["severity"] == "block" for f in one["findings"]))
    decided(baked, asked(Action.approve, voiced_hash=other["voiced_hash"]))
    edit(baked.zones / HUB / "npcs" / "imke_dorr.ron", 'id: "crates"', 'id: "boxes"')
    bake_all(baked)
    renamed = choice(baked, line="boxes")
    assert (renamed.voiced, renamed.source) == (other["voiced"], "approved")


def test_an_approved_text_that_the_rules_of_today_block_waits_again_and_says_so(baked: Project) -> None:
    text = "Eleven crates at Dock Nine, zorb, last shift."
    decided(baked, asked(Action.edit, text=text))
    edit(baked.cultures / "van_maanens_star" / "culture.ron", '"sir", "ma\'am"', '"sir", "ma\'am", "zorb"')
    bake_all(baked)
    now = choice(baked)
    assert now.voiced != text
    assert now.trouble is not None
    assert text in now.trouble
    assert "exclusions" in now.trouble
    assert row(baked)["pending"] is True
    decided(baked, asked(Action.approve, text=text, waive=("exclusions",), reason="a ship's name"))
    assert (choice(baked).voiced, choice(baked).trouble) == (text, None)


def test_contradictory_logs_of_two_branches_wait_and_are_listed(baked: Project) -> None:
    [approval] = decided(baked, asked(Action.approve)).verdicts
    shutil.copy(log_path(baked, HUB), baked.root / "ada.jsonl")
    log_path(baked, HUB).unlink()
    decided(baked, asked(Action.reject), reviewer="Bo")
    with log_path(baked, HUB).open("a", encoding="utf-8") as merged:
        merged.write((baked.root / "ada.jsonl").read_text("utf-8"))
    with Workspace.open(baked) as workspace:
        done = rebuild(workspace, HUB)
    assert len(done.conflicts) == 1
    assert done.counts is not None
    assert done.counts.troubled == 1
    assert (choice(baked).voiced, choice(baked).source) == (approval.voiced, "generated")
    assert "rejected by Bo" in str(choice(baked).trouble)


def test_a_decision_during_a_bake_counts_when_the_bake_ends(project: Project) -> None:
    bake_all(project)
    (project.root / "voicebake.toml").write_text("[sampling]\ntemperature = 0.9\n", encoding="utf-8")

    done = []

    class Deciding(Silent):
        def line_done(self, *args: Any, **more: Any) -> None:
            if not done:
                done.append(decided(project, asked(Action.edit, text=EDIT)))

    with Workspace.open(project) as workspace:
        bake(workspace, [HUB], Deciding())
    assert done[0].outcome.rebuilt is False
    assert (choice(project).voiced, choice(project).source) == (EDIT, "edited")
    with Workspace.open(project) as workspace:
        plan = plan_zone(workspace, HUB)
        with BakeStore.read_only(project.zone_build(HUB) / "bake.sqlite") as store:
            assert zone_status(plan, store).stale == 0


def test_a_busy_zone_takes_the_verdict_and_rebuilds_later(baked: Project) -> None:
    with zone_lock(baked, HUB, wait=True):
        done = decided(baked, asked(Action.edit, text=EDIT))
    assert done.outcome.rebuilt is False
    assert spoken(baked) != EDIT
    with Workspace.open(baked) as workspace:
        assert rebuild(workspace, HUB).rebuilt is True
    assert spoken(baked) == EDIT


def test_a_session_undoes_its_steps_one_by_one(baked: Project) -> None:
    with Workspace.open(baked) as workspace, ReviewSession.open(workspace, HUB, "Ada") as session:
        assert session.undo() == ()
        before = session.line(NPC, LINE)
        session.decide([asked(Action.approve, TellState.Angry)])
        session.decide([asked(Action.edit, text=EDIT)])
        edited = {one.tell_state: one for one in session.line(NPC, LINE).variants}
        assert (edited[GUARDED].voiced, edited[GUARDED].source, edited[GUARDED].pending) == (EDIT, "edited", False)
        assert [one.action for one in session.undo()] == [Action.withdraw]
        assert {one.tell_state: one.source for one in session.line(NPC, LINE).variants}[TellState.Angry] == "approved"
        session.undo()
        assert session.undo() == ()
        assert session.line(NPC, LINE) == before
        session.rebuild()
    assert choice(baked).source == "generated"


def same_line_for_tam(project: Project) -> None:
    """Gives the gate hand the base text of the counter's line."""
    edit(
        project.zones / HUB / "npcs" / "tam_orley.ron",
        '(id: "ask",',
        '(id: "crates_too", base_text: "Eleven crates arrived at Dock Nine last shift."),\n        (id: "ask",',
    )


def test_an_approved_text_counts_at_another_npc_of_the_culture_and_an_edit_does_not(project: Project) -> None:
    same_line_for_tam(project)
    bake_all(project)
    text = "Eleven crates arrived at Dock Nine last shift."
    decided(project, asked(Action.approve, TellState.Neutral, text=text), asked(Action.edit, text=EDIT))
    other = choice(project, TellState.Neutral, "tam_orley", "crates_too")
    assert (other.voiced, other.source, other.reviewer) == (text, "approved", "Ada")
    assert choice(project, GUARDED, "tam_orley", "crates_too").source == "generated"


def test_the_other_npcs_own_rules_are_asked_before_a_decision_is_reused(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Look, eleven crates came in at Dock Nine last shift."  # `look` is a pause word of the counter's alone
    masked = "Look, {N1} crates came in at {P1} last shift."
    monkeypatch.setattr("pipeline.generation.fake_engine.edited_base", lambda *_: masked)
    same_line_for_tam(project)
    bake_all(project)
    decided(project, asked(Action.approve, TellState.Neutral))
    assert choice(project, TellState.Neutral).source == "approved"
    other = choice(project, TellState.Neutral, "tam_orley", "crates_too")
    assert (other.voiced, other.source) == (text, "generated")
    assert "fillers" in {finding.rule for finding in other.findings}
    decided(project, asked(Action.approve, TellState.Neutral, npc_id="tam_orley", line_id="crates_too"))
    assert choice(project, TellState.Neutral, "tam_orley", "crates_too").source == "approved"


def test_a_zone_that_was_never_baked_cannot_be_reviewed(project: Project) -> None:
    with Workspace.open(project) as workspace, pytest.raises(StoreMissing, match="not baked yet"):
        decide(workspace, HUB, [asked(Action.approve)], "Ada")
    with Workspace.open(project) as workspace, pytest.raises(StoreMissing):
        rebuild(workspace, HUB)


def test_the_queue_file_is_json_with_any_text(baked: Project) -> None:
    decided(baked, asked(Action.edit, text=EDIT))
    lines = (baked.review_queue / f"{HUB}.queue.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == read_queue(baked, HUB)


def test_one_call_speaks_of_texts_as_they_were_seen(baked: Project) -> None:
    """A rejected text's place is taken by another, which moves its siblings; they were decided on as they stood."""
    with BakeStore.read_only(baked.zone_build(HUB) / "bake.sqlite") as store:
        seen = [one for one in store.choices() if one.voiced]
    actions = [Action.reject if number % 2 == 0 else Action.approve for number in range(len(seen))]
    done = decided(
        baked,
        *(
            Decision(action, one.npc_id, one.line_id, TellState(one.tell_state), seen_hash=one.voiced_hash)
            for action, one in zip(actions, seen, strict=True)
        ),
    )
    assert {one.voiced for one in done.verdicts} <= {one.voiced for one in seen}
    assert sum(one.action is Action.reject for one in done.verdicts) >= len(seen) // 4
