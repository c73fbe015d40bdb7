"""A spike with the fake engine: repeatable, resumable, and beside all zones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.bake import Silent, Workspace
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.settings import ModelSettings, SamplingSettings, Settings
from pipeline.spike.evaluation import load_evaluation
from pipeline.spike.result import Result
from pipeline.spike.result_files import find_result, read_result, write_result
from pipeline.spike.run import Wanted, run_spike
from pipeline.spike.voicing import Stopped
from tests.project_fixture import edit

LINES = 8


def spike(project: Project, *, settings: Settings | None = None, lines: int = LINES, **wanted: object) -> Result:
    with Workspace.open(project, settings) as workspace:
        asked = Wanted(load_evaluation(project), lines=lines, **wanted)  # type: ignore[arg-type]
        return run_spike(workspace, asked, Silent())


def test_every_line_has_every_state_and_the_same_run_the_same_hash(spike_project: Project) -> None:
    first = spike(spike_project)
    assert len(first.content.lines) == LINES
    assert {len(line.variants) for line in first.content.lines} == {6}
    assert any(one.text for line in first.content.lines for one in line.variants)
    (spike_project.build / "spike" / "bake.sqlite").unlink()
    again = spike(spike_project, settings=Settings(model=ModelSettings(threads=1)))
    assert again.content_hash == first.content_hash
    assert again.run.threads == 1


def test_it_touches_no_zone_and_no_cache(spike_project: Project) -> None:
    spike(spike_project)
    assert not (spike_project.build / "zones").exists()
    assert not spike_project.draft_cache.exists()


def test_a_stopped_run_goes_on_and_generates_nothing_twice(
    spike_project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = spike(spike_project)
    (spike_project.build / "spike" / "bake.sqlite").unlink()
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 3

    with Workspace.open(spike_project) as workspace, pytest.raises(Stopped):
        run_spike(workspace, Wanted(load_evaluation(spike_project), lines=LINES), Silent(), stop)
    assert spike(spike_project).content_hash == whole.content_hash
    monkeypatch.setenv("VOICEBAKE_FAKE_FAIL_AFTER", "0")
    assert spike(spike_project).content_hash == whole.content_hash


def test_ablations_are_run_where_they_apply_and_explained_where_not(spike_project: Project) -> None:
    made = spike(spike_project, ablate=("injector", "guards", "tells", "adapter"), ablate_lines=3)
    assert [arm.arm for arm in made.content.arms] == ["whole", "injector", "guards", "tells"]
    assert [len(arm.lines) for arm in made.content.arms] == [LINES, 3, 3, 3]
    whole = {line.id: line.fingerprint for line in made.content.lines}
    for arm in made.content.arms[1:]:
        assert all(line.fingerprint != whole[line.id] for line in arm.lines), arm.arm
    remarks = {row.arm: (row.applies, row.why) for row in made.content.ablations}
    assert remarks["adapter"] == (False, "no adapter of the culture is in use")
    assert remarks["guards"] == (True, "")
    assert {row.why for row in spike(spike_project).content.ablations if row.applies} == {
        "not run: --ablate injector",
        "not run: --ablate guards",
        "not run: --ablate tells",
    }


def test_the_authority_s_word_is_the_culture_s(spike_project: Project) -> None:
    quick = Settings(sampling=SamplingSettings(candidates=1, rounds=1))
    about = [line for line in spike(spike_project, settings=quick, lines=60).content.lines if line.authority]
    assert {line.authority for line in about} == {"Commission", "shift lead"}
    for line in about:
        assert line.authority
        assert line.authority in line.base
        assert "[" not in line.base


@pytest.mark.parametrize(
    ("file", "old", "new", "input_name"),
    [
        ("cultures/van_maanens_star/culture.ron", "Direct and short.", "Short and direct.", "prompts"),
        ("prompts/vocabulary/politics.ron", 'term: "government"', 'term: "regime"', "rules"),
    ],
)
def test_a_change_of_prompts_or_words_is_seen_in_the_inputs(
    spike_project: Project, file: str, old: str, new: str, input_name: str
) -> None:
    before = spike(spike_project, lines=2)
    path = spike_project.root / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    after = spike(spike_project, lines=2)
    assert before.content_hash != after.content_hash
    changed = {
        name
        for name, value in after.content.inputs.model_dump().items()
        if value != before.content.inputs.model_dump()[name]
    }
    assert changed == {input_name}


def test_a_base_text_that_repeats_a_tell_is_refused(spike_project: Project) -> None:
    edit(spike_project.root / "evaluation/v1/lines.ron", "opens the drain valve a quarter turn and listens",
         "drops the same seal twice")  # fmt: skip
    with pytest.raises(UserError, match="drops the same seal twice"):
        spike(spike_project, lines=2)


def test_an_unknown_culture_is_told(spike_project: Project) -> None:
    with pytest.raises(UserError, match="There is no culture 'sovary'"):
        spike(spike_project, culture="sovary")


def test_a_result_is_found_by_its_hash_and_a_changed_one_refused(spike_project: Project) -> None:
    made = spike(spike_project, lines=2)
    path = write_result(spike_project, made)
    assert path.name == f"{made.content_hash}.json"
    assert find_result(spike_project, made.short) == made
    assert find_result(spike_project, str(path)) == made
    with pytest.raises(UserError, match=f"{made.short}"):
        find_result(spike_project, "0000")
    _replace(path, made.content.lines[0].base, "something else")
    with pytest.raises(UserError, match="not the one that its hash was made of"):
        read_result(path)
    path.write_text("{}", "utf-8")
    with pytest.raises(UserError, match="no result of a spike"):
        read_result(path)


def test_times_are_no_part_of_the_hash(spike_project: Project) -> None:
    path = write_result(spike_project, spike(spike_project, lines=2))
    data = json.loads(path.read_text("utf-8"))
    data["run"] |= {"seconds": 12345.6, "written_at": "2031-01-01T00:00:00+00:00"}
    path.write_text(json.dumps(data), "utf-8")
    assert read_result(path).run.seconds == 12345.6


def _replace(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
