from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.generation.gguf_header import read_header
from pipeline.generation.models import adapter_suits, check_adapter
from pipeline.project import Project
from pipeline.training.adapter_file import write_adapter
from pipeline.training.record import TrainingSettings
from tests.content_factory import write_project

STATE = {
    f"base_model.model.model.layers.1.{layer}.lora_{half}.default.weight": np.ones(shape, dtype=np.float32)
    for layer in ("self_attn.q_proj", "self_attn.o_proj", "mlp.down_proj")
    for half, shape in (("A", (4, 8)), ("B", (6, 4)))
}


def write(path: Path, state: dict[str, np.ndarray]) -> None:
    write_adapter(
        path, state, layers=2, settings=TrainingSettings(), culture="Test", base_name="Tiny", base_sha256="ab" * 32
    )


def test_llama_cpp_finds_every_tensor_under_its_own_name(tmp_path: Path) -> None:
    project: Project = write_project(tmp_path)
    path = tmp_path / "voice.gguf"
    write(path, STATE)
    header = read_header(path)
    assert {tensor.name: tensor.shape for tensor in header.tensors} == {
        f"blk.1.{layer}.weight.lora_{half}": shape
        for layer in ("attn_q", "attn_output", "ffn_down")
        for half, shape in (("a", (8, 4)), ("b", (4, 6)))
    }
    check_adapter(project, path, "gemma3")


def test_an_adapter_says_which_model_it_is_for(tmp_path: Path) -> None:
    write(tmp_path / "voice.gguf", STATE)
    assert adapter_suits(tmp_path / "voice.gguf", "ab" * 32)
    assert not adapter_suits(tmp_path / "voice.gguf", "cd" * 32)


def test_a_tensor_without_a_place_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no place in the architecture"):
        write(tmp_path / "voice.gguf", STATE | {"base_model.model.head.lora_A.weight": np.ones((2, 2))})
    assert list(tmp_path.iterdir()) == []
