from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.content.voice_bank import load_bank
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.training import AdapterState, TrainingRecord, adapter_state, read_record, record_path
from pipeline.training.record import TrainingSettings
from tests.bank_factory import bank_text, write_bank
from tests.content_factory import write_project

CULTURE = "van_maanens_star"
REPOSITORY = Project(Path(__file__).parents[2])


def record(bank_sha256: str) -> TrainingRecord:
    return TrainingRecord(
        culture=CULTURE,
        bank_sha256=bank_sha256,
        base_model_sha256="b",
        adapter_sha256="a",
        settings=TrainingSettings(),
        lines=1,
        held_out_lines=0,
        left_out=0,
        loss_before={"all": 2.0},
        loss_after={"all": 1.0},
    )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = write_project(tmp_path)
    write_bank(project, bank_text([("dialogue", "The pump is broken.")]))
    return project


def state(project: Project, adapter: str | None = "voice.gguf") -> AdapterState:
    culture = load_content(project).cultures[CULTURE].model_copy(update={"adapter": adapter})
    return adapter_state(project, culture)


def test_a_record_reads_back_as_written(project: Project) -> None:
    written = record("x")
    written.write(project)
    assert read_record(project, CULTURE) == written


def test_an_adapter_is_older_once_its_bank_has_changed(project: Project) -> None:
    loaded = load_bank(project, CULTURE)
    assert loaded is not None
    assert state(project, adapter=None) is AdapterState.none
    assert state(project) is AdapterState.unknown
    record(loaded.digest).write(project)
    assert state(project) is AdapterState.current
    write_bank(project, bank_text([("dialogue", "The pump is repaired.")]))
    assert state(project) is AdapterState.older


def test_a_damaged_record_is_named(project: Project) -> None:
    record_path(project, CULTURE).write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"voice\.json"):
        read_record(project, CULTURE)


@pytest.mark.parametrize("culture", ["van_maanens_star", "sovari"])
def test_the_adapters_of_this_project_were_trained_on_their_banks(culture: str) -> None:
    """A bank may have grown since; that is a warning for people, no fault."""
    known = adapter_state(REPOSITORY, load_content(REPOSITORY).cultures[culture])
    assert known in (AdapterState.current, AdapterState.older)
    kept = read_record(REPOSITORY, culture)
    assert kept is not None
    assert kept.loss_after["all"] < kept.loss_before["all"]
