"""Trains a verifier on corrupted pairs and shows what it adds to the rules. Run: `python -m benchmarks.verifier`.

The model with a culture's voice adapter learns on, from the lines of all voice banks that are not held out, to answer
yes or no: does this voiced text say what its base text says? Half of the texts are corrupted (`corruption.py`). It is
measured on pairs of other writers, in which it was neither trained nor tuned: how well it tells good from bad (AUC),
and what rules alone and rules with the verifier find at several limits.

Needs `make train-setup`; two epochs take about twenty minutes on two quiet cores. Writes the adapter to
`build/verifier.gguf`; with `--adapter FILE` nothing is trained. `--json` prints one JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import torch

from benchmarks.verifier.corruption import Corruptor
from benchmarks.verifier.examples import NO, YES, VerifierExamples
from pipeline.content import load_content
from pipeline.content.models import Content
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.content.voice_bank import BankLine, load_bank
from pipeline.generation.models import ModelFile, find_model
from pipeline.generation.tokeniser import Tokeniser
from pipeline.project import Project
from pipeline.prompting import mask_pair
from pipeline.training.adapter_file import write_adapter
from pipeline.training.command import SpokenProgress
from pipeline.training.examples import Tree
from pipeline.training.lora import Learner
from pipeline.training.packing import pack
from pipeline.training.record import TrainingSettings
from pipeline.training.train import answerable, rate_factor
from pipeline.validation.rule import Subject
from pipeline.validation.ruleset import build_rules

PAIRS = ("fidelity_held_out.jsonl", "fidelity_held_out_2.jsonl", "fidelity_fresh.jsonl")
LIMITS = (-3.0, -2.0, -1.0, 0.0)
_LORA = re.compile(r"(model\.layers\.\d+\..+?)\.lora_([AB])\.")


@dataclass(frozen=True, slots=True)
class Pair:
    """A base text with a voiced text of another writer."""

    kind: str
    """`ok`, or what is wrong with it."""
    found: bool
    """Whether any rule reports it."""
    masked: tuple[str, str]


def main() -> int:
    """Trains, measures and prints."""
    options = _options()
    project = Project.find(Path.cwd())
    content = load_content(project)
    torch.set_num_threads(options.threads)
    model = find_model(project, None, allow_other=False)
    tokeniser = Tokeniser(model)
    settings = TrainingSettings(epochs=options.epochs, learning_rate=3e-4)
    progress = SpokenProgress(lambda text: print(text, file=sys.stderr), every_s=15.0)
    learner = Learner(model.path, settings, answerable(project, model, tokeniser, progress))
    makers = dict(_makers(project, content, tokeniser))
    start = options.adapter or project.cultures / options.culture / "voice.gguf"
    learner.load(_tensors(learner, start))
    if options.adapter is None:
        _train(learner, settings, [(maker, line) for maker, lines in makers.values() for line in lines], progress)
        _write(project.build / "verifier.gguf", learner, settings, model)
    maker = makers[options.culture][0]
    report = {name: _table(learner, maker, _pairs(project, content, options.culture, name)) for name in PAIRS}
    sys.stdout.write(json.dumps(report) + "\n" if options.json else _shown(report))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verifier", description=__doc__.splitlines()[0])
    parser.add_argument("--culture", default="van_maanens_star", help="whose voice adapter it starts from")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--adapter", type=Path, help="a verifier that was trained before")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _makers(
    project: Project, content: Content, tokeniser: Tokeniser
) -> Iterator[tuple[str, tuple[VerifierExamples, list[BankLine]]]]:
    banks = {name: loaded.bank for name in content.cultures if (loaded := load_bank(project, name))}
    corruptor = Corruptor([line.base for bank in banks.values() for line in bank.lines])
    for name, bank in banks.items():
        keep = [word.word for word in content.cultures[name].institutions.use]
        maker = VerifierExamples(tokeniser.vocabulary, bank.names, keep, corruptor)
        yield name, (maker, [line for line in bank.lines if not line.held_out])


def _tensors(learner: Learner, path: Path) -> dict[str, Any]:
    """The adapter at `path` by the names that training uses."""
    found = {tensor.name: torch.from_numpy(tensor.data.astype("float32")) for tensor in gguf.GGUFReader(path).tensors}
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.GEMMA3, learner.layers)
    tensors = {}
    for name in learner.state():
        part = _LORA.search(name)
        if part is None:
            raise ValueError(f"{name}: not a tensor of an adapter")
        layer = names.get_name(part[1], try_suffixes=(".weight", ".bias"))
        tensors[name] = found[f"{layer}.weight.lora_{part[2].lower()}"]
    return tensors


def _train(
    learner: Learner,
    settings: TrainingSettings,
    lines: Sequence[tuple[VerifierExamples, BankLine]],
    progress: SpokenProgress,
) -> None:
    optimizer = torch.optim.AdamW(learner.weights, lr=settings.learning_rate, weight_decay=0.0)
    batches = [batch for epoch in range(settings.epochs) for batch in _epoch(lines, epoch, settings.lines_per_step)]
    for step, (epoch, chosen) in enumerate(batches):
        began = time.monotonic()
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * rate_factor(step / len(batches), settings.warmup)
        rows = [trees for maker, line in chosen if (trees := _answered(maker.trees(line, epoch)))]
        loss = learner.learn(pack(rows), optimizer)
        progress.step_done(step + 1, len(batches), loss, time.monotonic() - began)


def _epoch(
    lines: Sequence[tuple[VerifierExamples, BankLine]], epoch: int, size: int
) -> Iterator[tuple[int, Sequence[tuple[VerifierExamples, BankLine]]]]:
    order = sorted(lines, key=lambda one: hashlib.sha256(f"{epoch}:{one[1].kind}{one[1].base}".encode()).digest())
    for start in range(0, len(order), size):
        yield epoch, order[start : start + size]


def _answered(trees: Iterator[Tree]) -> list[Tree]:
    return [tree for tree in trees if tree.branches]


def _write(path: Path, learner: Learner, settings: TrainingSettings, model: ModelFile) -> None:
    write_adapter(
        path,
        learner.arrays(),
        layers=learner.layers,
        settings=settings,
        culture="all cultures, verified",
        base_name=model.provenance.name,
        base_sha256=model.sha256,
    )


def _pairs(project: Project, content: Content, culture: str, name: str) -> list[Pair]:
    """The pairs of a corpus whose facts agree; where figures or slots differ, the masker tells already."""
    rules = build_rules(content, project.build)
    pairs = []
    text = (Path(__file__).parents[2] / "tests" / "corpora" / name).read_text("utf-8")
    for row in map(json.loads, text.splitlines()):
        try:
            base, voiced = mask_pair(row["base"], row["voiced"], ())
        except ValueError:
            continue
        if set(base.slots) != set(voiced.slots):
            continue
        kind, tell = Kind(row.get("kind", "dialogue")), TellState(row.get("tell", "Neutral"))
        findings = rules.validate(
            Subject(row["base"], row["voiced"], kind, tell, culture=content.cultures[row.get("culture", culture)])
        )
        wrong = row["label"] if row["label"] == "ok" else row.get("kind_of_fault", row["label"])
        reported = any(finding.severity is not Severity.info for finding in findings)
        pairs.append(Pair(wrong, reported, (base.text, voiced.text)))
    return pairs


def _table(learner: Learner, maker: VerifierExamples, pairs: Sequence[Pair]) -> dict[str, Any]:
    scored = _scores(learner, maker, [pair.masked for pair in pairs])
    good = [score for pair, score in zip(pairs, scored, strict=True) if pair.kind == "ok"]
    kinds = sorted({pair.kind for pair in pairs} - {"ok"})
    bad = {kind: [score for pair, score in zip(pairs, scored, strict=True) if pair.kind == kind] for kind in kinds}
    all_bad = [score for scores in bad.values() for score in scores]
    reported = {None: [pair.found for pair in pairs]} | {
        limit: [pair.found or score < limit for pair, score in zip(pairs, scored, strict=True)] for limit in LIMITS
    }
    return {
        "good": len(good),
        "bad": len(pairs) - len(good),
        "auc": {kind: _auc(good, scores) for kind, scores in bad.items()} | {"all": _auc(good, all_bad)},
        "reported": {
            "rules alone" if limit is None else f"with the verifier below {limit:g}": {
                "bad": sum(hit for pair, hit in zip(pairs, hits, strict=True) if pair.kind != "ok"),
                "good": sum(hit for pair, hit in zip(pairs, hits, strict=True) if pair.kind == "ok"),
            }
            for limit, hits in reported.items()
        },
    }


def _scores(learner: Learner, maker: VerifierExamples, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Log odds of yes, one for each pair."""
    scores: list[float] = []
    with torch.no_grad():
        for base, voiced in pairs:
            tree = maker.tree(base, [("yes", voiced, YES), ("no", voiced, NO)])
            yes, no = learner.losses(pack([[tree]])).tolist()
            scores.append(no - yes)
    return scores


def _auc(good: Sequence[float], bad: Sequence[float]) -> float:
    """How often a good pair scores above a bad one."""
    won = sum((one > other) + 0.5 * (one == other) for one in good for other in bad)
    return round(won / (len(good) * len(bad)), 2)


def _shown(report: dict[str, Any]) -> str:
    lines = []
    for name, table in report.items():
        told = ", ".join(f"{kind} {value:.2f}" for kind, value in table["auc"].items())
        lines.append(f"{name}: {table['good']} good, {table['bad']} bad; AUC {told}")
        lines += [
            f"  {how}: {counts['bad']} of {table['bad']} bad and {counts['good']} of {table['good']} good reported"
            for how, counts in table["reported"].items()
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
