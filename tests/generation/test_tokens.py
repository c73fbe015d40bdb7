"""Token counts are measured once per model and text."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.generation.tokens import TokenCounts


def test_known_texts_are_not_measured_again(tmp_path: Path) -> None:
    asked: list[list[str]] = []

    def measure(texts: list[str]) -> list[int]:
        asked.append(texts)
        return [len(text) for text in texts]

    memory = tmp_path / "build" / "tokens.sqlite"
    assert TokenCounts(memory, "m1").count(["aa", "b", "aa", ""], measure) == [2, 1, 2, 0]
    assert TokenCounts(memory, "m1").count(["b", "ccc"], measure) == [1, 3]
    assert TokenCounts(memory, "m1").count(["aa", "b", "ccc"], measure) == [2, 1, 3]
    assert asked == [["aa", "b", ""], ["ccc"]]


def test_another_model_counts_for_itself(tmp_path: Path) -> None:
    memory = tmp_path / "tokens.sqlite"
    assert TokenCounts(memory, "m1").count(["a"], lambda texts: [1] * len(texts)) == [1]
    assert TokenCounts(memory, "m2").count(["a"], lambda texts: [9] * len(texts)) == [9]
    assert TokenCounts(memory, "m1").count(["a"], lambda texts: [5] * len(texts)) == [1]


def test_a_damaged_memory_is_made_anew(tmp_path: Path) -> None:
    memory = tmp_path / "tokens.sqlite"
    TokenCounts(memory, "m1").count(["a"], lambda texts: [1] * len(texts))
    memory.write_bytes(b"no database " * 99)
    assert TokenCounts(memory, "m1").count(["a"], lambda texts: [7] * len(texts)) == [7]
    assert TokenCounts(memory, "m1").count(["a"], lambda texts: [5] * len(texts)) == [7]


def test_a_memory_that_the_system_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "tokens.sqlite").mkdir()
    with pytest.raises(UserError, match="memory of token counts cannot be used"):
        TokenCounts(tmp_path / "tokens.sqlite", "m1").count(["a"], lambda texts: [1] * len(texts))
