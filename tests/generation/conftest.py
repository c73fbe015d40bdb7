"""A project with a tiny model that runs in milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.generation import EngineSettings, SamplerSettings
from pipeline.generation.llama_engine import LlamaEngine
from pipeline.generation.opening import open_engine
from pipeline.project import Project
from tests.generation.gguf_files import write_adapter, write_model

OpenTiny = Callable[..., LlamaEngine]


@pytest.fixture(scope="session")
def tiny_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Holds `tiny.gguf`, `tiny_chat.gguf` and the adapter `lora.gguf`."""
    root = tmp_path_factory.mktemp("tiny")
    write_model(root / "tiny.gguf")
    write_model(root / "tiny_chat.gguf", chat=True)
    write_adapter(root / "lora.gguf")
    return Project(root)


@pytest.fixture
def open_tiny(tiny_project: Project) -> Iterator[OpenTiny]:
    """Opens engines on the tiny model and closes them after the test."""
    opened: list[LlamaEngine] = []

    def open_one(
        model: str | Path = "tiny.gguf", *, width: int = 24, threads: int = 1, sampler: SamplerSettings | None = None
    ) -> LlamaEngine:
        settings = EngineSettings(
            model=str(model),
            sampler=sampler or SamplerSettings(temperature=1.0),
            width=width,
            threads=threads,
            exclusive=False,
        )
        engine = open_engine(tiny_project, settings)
        assert isinstance(engine, LlamaEngine)
        opened.append(engine)
        return engine

    yield open_one
    for engine in opened:
        engine.close()
