"""A pruned vocabulary changes no logit of what it keeps, and gives way to the whole one where a text needs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import UserError
from pipeline.generation import EngineSettings, SamplerSettings, open_engine, vocabulary_cut
from pipeline.generation.decoder import Entry
from pipeline.generation.gguf_header import read_header
from pipeline.generation.llama import llama
from pipeline.generation.llama_engine import LlamaEngine
from pipeline.generation.loaded_model import LoadedModel
from pipeline.generation.models import find_model
from pipeline.generation.pruned_model import PrunedModel, pruned_model
from pipeline.generation.vocabulary_cut import kept_entries, stays
from pipeline.project import Project
from tests.generation.gguf_files import write_header, write_model
from tests.generation.requests import BASES, line

ROOT = Path(__file__).parents[2]
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


@pytest.mark.parametrize(
    ("text", "kind", "number", "expected"),
    [
        ("▁gate", NORMAL, 200_000, True),
        ("▁gotta", NORMAL, 200_000, True),
        ("▁Gate", NORMAL, 100_000, True),
        ("▁Gate", NORMAL, 200_000, False),
        ("gate", NORMAL, 60_000, True),
        ("gate", NORMAL, 100_000, False),
        ("▁GATE", NORMAL, 1_000, False),
        ("▁xyzzyq", NORMAL, 50_000, False),
        ("ation", NORMAL, 1_000, True),
        ("Zq", NORMAL, 260_000, True),
        ("▁café", NORMAL, 1_000, False),
        ("猫", NORMAL, 1_000, False),
        (".", NORMAL, 260_000, True),
        ("...", NORMAL, 5_000, True),
        ("▁==>", NORMAL, 100_000, False),
        ("7", NORMAL, 260_000, True),
        ("\n\n", USER_DEFINED, 108, True),
        ("<0xE9>", BYTE, 300, True),
        ("<bos>", CONTROL, 2, True),
        ("<start_of_turn>", CONTROL, 105, True),
        ("<unused77>", CONTROL, 90, False),
        ("<unk>", UNKNOWN, 3, True),
        ("<x>", UNUSED, 3, False),
    ],
)
def test_what_stays(text: str, kind: int, number: int, expected: bool) -> None:
    assert stays(number, text, kind) is expected


def test_kept_entries_are_numbers_in_order() -> None:
    assert kept_entries(["<bos>", "猫", "▁gate", "<0x00>"], [CONTROL, NORMAL, NORMAL, BYTE]) == [0, 2, 3]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(vocabulary_cut, "SMALLEST_VOCABULARY", 100)
    write_model(tmp_path / "tiny.gguf")
    return Project(tmp_path)


@pytest.fixture
def engines(project: Project) -> Iterator[tuple[LlamaEngine, LlamaEngine, list[str]]]:
    """One engine on the pruned vocabulary, one on the whole, and what they said."""
    said: list[str] = []
    opened = []
    for vocabulary in ("pruned", "whole"):
        settings = EngineSettings(
            model="tiny.gguf",
            vocabulary=vocabulary,
            threads=1,
            exclusive=False,
            sampler=SamplerSettings(temperature=1.0),
        )
        engine = open_engine(project, settings, notify=said.append)
        assert isinstance(engine, LlamaEngine)
        opened.append(engine)
    yield opened[0], opened[1], said
    for engine in opened:
        engine.close()


def derived(project: Project) -> PrunedModel:
    file = find_model(project, "tiny.gguf", allow_other=False)
    return pruned_model(file.path, file.sha256, project.build / "models", lambda _message: None)


def test_list_scores_types_and_rows_are_cut_together(project: Project) -> None:
    pruned = derived(project)
    whole, cut = (read_header(path, everything=True) for path in (project.root / "tiny.gguf", pruned.path))
    for key in ("tokens", "scores", "token_type"):
        before, after = (header.values[f"tokenizer.ggml.{key}"] for header in (whole, cut))
        assert [before[old] for old in pruned.numbers] == list(after)
    assert whole.values["general.name"] == cut.values["general.name"]
    assert cut.tensors[0].shape[1] == len(pruned.numbers)
    assert len(pruned.numbers) < whole.tensors[0].shape[1]
    assert cut.values["tokenizer.ggml.eos_token_id"] == pruned.numbers[whole.values["tokenizer.ggml.eos_token_id"]]


def test_it_is_derived_once(project: Project) -> None:
    first = derived(project)
    written = first.path.stat().st_mtime_ns
    again = derived(project)
    assert (again.path, again.numbers) == (first.path, first.numbers)
    assert first.path.stat().st_mtime_ns == written
    assert [path.suffix for path in sorted(first.path.parent.glob("*pruned*"))] == [".gguf", ".json"]


def test_a_file_that_cannot_be_cut_is_a_user_error(project: Project) -> None:
    bare = write_header(project.root / "bare.gguf", {"general.name": "no vocabulary"})
    with pytest.raises(UserError, match=r"bare\.gguf: cannot derive (.|\n)*whole"):
        pruned_model(bare, "0" * 64, project.build / "models", lambda _message: None)
    assert list((project.build / "models").glob("*")) == []


def same_logits(
    whole: LoadedModel, cut: LoadedModel, pruned: PrunedModel, steps: list[list[Entry]], prefix: list[int]
) -> None:
    """Runs the same calls on both models, a prompt and then steps; compares every row asked for, bit by bit."""
    kept = np.fromiter(pruned.numbers, dtype=np.int64)
    for model in (whole, cut):
        model.decoder.begin([tuple(prefix)], 512, None)
        for sequence in range(1, 9):
            model.decoder.copy(0, sequence)
    for number, step in enumerate(steps):
        if number == 0:
            whole.decoder.read(step)
            cut.decoder.read(step)
        else:
            whole.decoder.decode(step)
            cut.decoder.decode([(pruned.numbers[token], *rest) for token, *rest in step])
        for row, (*_, wanted) in enumerate(step):
            if wanted:
                before, after = (logits(m, row) for m in (whole, cut))
                assert np.array_equal(before[kept], after)


def logits(model: LoadedModel, row: int) -> np.ndarray:
    pointer = llama().llama_get_logits_ith(model.decoder.context, row)
    return np.ctypeslib.as_array(pointer, shape=(model.vocabulary.size,)).copy()


def steps_of(tokens: list[int], start: int) -> list[list[Entry]]:
    """A prompt for eight sequences in one call, then calls of falling width."""
    prompts: list[Entry] = [
        (tokens[(s + i) % len(tokens)], start + i, s, i == s) for s in range(1, 9) for i in range(s + 1)
    ]
    later = [[(tokens[(s * n) % len(tokens)], start + s + n, s, True) for s in range(n, 9)] for n in range(1, 6)]
    return [prompts, *later]


def test_logits_are_the_same_bits_on_the_tiny_model(project: Project) -> None:
    pruned = derived(project)
    whole, cut = (
        LoadedModel(p, SamplerSettings(), sequences=8, threads=1, rows=r)
        for p, r in ((project.root / "tiny.gguf", None), (pruned.path, pruned.rows))
    )
    prefix = [2, *whole.vocabulary.encode("the gate café 猫 is closed")]
    same_logits(whole, cut, pruned, steps_of(list(whole.vocabulary.encode(BASES[1])), len(prefix)), prefix)
    whole.close()
    cut.close()


@pytest.mark.model
def test_logits_are_the_same_bits_on_the_real_model() -> None:
    file = find_model(Project(ROOT), None, allow_other=False)
    pruned = pruned_model(file.path, file.sha256, ROOT / "build" / "models", lambda _message: None)
    whole, cut = (
        LoadedModel(p, SamplerSettings(), sequences=8, threads=2, rows=r)
        for p, r in ((file.path, None), (pruned.path, pruned.rows))
    )
    prefix = [
        2,
        *whole.vocabulary.encode(
            "Rules: plain words only, café 猫.\nSpeech: The gate is closed until the next shift.\n"
        ),
    ]
    tokens = list(whole.vocabulary.encode("Gate's shut till next shift, so take the long way round."))
    same_logits(whole, cut, pruned, steps_of(tokens, len(prefix)), prefix)
    whole.close()
    cut.close()


def test_the_identity_says_how_the_vocabulary_was_cut(engines: tuple[LlamaEngine, LlamaEngine, list[str]]) -> None:
    pruned, whole, _ = engines
    assert pruned.identity.vocabulary == f"pruned ({vocabulary_cut.corpus_name()})"
    assert whole.identity.vocabulary == "whole"


def test_a_text_outside_the_pruned_vocabulary_runs_on_the_whole_model_and_says_so(
    engines: tuple[LlamaEngine, LlamaEngine, list[str]],
) -> None:
    pruned, whole, said = engines
    inside, outside = line(BASES[0]), line("the café gate is closed")
    expected, _ = whole.generate(outside)
    found, stats = pruned.generate(outside)
    assert found == expected
    assert stats.remark == "Ran on the whole model: 'é' is not in the pruned vocabulary."
    assert stats.remark in said
    alone, usual = pruned.generate(inside)
    assert usual.remark == ""
    assert pruned.generate(inside)[0] == alone


def test_a_new_name_changes_no_other_line(engines: tuple[LlamaEngine, LlamaEngine, list[str]]) -> None:
    pruned, _, _ = engines
    before, _ = pruned.generate(line(BASES[0]))
    pruned.generate(line("Qorvix Thann holds the gate."))
    assert pruned.generate(line(BASES[0]))[0] == before
