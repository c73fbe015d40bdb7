"""Counting where a model is at hand: nothing is assembled, and known texts need no vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.generation.counting import TokeniserError, counter_at_hand
from pipeline.generation.tokens import TokenCounts
from pipeline.project import Project
from tests.generation.gguf_files import write_header


def test_a_model_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"models/.*\.gguf is not there yet|not installed"):
        counter_at_hand(Project(tmp_path), None, allow_other=False)
    with pytest.raises(UserError, match=r"other\.gguf is not there yet"):
        counter_at_hand(Project(tmp_path), "other.gguf", allow_other=False)
    assert list(tmp_path.rglob("*.gguf")) == []


def test_the_fake_engine_counts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    with pytest.raises(UserError, match="no tokeniser"):
        counter_at_hand(Project(tmp_path), None, allow_other=False)


def test_known_counts_need_no_vocabulary(tmp_path: Path) -> None:
    path = write_header(tmp_path / "m.gguf", {"general.name": "Gemma 3 270M"}, "gemma3")
    count = counter_at_hand(Project(tmp_path), "m.gguf", allow_other=False)
    from pipeline.generation.file_hashes import FileHashes

    sha256 = FileHashes(tmp_path / "build/models/hashes.json").sha256(path)
    memory = TokenCounts(tmp_path / "build/models/tokens.sqlite", sha256)
    assert memory.count(["some text"], lambda texts: [7] * len(texts)) == [7]
    assert count(["some text"]) == [7]
    with pytest.raises(TokeniserError, match=r"vocabulary|does not load"):
        count(["another text"])
