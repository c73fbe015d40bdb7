"""Retraining voids nobody's work: approved texts stay, and the new adapter's candidates are offered. Needs torch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.bake import Workspace, decide
from pipeline.bake.bank import bank_from_review
from pipeline.content import load_content
from pipeline.content.terms import TellState
from pipeline.content.voice_bank import load_bank
from pipeline.generation.fake_engine import FakeEngine
from pipeline.generation.models import find_model
from pipeline.project import Project
from pipeline.review import Action, Decision, read_queue
from pipeline.store import BakeStore, ChoiceRecord
from tests.bank_factory import bank_text, write_bank
from tests.generation.gguf_files import write_model
from tests.project_fixture import bake_all, edit
from tests.training.conftest import BASES, CULTURE
from tests.training.test_train import Quiet

pytestmark = pytest.mark.train

HUB, NPC, LINE = "test_hub", "imke_dorr", "crates"


def train(project: Project) -> str:
    """Trains the culture's adapter on a tiny model that passes for the fake engine's; gives its hash."""
    from pipeline.training.record import TrainingSettings
    from pipeline.training.train import train_culture

    content, bank = load_content(project), load_bank(project, CULTURE)
    assert bank is not None
    tiny = find_model(project, "build/tiny.gguf", allow_other=True)
    model = replace(tiny, sha256=FakeEngine().identity.model_sha256)
    settings = TrainingSettings(rank=2, alpha=4, epochs=1, lines_per_step=4, learning_rate=1e-2)
    trained = train_culture(project, content, content.cultures[CULTURE], bank, model, settings, Quiet(), threads=1)
    return trained.record.adapter_sha256


def choices(project: Project) -> dict[tuple[str, str, str], ChoiceRecord]:
    with BakeStore.read_only(project.zone_build(HUB) / "bake.sqlite") as store:
        return {(one.npc_id, one.line_id, one.tell_state): one for one in store.choices()}


def test_approved_texts_stay_and_the_new_adapter_offers_others(project: Project) -> None:
    write_model(project.build / "tiny.gguf")
    write_bank(project, bank_text([("dialogue", base) for base in BASES]))
    first = train(project)
    edit(
        project.cultures / CULTURE / "culture.ron",
        'name: "Van Maanen\'s Star",',
        'name: "Van Maanen\'s Star",\n    adapter: "voice.gguf",',
    )
    bake_all(project)
    before = choices(project)
    voiced = [TellState(state) for npc, line, state in before if (npc, line) == (NPC, LINE)]
    approvals = [Decision(Action.approve, NPC, LINE, state) for state in voiced if before[NPC, LINE, state].voiced]
    with Workspace.open(project) as workspace:
        decide(workspace, HUB, approvals, "Ada")
        [harvest] = bank_from_review(workspace, HUB)
    assert harvest.added == 1

    assert train(project) != first
    bake_all(project)
    after = choices(project)
    assert {key: one.fingerprint for key, one in after.items()}.keys() == before.keys()
    assert all(after[key].fingerprint != before[key].fingerprint for key in before)
    settled = {key: one.voiced for key, one in before.items() if key[:2] == (NPC, LINE)}
    assert {key: after[key].voiced for key in settled} == settled
    assert {after[key].source for key in settled} == {"approved"}
    moved = [key for key in before if key not in settled and after[key].voiced != before[key].voiced]
    assert moved  # what nobody decided on follows the new adapter
    offered = [row for row in read_queue(project, HUB) if any(one["offer"] for one in row["variants"])]
    assert [(row["npc"]["id"], row["line_id"], row["pending"]) for row in offered] == [(NPC, LINE, 0)]
