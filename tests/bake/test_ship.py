"""The ship gate: only what may ship does, every reason to refuse is told, and the earlier cache survives anything."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import duckdb
import pytest

from pipeline.bake import Reason, Shipped, ShipRefused, Workspace, decide, plan_release, ship
from pipeline.cache import VoiceCache, write_zone_parquet, zone_parquet_path, zone_parquet_state
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.review import Action, Decision, log_path
from pipeline.store import BakeStore, ChoiceRecord, ZoneBusy, zone_lock
from pipeline.validation.ruleset import CanaryResult, RuleSet
from tests.project_fixture import bake_all, bakeable_project, edit

HUB, YARD = "test_hub", "test_yard"


def shipped(project: Project, *, allow_fallback: bool = False) -> Shipped:
    with Workspace.open(project) as workspace:
        done = ship(workspace, allow_fallback=allow_fallback)
        assert workspace.engine.requests == []  # type: ignore[attr-defined]
    return done


def refusals(project: Project, *, allow_fallback: bool = False) -> list[tuple[Reason, str | None]]:
    """Why nothing ships; asserts that the gate in `ship` and the plan say the same, and that no file is touched."""
    before = project.voice_cache.read_bytes() if project.voice_cache.exists() else None
    with Workspace.open(project) as workspace:
        planned = plan_release(workspace, allow_fallback=allow_fallback)
        with pytest.raises(ShipRefused) as refused:
            ship(workspace, allow_fallback=allow_fallback)
    assert refused.value.refusals == planned.refusals
    for one in planned.refusals:
        assert one.message in refused.value.message
        assert one.hint in refused.value.message
    assert (project.voice_cache.read_bytes() if project.voice_cache.exists() else None) == before
    return [(one.reason, one.zone) for one in planned.refusals]


def choices(project: Project, zone: str) -> list[ChoiceRecord]:
    with BakeStore.read_only(project.zone_build(zone) / "bake.sqlite") as store:
        return store.choices()


def approve_all(project: Project, zone: str) -> int:
    """Ada approves every chosen text of a zone."""
    waiting = [one for one in choices(project, zone) if one.voiced is not None and not one.decided]
    found = [Decision(Action.approve, one.npc_id, one.line_id, TellState(one.tell_state)) for one in waiting]
    with Workspace.open(project) as workspace:
        decide(workspace, zone, found, reviewer="Ada")
    return len(found)


@cache
def _reviewed_once() -> Path:
    root = Path(mkdtemp(prefix="voicebake-ship-")) / "project"
    project = bakeable_project(root)
    bake_all(project)
    for zone in (HUB, YARD):
        assert approve_all(project, zone)
    return root


@pytest.fixture
def reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The test project with every chosen text approved."""
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    return Project(Path(shutil.copytree(_reviewed_once(), tmp_path / "reviewed")).resolve())


# What ships


def test_approved_texts_ship_and_the_manifest_tells_who_read_them(reviewed: Project) -> None:
    done = shipped(reviewed)
    texts = {
        (one.npc_id, one.line_id, one.tell_state): one.voiced
        for zone in (HUB, YARD)
        for one in choices(reviewed, zone)
        if one.voiced is not None
    }
    with duckdb.connect(str(reviewed.voice_cache), read_only=True) as connection:
        rows = connection.execute("SELECT npc_id, line_id, tell_state, text FROM voiced_lines").fetchall()
    assert {tuple(row[:3]): row[3] for row in rows} == texts
    with VoiceCache(reviewed.voice_cache) as voices:
        manifest = voices.manifest
    total = str(len(texts))
    assert manifest["cache"] == "release"
    assert [manifest[f"review.{key}"] for key in ("approved", "edited", "unreviewed", "withheld")] == [
        total,
        "0",
        "0",
        "0",
    ]
    assert json.loads(manifest["review.reviewers"]) == {"Ada": len(texts)}
    assert (manifest["policy.test_hub"], manifest["withheld.test_hub"]) == ("All", "0")
    assert manifest["adapter.van_maanens_star"] == "none"
    assert all(len(manifest[key]) == 64 for key in ("prompts", "word_lists", "rules", "content_digest"))
    assert {"engine", "model.name", "model.sha256", "profile", "sampler", "voicebake"} <= manifest.keys()
    tiers = [int(manifest[f"coverage.{tier}"]) for tier in ("voiced", "fallback_neutral", "fallback_base")]
    assert sum(tiers) == sum(zone.variants for zone in done.release.zones)
    assert tiers[0] == len(texts)


def test_the_same_release_has_the_same_digest(reviewed: Project) -> None:
    first = shipped(reviewed).cache.content_digest
    reviewed.voice_cache.unlink()
    assert shipped(reviewed).cache.content_digest == first


def test_an_edit_ships_as_edited(reviewed: Project) -> None:
    with Workspace.open(reviewed) as workspace:
        text = "Eleven crates came in at Dock Nine last shift."
        edited = Decision(Action.edit, "imke_dorr", "crates", TellState.Neutral, text=text)
        decide(workspace, HUB, [edited], reviewer="Ben")
    (hub, _) = shipped(reviewed).release.zones
    assert (hub.edited, hub.reviewers["Ben"]) == (1, 1)
    with VoiceCache(reviewed.voice_cache) as voices:
        assert voices.line("imke_dorr", "crates") == (text, "neutral")


def test_pending_variants_ship_as_fallback_when_that_is_allowed(baked: Project) -> None:
    assert refusals(baked) == [(Reason.pending, HUB), (Reason.pending, YARD)]
    waiting = [one for one in choices(baked, HUB) if one.voiced is not None]
    one = next(one for one in waiting if one.tell_state == "Guarded")
    with Workspace.open(baked) as workspace:
        decide(workspace, HUB, [Decision(Action.approve, one.npc_id, one.line_id, TellState.Guarded)], "Ada")
    done = shipped(baked, allow_fallback=True)
    hub, yard = done.release.zones
    assert (hub.shipped, hub.approved, len(hub.withheld)) == (1, 1, len(waiting) - 1)
    assert (yard.shipped, len(yard.withheld)) == (0, len([one for one in choices(baked, YARD) if one.voiced]))
    with VoiceCache(baked.voice_cache) as voices:
        assert voices.manifest["withheld.test_hub"] == str(len(waiting) - 1)
        assert voices.line(one.npc_id, one.line_id, "Guarded", slots=_slots(one)) == (_filled(one), "tell")
        assert voices.template(one.npc_id, one.line_id, "Angry").source == "base"
        assert voices.tells("imke_dorr", "Guarded") == ("turns the order screen face down",)


def test_a_zone_whose_policy_is_flagged_ships_what_no_rule_flags(baked: Project) -> None:
    edit(baked.zones / "test_yard/zone.ron", "adjacent_zones", "review_policy: Flagged,\n    adjacent_zones")
    bake_all(baked)
    found = [one for one in choices(baked, YARD) if one.voiced is not None]
    flagged = [one for one in found if any(finding.severity == "review" for finding in one.findings)]
    _, yard = shipped(baked, allow_fallback=True).release.zones
    assert (yard.unreviewed, len(yard.withheld)) == (len(found) - len(flagged), len(flagged))
    assert yard.unreviewed


def test_a_hub_ships_nothing_undecided_whatever_its_files_say(reviewed: Project) -> None:
    """A zone's file that disagrees with what was decided: nothing gets past the merge."""
    path = zone_parquet_path(reviewed, HUB)
    import polars as pl

    state = zone_parquet_state(reviewed, HUB)
    assert state is not None
    frame = pl.read_parquet(path)
    some = frame.with_columns(
        pl.when((pl.col("record") == "voiced") & (pl.col("tell_state") == "Angry"))
        .then(pl.lit("generated"))
        .otherwise(pl.col("source"))
        .alias("source")
    )
    some.write_parquet(path, metadata={"voicebake.format": "2", "voicebake.zone_state": state})
    shipped(reviewed)
    with duckdb.connect(str(reviewed.voice_cache), read_only=True) as connection:
        states = connection.execute("SELECT DISTINCT tell_state FROM voiced_lines WHERE zone_id = ?", [HUB]).fetchall()
    assert states
    assert ("Angry",) not in states


# What does not ship


def _edited_line(project: Project) -> None:
    edit(project.zones / "test_hub/npcs/imke_dorr.ron", "What do you need?", "What do you want?")


def _edited_anchor(project: Project) -> None:
    edit(project.zones / "test_hub/npcs/imke_dorr.ron", "Counter closes at shift change.", "Counter closes.")


def _new_word(project: Project) -> None:
    edit(project.cultures / "van_maanens_star/culture.ron", 'words: ["sir", "ma\'am"]', 'words: ["sir", "madam"]')


def _no_store(project: Project) -> None:
    (project.zone_build(YARD) / "bake.sqlite").unlink()


def _no_parquet(project: Project) -> None:
    zone_parquet_path(project, YARD).unlink()


def _old_parquet(project: Project) -> None:
    from tests.cache.zones import YARD as ROWS

    write_zone_parquet(project, YARD, ROWS, state="another state")


def _asked_for_more(project: Project) -> None:
    with Workspace.open(project) as workspace:
        decide(workspace, HUB, [Decision(Action.regenerate, "imke_dorr", "crates", TellState.Angry)], "Ada")


def _leak(project: Project) -> None:
    old = "sorts pump seals into three trays"
    edit(project.zones / "test_hub/npcs/imke_dorr.ron", old, "sorts seals and drops the same seal twice")


def _bad_log(project: Project) -> None:
    with log_path(project, HUB).open("a") as file:
        file.write('{"action": "reject"}\n')


def _verdict_by_hand(project: Project) -> None:
    """A merge brought a rejection that the zone's choices know nothing of."""
    path = log_path(project, HUB)
    first = json.loads(path.read_text().splitlines()[0])
    del first["id"]  # an id is a hash of its entry; one without is given its own
    path.write_text(path.read_text() + json.dumps(first | {"action": "reject", "reviewer": "Ben"}) + "\n")


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    [
        (_edited_line, {(Reason.stale, HUB)}),
        (_edited_anchor, {(Reason.stale, HUB)}),
        (_new_word, {(Reason.stale, HUB), (Reason.stale, YARD)}),
        (_no_store, {(Reason.not_baked, YARD)}),
        (_no_parquet, {(Reason.not_baked, YARD)}),
        (_old_parquet, {(Reason.stale, YARD)}),
        (_asked_for_more, {(Reason.stale, HUB)}),
        (_leak, {(Reason.leak, HUB)}),
        (_bad_log, {(Reason.verdicts, None)}),
        (_verdict_by_hand, {(Reason.verdicts, None), (Reason.stale, HUB)}),
    ],
)
@pytest.mark.parametrize("allow_fallback", [False, True])
def test_what_is_wrong_is_refused_and_the_earlier_cache_stays(
    reviewed: Project, spoil: Callable[[Project], None], wanted: set[tuple[Reason, str | None]], allow_fallback: bool
) -> None:
    shipped(reviewed)
    spoil(reviewed)
    assert set(refusals(reviewed, allow_fallback=allow_fallback)) == wanted


def test_a_missed_canary_is_refused_with_its_own_exit_code(reviewed: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    missed = CanaryResult("shape", "an empty text", "", False)
    monkeypatch.setattr(RuleSet, "run_canaries", lambda _self: (missed,))
    assert refusals(reviewed) == [(Reason.canary, None)]
    with (
        Workspace.open(reviewed) as workspace,
        pytest.raises(ShipRefused, match="canary missed by rule shape") as refused,
    ):
        ship(workspace)
    assert refused.value.exit_code == 3


def test_all_reasons_are_told_at_once(baked: Project) -> None:
    _edited_line(baked)
    assert refusals(baked) == [(Reason.stale, HUB), (Reason.pending, YARD)]
    with Workspace.open(baked) as workspace, pytest.raises(ShipRefused) as refused:
        ship(workspace)
    assert refused.value.exit_code == 5
    assert "voicebake bake test_hub" in refused.value.message
    assert "voicebake review test_yard" in refused.value.message
    assert "jora_vant" in refused.value.message


def test_the_same_refusal_goes_when_it_is_mended(reviewed: Project) -> None:
    _edited_anchor(reviewed)
    assert refusals(reviewed)
    bake_all(reviewed)
    shipped(reviewed)
    with VoiceCache(reviewed.voice_cache) as voices:
        assert voices.line("imke_dorr", "sign", "Angry").text == "Counter closes."


def test_a_zone_that_is_being_baked_is_waited_for_or_told(reviewed: Project) -> None:
    with Workspace.open(reviewed) as workspace, zone_lock(reviewed, YARD, wait=False):
        workspace.wait = False
        with pytest.raises(ZoneBusy, match="test_yard"):
            ship(workspace)
    assert not reviewed.voice_cache.exists()


# The earlier cache survives


def _full_disk(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def _lost_file(*_: object, **__: object) -> None:
    raise duckdb.IOException("IO Error: Could not read enough bytes")


@pytest.mark.parametrize(
    ("place", "failure"),
    [
        ("pipeline.replacing.os.replace", _full_disk),
        ("pipeline.replacing.os.fsync", _full_disk),
        ("pipeline.cache.merge._fill_tables", _lost_file),
        ("pipeline.cache.summary.content_digest", _lost_file),
        ("pipeline.cache.merge._write_manifest", _full_disk),
    ],
)
def test_the_earlier_cache_survives_a_failure(
    reviewed: Project, monkeypatch: pytest.MonkeyPatch, place: str, failure: Callable[..., None]
) -> None:
    shipped(reviewed)
    before = reviewed.voice_cache.read_bytes()
    monkeypatch.setattr(place, failure)
    with pytest.raises(UserError) as error:
        shipped(reviewed)
    assert "untouched" in str(error.value.hint)
    assert reviewed.voice_cache.read_bytes() == before
    assert _left_behind(reviewed) == []
    monkeypatch.undo()
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    shipped(reviewed)


_KILLED = """
import os, signal, sys
from pathlib import Path
from pipeline.bake import Workspace, ship
from pipeline.project import Project
import pipeline.cache.merge as merge, pipeline.cache.summary as summary, pipeline.replacing as replacing
module, name = sys.argv[2].rsplit(".", 1)
target = {"merge": merge, "summary": summary, "os": replacing.os}[module]
def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(target, name, killed)
with Workspace.open(Project(Path(sys.argv[1]))) as workspace:
    ship(workspace)
"""


@pytest.mark.parametrize(
    "moment", ["merge._fill_tables", "summary.content_digest", "merge._write_manifest", "os.replace"]
)
def test_the_earlier_cache_survives_a_kill(reviewed: Project, moment: str) -> None:
    shipped(reviewed)
    before = reviewed.voice_cache.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(reviewed.root), moment], env=os.environ, capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert reviewed.voice_cache.read_bytes() == before
    with VoiceCache(reviewed.voice_cache) as voices:
        assert voices.preload()
    again = shipped(reviewed)
    with VoiceCache(reviewed.voice_cache) as voices:
        assert voices.manifest["content_digest"] == again.cache.content_digest
    assert _left_behind(reviewed) == []


def _left_behind(project: Project) -> list[str]:
    return [path.name for path in project.build.iterdir() if path.name.startswith(".")]


def _slots(record: ChoiceRecord) -> dict[str, str]:
    return {"price": "nine"} if "{price}" in (record.voiced or "") else {}


def _filled(record: ChoiceRecord) -> str:
    return (record.voiced or "").replace("{price}", "nine")
