"""The Dagster job `ship`: a check bars the way, and the step itself refuses too."""

from __future__ import annotations

import dagster as dg
import pytest

from pipeline.cache import VoiceCache
from pipeline.project import Project
from tests.assets.test_definitions import load_definitions


@pytest.fixture
def defs(baked: Project, monkeypatch: pytest.MonkeyPatch) -> dg.Definitions:
    return load_definitions(baked, monkeypatch)


def test_what_waits_bars_the_way(defs: dg.Definitions, baked: Project) -> None:
    result = defs.resolve_job_def("ship").execute_in_process(raise_on_error=False)
    assert not result.success
    (check,) = result.get_asset_check_evaluations()
    assert (check.check_name, check.passed, check.severity) == ("policy_met", False, dg.AssetCheckSeverity.ERROR)
    assert "variants wait for a person" in check.metadata["refusals"].value.replace("\\", "")
    assert [event.step_key for event in result.all_events if event.is_step_success] == []
    assert not baked.voice_cache.exists()


def test_a_run_that_skips_the_check_is_refused_by_the_step(defs: dg.Definitions, baked: Project) -> None:
    job = defs.resolve_job_def("ship")
    result = job.execute_in_process(asset_selection=[dg.AssetKey("voice_cache")], raise_on_error=False)
    assert not result.success
    (failure,) = [event for event in result.all_events if event.is_step_failure]
    assert failure.step_key == "voice_cache"
    assert "variants wait for a person" in failure.step_failure_data.user_failure_data.description
    assert not baked.voice_cache.exists()


def test_the_job_ships_what_may(defs: dg.Definitions, baked: Project) -> None:
    job = defs.resolve_job_def("ship")
    result = job.execute_in_process(run_config={"allow_fallback": True}, raise_on_error=False)
    assert result.success
    (check,) = result.get_asset_check_evaluations()
    assert check.passed
    shipped = result.asset_materializations_for_node("voice_cache")[0].metadata
    assert shipped["voiced_lines"].value == 0
    assert shipped["pending_as_fallback"].value > 0
    with VoiceCache(baked.voice_cache) as voices:
        assert voices.manifest["content_digest"] == shipped["content_digest"].value
