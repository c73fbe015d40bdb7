"""Which models are let in, judged from GGUF files that the tests write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import UserError
from pipeline.generation.gguf_header import read_header
from pipeline.generation.provenance import KNOWN_FILES, judge_provenance, refuse_origin
from tests.generation.gguf_files import write_header

ALLOWED = [
    ("gemma3", {"general.name": "Gemma 3 1b It", "general.license": "gemma"}),
    ("gemma2", {"general.name": "Trying Tiger Gemma", "general.author": "Yi Example"}),
    ("gemma", {"general.name": "Yiddish helper", "general.tags": ["playing", "text-generation"]}),
    ("gemma3n", {"general.name": "Gemma 3n E2B"}),
    ("phi3", {"general.name": "Phi 3 Mini 4k Instruct", "general.organization": "Microsoft"}),
    ("phi2", {"general.name": "Phi 2"}),
]
REFUSED = [
    ("qwen2", {"general.name": "Some model"}),
    ("qwen3moe", {}),
    ("deepseek2", {"general.name": "x"}),
    ("internlm2", {}),
    ("baichuan", {}),
    ("chatglm", {}),
    ("glm4", {}),
    ("minicpm3", {}),
    ("hunyuan-moe", {}),
    ("llama", {"general.name": "DeepSeek R1 Distill Llama 8B"}),
    ("llama", {"general.name": "Yi 34B Chat"}),
    ("llama", {"general.basename": "Yi-1.5"}),
    ("llama", {"general.base_model.0.repo_url": "https://models.example/01-ai/Yi-6B"}),
    ("llama", {"general.organization": "01.AI"}),
    ("llama", {"general.name": "Baichuan2 7B"}),
    ("llama", {"tokenizer.ggml.pre": "deepseek-llm"}),
    ("phi3", {"general.base_model.0.name": "Qwen2.5 0.5B"}),
    ("gemma3", {"general.name": "Gemma 3 Hun-Yuan distill"}),
    ("gemma3", {"general.tags": ["text", "qwen3"]}),
    ("gemma3", {"general.dataset.0.name": "deep_seek r1 answers"}),
    ("gemma3", {"general.description": "Distilled from GLM-4."}),
    ("gemma3", {"general.base_model.1.organization": "THUDM"}),
    ("gemma3", {"tokenizer.chat_template": "You are MiniCPM. {{ messages }}"}),
]
OTHERS = [
    ("llama", {"general.name": "SmolLM2 135M Instruct", "general.license": "apache-2.0"}),
    ("gpt2", {}),
    ("gemmax", {}),
]


@pytest.mark.parametrize(("architecture", "fields"), ALLOWED)
def test_gemma_and_phi_need_no_override(tmp_path: Path, architecture: str, fields: dict[str, Any]) -> None:
    header = read_header(write_header(tmp_path / "m.gguf", fields, architecture))
    found = judge_provenance("m.gguf", "0" * 64, header, allow_other=True)
    assert not found.override
    assert found.name == fields["general.name"]
    assert found.license == fields.get("general.license", "Gemma Terms of Use" if "gemma" in architecture else "MIT")


@pytest.mark.parametrize("allow_other", [False, True])
@pytest.mark.parametrize(("architecture", "fields"), REFUSED)
def test_refused_families_stay_refused_with_an_override(
    tmp_path: Path, architecture: str, fields: dict[str, Any], allow_other: bool
) -> None:
    header = read_header(write_header(tmp_path / "m.gguf", fields, architecture))
    with pytest.raises(UserError, match=r"m\.gguf: refused: (general|tokenizer)\."):
        judge_provenance("m.gguf", "0" * 64, header, allow_other=allow_other)


@pytest.mark.parametrize(("architecture", "fields"), OTHERS)
def test_others_need_an_override_which_is_recorded(tmp_path: Path, architecture: str, fields: dict[str, Any]) -> None:
    header = read_header(write_header(tmp_path / "m.gguf", fields, architecture))
    with pytest.raises(UserError, match="neither a Gemma nor a Phi") as error:
        judge_provenance("m.gguf", "0" * 64, header, allow_other=False)
    assert "--allow-other-model" in str(error.value)
    found = judge_provenance("m.gguf", "0" * 64, header, allow_other=True)
    assert found.override
    assert found.license == fields.get("general.license", "not stated")


def test_a_known_file_is_known_by_its_hash(tmp_path: Path) -> None:
    sha256, (name, licence) = next(iter(KNOWN_FILES.items()))
    header = read_header(write_header(tmp_path / "m.gguf", {}, "unheard-of"))
    found = judge_provenance("m.gguf", sha256, header, allow_other=False)
    assert (found.name, found.license, found.override) == (name, licence, False)


def test_an_adapter_from_a_refused_origin_is_refused(tmp_path: Path) -> None:
    header = read_header(write_header(tmp_path / "a.gguf", {"general.base_model.0.name": "Qwen3 0.6B"}))
    with pytest.raises(UserError, match=r"general\.base_model\.0\.name"):
        refuse_origin("a.gguf", header)
