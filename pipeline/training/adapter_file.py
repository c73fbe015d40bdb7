"""Writes an adapter as a GGUF that llama.cpp applies at load."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf

from pipeline.generation.file_hashes import part_of
from pipeline.generation.models import ADAPTER_BASE_KEY
from pipeline.training.record import TrainingSettings

_LORA = re.compile(r"(model\.layers\.\d+\..+?)\.lora_([AB])\.")


def write_adapter(
    path: Path,
    state: Mapping[str, Any],
    *,
    layers: int,
    settings: TrainingSettings,
    culture: str,
    base_name: str,
    base_sha256: str,
) -> None:
    """Writes `path` by way of a temporary file. `state`: arrays by peft's names; stored as 16-bit floats.

    Raises `ValueError` for a tensor that the architecture does not have.
    """
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.GEMMA3, layers)
    part = part_of(path)
    writer = gguf.GGUFWriter(part, "gemma3")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_string("general.name", f"voicebake voice of {culture}")
    writer.add_string("general.base_model.0.name", base_name)
    writer.add_uint32("general.base_model.count", 1)
    writer.add_string(ADAPTER_BASE_KEY, base_sha256)
    writer.add_float32("adapter.lora.alpha", float(settings.alpha))
    for name in sorted(state):
        found = _LORA.search(name)
        layer = names.get_name(found[1], try_suffixes=(".weight", ".bias")) if found else None
        if found is None or layer is None:
            raise ValueError(f"{name}: this tensor has no place in the architecture")
        writer.add_tensor(f"{layer}.weight.lora_{found[2].lower()}", state[name].astype("float16"))
    try:
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
