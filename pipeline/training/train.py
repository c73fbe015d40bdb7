"""Trains a culture's adapter: from bank to `voice.gguf` and its record, resumable at every checkpoint."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch

from pipeline.content.models import Content, Culture
from pipeline.content.voice_bank import BankLine, LoadedBank
from pipeline.generation.file_hashes import part_of
from pipeline.generation.models import ModelFile
from pipeline.generation.pruned_model import pruned_model
from pipeline.generation.tokeniser import Tokeniser
from pipeline.project import Project
from pipeline.prompting import load_profile
from pipeline.training.adapter_file import write_adapter
from pipeline.training.examples import ExampleMaker, Tree
from pipeline.training.lora import Learner
from pipeline.training.packing import pack
from pipeline.training.record import TrainingRecord, TrainingSettings

ADAPTER_FILE = "voice.gguf"
_CHECKPOINT_SECONDS = 60.0


class TrainingProgress(Protocol):
    """Told what training does."""

    def message(self, text: str) -> None: ...

    def step_done(self, step: int, steps: int, loss: float, seconds: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Trained:
    """What came out of a training."""

    adapter: Path
    record: TrainingRecord


def train_culture(
    project: Project,
    content: Content,
    culture: Culture,
    loaded: LoadedBank,
    model: ModelFile,
    settings: TrainingSettings,
    progress: TrainingProgress,
    *,
    threads: int,
) -> Trained:
    """Trains on the lines that are not held out and measures on those that are. Goes on from a checkpoint of the same
    bank, model and settings; writes `cultures/<culture>/voice.gguf` and `voice.json`.
    """
    torch.set_num_threads(threads)
    tokeniser = Tokeniser(model)
    learner = Learner(model.path, settings, answerable(project, model, tokeniser, progress))
    folder = project.prompts / "profiles"
    maker = ExampleMaker(
        content,
        culture,
        loaded.bank,
        load_profile(folder, "adapter"),
        load_profile(folder, "reverse"),
        tokeniser.vocabulary,
    )
    run = _Run(project, culture, loaded, model, settings, learner, maker, progress)
    before = run.measure()
    run.train()
    after = run.measure()
    tokeniser.close()
    return run.finish(before, after)


def answerable(project: Project, model: ModelFile, tokeniser: Tokeniser, progress: TrainingProgress) -> Sequence[int]:
    """The vocabulary's entries that a bake can write with this model."""
    if not model.prunable:
        return range(tokeniser.vocabulary.size)
    return sorted(pruned_model(model.path, model.sha256, project.build / "models", progress.message).numbers)


@dataclass(slots=True)
class _Run:
    project: Project
    culture: Culture
    loaded: LoadedBank
    model: ModelFile
    settings: TrainingSettings
    learner: Learner
    maker: ExampleMaker
    progress: TrainingProgress

    def train(self) -> None:
        """All steps, from the last checkpoint on."""
        lines = self._lines(held_out=False)
        batches = [batch for epoch in range(self.settings.epochs) for batch in self._epoch(lines, epoch)]
        optimizer = torch.optim.AdamW(self.learner.weights, lr=self.settings.learning_rate, weight_decay=0.0)
        done = self._resume(optimizer)
        saved = time.monotonic()
        try:
            for epoch, chosen in batches[done:]:
                began = time.monotonic()
                for group in optimizer.param_groups:
                    group["lr"] = self.settings.learning_rate * rate_factor(done / len(batches), self.settings.warmup)
                rows = [trees for line in chosen if (trees := self._trees(line, epoch))]
                loss = self.learner.learn(pack(rows), optimizer)
                done += 1
                self.progress.step_done(done, len(batches), loss, time.monotonic() - began)
                if time.monotonic() - saved > _CHECKPOINT_SECONDS:
                    self._save(done, optimizer)
                    saved = time.monotonic()
        finally:
            self._save(done, optimizer)  # after Ctrl-C too

    def measure(self) -> dict[str, float]:
        """Mean loss per answer token on held-out lines, by branch name and over all but the ways back (`all`)."""
        sums: dict[str, list[float]] = {}
        with torch.no_grad():
            for line in self._lines(held_out=True):
                trees = self._trees(line, 0, reverse_states=2)
                if not trees:
                    continue
                batch = pack([trees])
                for name, loss in zip(batch.names, self.learner.losses(batch).tolist(), strict=True):
                    sums.setdefault(name, []).append(loss)
        forward = [loss for name, losses in sums.items() if name != "reverse" for loss in losses]
        means = {name: sum(losses) / len(losses) for name, losses in sorted(sums.items())}
        return {name: round(value, 4) for name, value in (means | {"all": sum(forward) / len(forward)}).items()}

    def finish(self, before: Mapping[str, float], after: Mapping[str, float]) -> Trained:
        """Writes adapter and record, and drops the checkpoint."""
        path = self.project.cultures / self.culture.id / ADAPTER_FILE
        write_adapter(
            path,
            self.learner.arrays(),
            layers=self.learner.layers,
            settings=self.settings,
            culture=self.culture.name,
            base_name=self.model.provenance.name,
            base_sha256=self.model.sha256,
        )
        record = TrainingRecord(
            culture=self.culture.id,
            bank_sha256=self.loaded.digest,
            base_model_sha256=self.model.sha256,
            adapter_sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
            settings=self.settings,
            lines=len(self._lines(held_out=False)),
            held_out_lines=len(self._lines(held_out=True)),
            left_out=len(self.maker.left_out),
            loss_before=dict(before),
            loss_after=dict(after),
        )
        record.write(self.project)
        self._checkpoint.unlink(missing_ok=True)
        return Trained(path, record)

    def _lines(self, *, held_out: bool) -> list[BankLine]:
        return [line for line in self.loaded.bank.lines if line.held_out is held_out]

    def _epoch(self, lines: Sequence[BankLine], epoch: int) -> Iterator[tuple[int, list[BankLine]]]:
        """The batches of an epoch, in an order that only bank and seed decide."""
        key = f"{self.settings.seed}:{epoch}:"
        order = sorted(lines, key=lambda line: hashlib.sha256(f"{key}{line.kind}{line.base}".encode()).digest())
        size = self.settings.lines_per_step
        for start in range(0, len(order), size):
            yield epoch, order[start : start + size]

    def _trees(self, line: BankLine, epoch: int, reverse_states: int | None = None) -> list[Tree]:
        wanted = self.settings.reverse_states if reverse_states is None else reverse_states
        trees = []
        for tree in self.maker.trees(line, epoch, wanted):
            known = tuple(branch for branch in tree.branches if self.learner.knows(branch.answer))
            if len(known) < len(tree.branches):
                self.maker.left_out.update((line.base, b.name) for b in tree.branches if b not in known)
            if known:
                trees.append(Tree(tree.trunk, known))
        return trees

    @property
    def _checkpoint(self) -> Path:
        """Where the state of this very training is kept."""
        identity = {
            "bank": self.loaded.digest,
            "culture": self.culture.model_dump(mode="json"),
            "model": self.model.sha256,
            "settings": self.settings.model_dump(),
        }
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        return self.project.build / "training" / self.culture.id / f"{digest[:16]}.pt"

    def _save(self, step: int, optimizer: Any) -> None:
        path = self._checkpoint
        path.parent.mkdir(parents=True, exist_ok=True)
        part = part_of(path)
        torch.save({"step": step, "adapter": self.learner.state(), "optimizer": optimizer.state_dict()}, part)
        part.replace(path)

    def _resume(self, optimizer: Any) -> int:
        if not self._checkpoint.is_file():
            return 0
        found = torch.load(self._checkpoint, weights_only=True)
        self.learner.load(found["adapter"])
        optimizer.load_state_dict(found["optimizer"])
        self.progress.message(f"Going on from step {found['step']} of an earlier run.")
        return int(found["step"])


def rate_factor(done: float, warmup: float) -> float:
    """The learning rate's factor at a share `done` of all steps."""
    return done / warmup if done < warmup else (1.0 - done) / (1.0 - warmup)
