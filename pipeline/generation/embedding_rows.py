"""Input embeddings of a whole vocabulary, for a model whose file holds only a part of it.

A pruned model limits what can be *written*; what it *reads* is unlimited: the rows of a prompt's tokens are taken from
the whole file and handed to llama.cpp as vectors. They are computed as llama.cpp computes them (row times block scale,
times the square root of the width, in 32-bit floats), so they are the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from pipeline.generation.gguf_header import GgufHeader, TensorInfo
from pipeline.generation.vocabulary_cut import EMBEDDING


def tensor_rows(path: Path, header: GgufHeader, tensor: TensorInfo) -> Any:
    """A tensor's bytes, mapped, one array row per tensor row."""
    block, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType(tensor.kind)]
    shape = (*reversed(tensor.shape[1:]), tensor.shape[0] // block * size)
    return np.memmap(path, dtype=np.uint8, mode="r", offset=header.data_start + tensor.offset, shape=shape)


class EmbeddingRows:
    """The rows of `token_embd.weight` in a Gemma 3 file."""

    def __init__(self, path: Path, header: GgufHeader) -> None:
        tensor = next(t for t in header.tensors if t.name == EMBEDDING)
        self._kind = gguf.GGMLQuantizationType(tensor.kind)
        self._rows = tensor_rows(path, header, tensor)
        self._scale = np.sqrt(np.float32(tensor.shape[0]))
        self.width = tensor.shape[0]

    def of(self, tokens: Sequence[int]) -> Any:
        """Vectors of the tokens, shape (tokens, width), float32, C order."""
        values = gguf.quants.dequantize(self._rows[np.asarray(tokens, dtype=np.int64)], self._kind)
        return np.ascontiguousarray(values.astype(np.float32) * self._scale)
