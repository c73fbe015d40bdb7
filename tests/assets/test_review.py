"""The job `review`: a form's verdicts, a queue that shrinks, a green run with a warning; and the sensor."""

from __future__ import annotations

import json
import sys
from typing import Any

import dagster as dg
import pytest
import yaml

from assets.launchpad import form_yaml
from pipeline.cache import VoiceCache
from pipeline.project import Project
from pipeline.review import log_path, queue_digest, queue_path, read_log, read_queue
from pipeline.review.form import Bulk, Choice, Form, View, unflagged, waiting
from pipeline.review.forms import approve_line, approve_unflagged, one_text, show

ZONE = "test_hub"


@pytest.fixture
def defs(baked: Project, monkeypatch: pytest.MonkeyPatch) -> dg.Definitions:
    """The definitions for a baked project: partitions are read from disk at import."""
    monkeypatch.setenv("VOICEBAKE_PROJECT", str(baked.root))
    for name in [name for name in sys.modules if name == "assets" or name.startswith("assets.")]:
        monkeypatch.delitem(sys.modules, name)
    import assets.definitions

    return assets.definitions.defs


def launch(defs: dg.Definitions, form: Form, instance: dg.DagsterInstance | None = None) -> dg.ExecuteInProcessResult:
    """A run of `review` with the config that the link of `form` opens."""
    config = yaml.safe_load(form_yaml(form))
    if config["ops"]["verdicts"]["config"] is None:
        config = {}
    return defs.resolve_job_def("review").execute_in_process(
        run_config=config, partition_key=ZONE, raise_on_error=False, instance=instance
    )


def metadata(result: dg.ExecuteInProcessResult, asset: str) -> dict[str, Any]:
    """What an asset of the run shows."""
    [made] = [one for one in result.asset_materializations_for_node(asset) if one.asset_key == dg.AssetKey(asset)]
    return {key: value.value for key, value in made.metadata.items()}


def test_a_partial_review_is_green_with_a_warning(defs: dg.Definitions, baked: Project) -> None:
    first, *rest = read_queue(baked, ZONE)
    texts = sum(len(waiting(row)) for row in rest)
    result = launch(defs, approve_line(first))
    assert result.success
    assert [one.action.value for one in read_log(baked, ZONE).verdicts] == ["approve"] * len(waiting(first))

    shown = metadata(result, "review_queue")
    assert f"**{len(rest)} lines** with **{texts} texts** wait for you" in shown["start here"]
    assert (shown["lines waiting"], shown["texts waiting"]) == (len(rest), texts)
    assert shown["approved"] == len(waiting(first))
    assert shown["PlotCritical: decided share"] == pytest.approx(len(waiting(first)) / 36, abs=0.001)
    assert shown["voiced"] + shown["fall back to Neutral"] + shown["fall back to base text"] == 54
    assert sum(shown[key] for key in shown if key.startswith("waiting: ")) > 0
    assert metadata(result, "verdicts")["verdicts written"] == len(waiting(first))

    checks = {check.check_name: check for check in result.get_asset_check_evaluations()}
    assert not checks["all_reviewed"].passed
    assert checks["all_reviewed"].severity is dg.AssetCheckSeverity.WARN
    assert checks["logs_agree"].passed
    with VoiceCache(baked.draft_cache) as cache:
        assert cache.npcs()


def test_when_all_is_decided_the_check_passes(defs: dg.Definitions, baked: Project) -> None:
    count = sum(len(texts) for _, texts in unflagged(read_queue(baked, ZONE), 600))
    assert launch(defs, approve_unflagged(Bulk(count, queue_digest(baked, ZONE)))).success
    left = Form("", tuple(entry for row in read_queue(baked, ZONE) for entry in approve_line(row).entries))
    result = launch(defs, left)
    checks = {check.check_name: check for check in result.get_asset_check_evaluations()}
    assert checks["all_reviewed"].passed
    assert "Nothing waits" in metadata(result, "review_queue")["start here"]
    assert read_queue(baked, ZONE) == []


def test_what_cannot_be_taken_fails_the_run_with_its_message(defs: dg.Definitions, baked: Project) -> None:
    row = read_queue(baked, ZONE)[0]
    result = launch(defs, one_text(row, dict(waiting(row)[0], voiced_hash="0" * 64), Choice.approve))
    assert not result.success
    [failure] = [event for event in result.all_events if event.is_step_failure]
    assert "the text has changed since you saw it" in failure.step_failure_data.user_failure_data.description
    assert not log_path(baked, ZONE).exists()


def test_a_view_shows_other_lines(defs: dg.Definitions, baked: Project) -> None:
    result = launch(defs, show(View(npc="tam_orley")))
    assert result.success
    assert "of tam\\_orley" in metadata(result, "review_queue")["start here"]


def test_contradictions_are_a_warning(defs: dg.Definitions, baked: Project) -> None:
    row = read_queue(baked, ZONE)[0]
    assert launch(defs, approve_line(row)).success
    log = log_path(baked, ZONE)
    log.write_text(log.read_text(encoding="utf-8") + "<<<<<<< ours\n", encoding="utf-8")
    result = launch(defs, Form(""))
    checks = {check.check_name: check for check in result.get_asset_check_evaluations()}
    assert result.success
    assert not checks["logs_agree"].passed
    assert checks["logs_agree"].severity is dg.AssetCheckSeverity.WARN


def _look(defs: dg.Definitions, instance: dg.DagsterInstance, cursor: str | None) -> dg.SensorResult:
    context = dg.build_sensor_context(instance=instance, cursor=cursor, definitions=defs)
    found = defs.resolve_sensor_def("edited_files")(context)
    assert isinstance(found, dg.SensorResult)
    return found


def _asked(result: dg.SensorResult) -> list[str | None]:
    return [request.partition_key for request in result.run_requests or []]


def test_the_sensor_asks_for_what_was_edited_by_hand_once_it_settles(defs: dg.Definitions, baked: Project) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        first = _look(defs, instance, None)
        assert _asked(first) == [], "a file may still be being written"
        second = _look(defs, instance, first.cursor)
        assert _asked(second) == ["test_hub", "test_yard"], "neither has cards yet"
        assert launch(defs, Form(""), instance).success
        third = _look(defs, instance, second.cursor)
        fourth = _look(defs, instance, third.cursor)
        assert _asked(fourth) == ["test_yard"], "the hub's cards are what its files say"

        with log_path(baked, ZONE).open("a", encoding="utf-8") as log:
            log.write("\n")
        fifth = _look(defs, instance, fourth.cursor)
        assert _asked(fifth) == ["test_yard"]
        sixth = _look(defs, instance, fifth.cursor)
        assert _asked(sixth) == ["test_hub", "test_yard"]
        keys = {request.run_key for one in (second, sixth) for request in one.run_requests or []}
        assert len(keys) == 3, "the same state is asked for once"


def test_the_sensor_leaves_zones_alone_that_were_never_baked(defs: dg.Definitions, baked: Project) -> None:
    queue_path(baked, "test_yard").unlink()
    with dg.DagsterInstance.ephemeral() as instance:
        first = _look(defs, instance, None)
        assert list(json.loads(first.cursor or "")) == ["test_hub"]
        assert _asked(_look(defs, instance, first.cursor)) == ["test_hub"]


def test_the_sensor_leaves_zones_alone_that_a_run_works_on(defs: dg.Definitions, baked: Project) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        first = _look(defs, instance, None)
        instance.create_run_for_job(
            defs.resolve_job_def("review"), tags={"dagster/partition": ZONE}, status=dg.DagsterRunStatus.STARTED
        )
        assert _asked(_look(defs, instance, first.cursor)) == ["test_yard"]
