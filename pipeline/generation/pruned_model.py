"""Derives a model file whose vocabulary holds only what English lines need.

Token list, scores, types and the rows of the embedding (and of a separate output layer) are cut together; every row
that stays is copied bit for bit, so its logits are the very same numbers. Only writing is limited: prompts are
tokenised with the whole vocabulary and read as vectors (`embedding_rows`). A base text with a token that was cut could
not be repeated well, so its line runs on the whole model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from pipeline.errors import UserError
from pipeline.generation.embedding_rows import EmbeddingRows, tensor_rows
from pipeline.generation.file_hashes import part_of, read_json
from pipeline.generation.gguf_header import GgufHeader, read_header
from pipeline.generation.vocabulary_cut import EMBEDDING, corpus_name, kept_entries

_CUT_TENSORS = (EMBEDDING, "output.weight")
_CUT_ARRAYS = ("tokenizer.ggml.tokens", "tokenizer.ggml.scores", "tokenizer.ggml.token_type")


@dataclass(frozen=True, slots=True)
class PrunedModel:
    """A pruned file, and the number in it of each entry that it keeps."""

    path: Path
    numbers: dict[int, int]
    """Entry of the whole vocabulary to entry of the pruned one."""
    rows: EmbeddingRows
    """Input vectors for every entry of the whole vocabulary."""


def pruned_model(source: Path, sha256: str, folder: Path, notify: Callable[[str], None]) -> PrunedModel:
    """The pruned form of `source`, derived into `folder` when it is not there yet (some seconds; `notify` is told).

    Raises `UserError` when the file cannot be read or written.
    """
    key = f"{sha256[:16]}-pruned-{corpus_name().replace(', ', '-').replace(' ', '')}"
    path, record = folder / f"{key}.gguf", folder / f"{key}.json"
    if not (path.is_file() and "kept" in read_json(record)):
        notify(f"Deriving a form of {source.name} with a smaller vocabulary, once.")
        try:
            _derive(source, path, record)
        except (OSError, ValueError, KeyError, IndexError) as error:
            raise UserError(
                f"{source.name}: cannot derive a model with a smaller vocabulary: {error}",
                'Set `vocabulary = "whole"` under [sampling] in voicebake.toml to use the model as it is.',
            ) from error
    numbers = {whole: cut for cut, whole in enumerate(read_json(record)["kept"])}
    return PrunedModel(path, numbers, EmbeddingRows(source, read_header(source)))


def _derive(source: Path, path: Path, record: Path) -> None:
    header = read_header(source, everything=True)
    texts: Any = header.values["tokenizer.ggml.tokens"]
    types: Any = header.values["tokenizer.ggml.token_type"]
    kept = kept_entries(texts, types)
    part, record_part = part_of(path), part_of(record)
    try:
        _write(source, header, part, kept)
        record_part.write_text(json.dumps({"kept": kept}), encoding="utf-8")
        record_part.replace(record)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
        record_part.unlink(missing_ok=True)


def _write(source: Path, header: GgufHeader, path: Path, kept: Sequence[int]) -> None:
    writer = gguf.GGUFWriter(path, header.text("general.architecture"))
    numbers = {whole: cut for cut, whole in enumerate(kept)}
    for name, value in header.values.items():
        cut = _cut_field(name, value, kept, numbers)
        if name != "general.architecture" and cut is not None:
            kind, items = header.kinds[name]
            writer.add_key_value(
                name, cut, gguf.GGUFValueType(kind), None if items is None else gguf.GGUFValueType(items)
            )
    rows = np.asarray(kept)
    for tensor in header.tensors:
        data = tensor_rows(source, header, tensor)
        kind = gguf.GGMLQuantizationType(tensor.kind)
        writer.add_tensor(tensor.name, data[rows] if tensor.name in _CUT_TENSORS else data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _cut_field(name: str, value: Any, kept: Sequence[int], numbers: dict[int, int]) -> Any:
    """A metadata value as the pruned file has it; None leaves it out."""
    if name in _CUT_ARRAYS:
        return [value[i] for i in kept]
    if name.startswith("tokenizer.ggml.") and name.endswith("_token_id"):
        return numbers.get(value)
    if name.endswith(".vocab_size"):
        return len(kept)
    return list(value) if isinstance(value, tuple) else value
