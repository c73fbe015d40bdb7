"""The Dagster side: it loads cheaply, bakes a zone, fails with the message that a user can act on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from pipeline.bake import Workspace
from pipeline.cache import VoiceCache
from pipeline.project import Project
from pipeline.review import queue_path
from pipeline.validation.ruleset import rule_docs
from tests.project_fixture import edit

REPOSITORY = Path(__file__).parent.parent.parent
HEAVY = ["llama_cpp", "torch", "polars", "lemminflect", "duckdb", "numpy"]


@pytest.fixture
def defs(project: Project, monkeypatch: pytest.MonkeyPatch) -> dg.Definitions:
    return load_definitions(project, monkeypatch)


def load_definitions(project: Project, monkeypatch: pytest.MonkeyPatch) -> dg.Definitions:
    """The definitions as they are for a project: partitions are read from disk at import."""
    monkeypatch.setenv("VOICEBAKE_PROJECT", str(project.root))
    for name in [name for name in sys.modules if name == "assets" or name.startswith("assets.")]:
        monkeypatch.delitem(sys.modules, name)
    import assets.definitions

    return assets.definitions.defs


def _run(defs: dg.Definitions, job: str, partition: str | None = None) -> dg.ExecuteInProcessResult:
    return defs.resolve_job_def(job).execute_in_process(partition_key=partition, raise_on_error=False)


def test_definitions_load_with_a_partition_per_zone_folder(defs: dg.Definitions) -> None:
    dg.Definitions.validate_loadable(defs)
    job = defs.resolve_job_def("bake")
    assert job.partitions_def is not None
    assert job.partitions_def.get_partition_keys() == ["test_hub", "test_yard"]
    for spec in defs.resolve_all_asset_specs():
        assert spec.description
        assert "ne row per" in spec.description or spec.description.startswith(("One zone", "One LoRA adapter"))


def test_loading_definitions_imports_nothing_heavy_and_reads_no_ron(project: Project) -> None:
    (project.zones / "test_hub" / "zone.ron").write_text("Zone(", encoding="utf-8")
    code = "import sys, assets.definitions; print([m for m in sys.argv[1:] if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code, *HEAVY],
        cwd=REPOSITORY,
        env=os.environ | {"VOICEBAKE_PROJECT": str(project.root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_the_bake_job_bakes_one_zone_and_the_draft_job_merges(defs: dg.Definitions, project: Project) -> None:
    result = _run(defs, "bake", "test_hub")
    assert result.success
    made = {event.asset_key.to_user_string(): event.step_materialization_data for event in _materialized(result)}
    assert list(made) == ["zone_content", "prompt_jobs", "candidates", "findings", "voiced_lines", "review_queue"]
    voiced = made["voiced_lines"].materialization.metadata
    assert voiced["variants"].value == 54
    assert voiced["voiced"].value + voiced["fallback_neutral"].value + voiced["fallback_base"].value == 54
    assert made["candidates"].materialization.metadata["candidates_generated"].value >= 9 * 6 * 4
    assert queue_path(project, "test_hub").is_file()
    assert not queue_path(project, "test_yard").exists()
    assert not project.draft_cache.exists()

    drafted = _run(defs, "draft")
    assert drafted.success
    shown = {event.asset_key.to_user_string(): event.step_materialization_data for event in _materialized(drafted)}
    assert project.report.is_file()
    assert shown["bake_report"].materialization.metadata["report"].value == project.report.as_uri()
    with VoiceCache(project.draft_cache) as cache, Workspace.open(project) as workspace:
        assert cache.npcs() == [npc.id for npc in workspace.content.zones["test_hub"].npcs]

    again = _run(defs, "bake", "test_hub")
    made = {event.asset_key.to_user_string(): event.step_materialization_data for event in _materialized(again)}
    assert made["candidates"].materialization.metadata["candidates_generated"].value == 0


def test_every_rule_has_a_check_with_its_own_explanation(defs: dg.Definitions) -> None:
    result = _run(defs, "bake", "test_hub")
    checks = {
        check.check_name: check
        for check in result.get_asset_check_evaluations()
        if check.asset_key == dg.AssetKey("findings")
    }
    assert set(checks) == {rule.replace("-", "_") for rule in rule_docs()}
    for check in checks.values():
        assert check.metadata["chosen_blocked"].value == 0
        assert check.passed == (check.metadata["chosen_to_review"].value == 0)
        assert check.severity is dg.AssetCheckSeverity.WARN
    described = {spec.name: spec.description for key in [dg.AssetKey("findings")] for spec in _specs(defs, key)}
    assert described["shape"] == rule_docs()["shape"].text


def test_a_leak_fails_the_run_with_its_message(defs: dg.Definitions, project: Project) -> None:
    edit(
        project.zones / "test_hub/npcs/imke_dorr.ron",
        "sorts pump seals into three trays",
        "sorts seals and drops the same seal twice",
    )
    result = _run(defs, "bake", "test_hub")
    assert not result.success
    failures = [event for event in result.all_events if event.is_step_failure]
    assert [event.step_key for event in failures] == ["prompt_jobs"]
    assert "drops the same seal twice" in failures[0].step_failure_data.user_failure_data.description
    assert not queue_path(project, "test_hub").exists()


def test_content_shows_as_text(defs: dg.Definitions) -> None:
    from assets.presentation import markdown_table
    from pipeline.escaping import markdown_escaped

    nasty = "a | b <img src=x> [link](http://x) `code` *bold* #1\nnext"
    assert "\n" not in markdown_escaped(nasty)
    for mark in "|<>[]()`*#":
        assert markdown_escaped(nasty).replace("\\" + mark, "").count(mark) == 0
    assert len(markdown_table(("one", "two"), [(nasty, nasty)]).value.splitlines()) == 3


def test_dg_checks_the_definitions(tmp_path: Path) -> None:
    dg_command = Path(sys.executable).with_name("dg")
    done = subprocess.run(
        [str(dg_command), "check", "defs"],
        cwd=REPOSITORY,
        env=os.environ | {"DAGSTER_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _materialized(result: dg.ExecuteInProcessResult) -> list[dg.DagsterEvent]:
    return [event for event in result.all_events if event.is_step_materialization]


def _specs(defs: dg.Definitions, key: dg.AssetKey) -> list[dg.AssetCheckSpec]:
    graph = defs.resolve_asset_graph()
    return [graph.get_check_spec(check) for check in graph.asset_check_keys if check.asset_key == key]
