"""Writes small GGUF files for tests: headers alone, and a model small enough to run in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np

EMBEDDING, LAYERS, HEADS, HEAD_SIZE, FORWARD = 32, 2, 2, 16, 64
WORDS = ("the", "gate", "is", "closed", "pump", "runs", "shift", "look", "right", "hold", "on", "seal", "not", "now")
CHAT_TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}"
    "<start_of_turn>{{ m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
)


def write_header(path: Path, fields: Mapping[str, Any], architecture: str = "gemma3") -> Path:
    """A GGUF without tensors, with `fields` as its metadata (texts, numbers, lists of texts)."""
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in fields.items():
        if isinstance(value, str):
            writer.add_string(key, value)
        elif isinstance(value, list):
            writer.add_array(key, value)
        elif isinstance(value, float):
            writer.add_float32(key, value)
        else:
            writer.add_uint32(key, value)
    _finish(writer)
    return path


def write_model(path: Path, *, chat: bool = False, seed: int = 7) -> Path:
    """A Gemma 3 with random weights, two layers and some 300 tokens. It runs, and writes nonsense."""
    tokens, scores, types = _vocabulary()
    writer = gguf.GGUFWriter(path, "gemma3")
    writer.add_name("Tiny Test Gemma")
    writer.add_context_length(2048)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(1)
    writer.add_key_length(HEAD_SIZE)
    writer.add_value_length(HEAD_SIZE)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    writer.add_sliding_window(64)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(types)
    writer.add_bos_token_id(2)
    writer.add_eos_token_id(1)
    writer.add_unk_token_id(3)
    writer.add_pad_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    if chat:
        writer.add_chat_template(CHAT_TEMPLATE)
    for name, shape in _shapes(len(tokens)).items():
        _add_weights(writer, name, shape, seed)
    _finish(writer)
    return path


def write_adapter(
    path: Path,
    *,
    architecture: str = "gemma3",
    seed: int = 11,
    fields: Mapping[str, str] | None = None,
    shape: tuple[int, int, int] = (LAYERS, EMBEDDING, FORWARD),
    strength: float = 0.5,
) -> Path:
    """A LoRA adapter of rank 4, strong enough to change what `write_model` writes.

    `shape`: layers, width and feed-forward width of the model that it is for.
    """
    layers, embedding, forward = shape
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 8.0)
    for key, value in (fields or {}).items():
        writer.add_string(key, value)
    random = np.random.default_rng(seed)
    for layer in range(layers):
        name = f"blk.{layer}.ffn_down.weight"
        writer.add_tensor(f"{name}.lora_a", random.normal(0, strength, (4, forward)).astype(np.float32))
        writer.add_tensor(f"{name}.lora_b", random.normal(0, strength, (embedding, 4)).astype(np.float32))
    _finish(writer)
    return path


def _vocabulary() -> tuple[list[str], list[float], list[int]]:
    control, unknown, user, byte, normal = 3, 2, 4, 6, 1
    tokens = ["<pad>", "<eos>", "<bos>", "<unk>", "<start_of_turn>", "<end_of_turn>"]
    types = [control, control, control, unknown, control, control]
    tokens += [f"<0x{i:02X}>" for i in range(256)]
    types += [byte] * 256
    tokens.append("\n")
    types.append(user)
    plain = [chr(c) for c in range(33, 127)] + ["▁"] + ["▁" + word for word in WORDS]
    # A word can only be found by merging its way up, so every beginning of it is a token too.
    plain += [word[:n] for word in ("▁" + w for w in WORDS) for n in range(2, len(word))]
    plain += ["é", "猫", "▁café"]  # what a vocabulary for English lines leaves out
    plain = list(dict.fromkeys(plain))
    tokens += plain
    types += [normal] * len(plain)
    return tokens, [-float(i) for i in range(len(tokens))], types


def _shapes(vocabulary: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (vocabulary, EMBEDDING),
        "output_norm.weight": (EMBEDDING,),
    }
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        for norm in ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"):
            shapes[f"{block}{norm}.weight"] = (EMBEDDING,)
        for norm in ("attn_q_norm", "attn_k_norm"):
            shapes[f"{block}{norm}.weight"] = (HEAD_SIZE,)
        shapes[f"{block}attn_q.weight"] = (HEADS * HEAD_SIZE, EMBEDDING)
        shapes[f"{block}attn_k.weight"] = shapes[f"{block}attn_v.weight"] = (HEAD_SIZE, EMBEDDING)
        shapes[f"{block}attn_output.weight"] = (EMBEDDING, HEADS * HEAD_SIZE)
        shapes[f"{block}ffn_gate.weight"] = shapes[f"{block}ffn_up.weight"] = (FORWARD, EMBEDDING)
        shapes[f"{block}ffn_down.weight"] = (EMBEDDING, FORWARD)
    return shapes


def _add_weights(writer: gguf.GGUFWriter, name: str, shape: tuple[int, ...], seed: int) -> None:
    random = np.random.default_rng([seed, *name.encode()])
    if name == "output_norm.weight":  # random signs: else the tied output layer only echoes its input
        writer.add_tensor(name, random.normal(0, 0.7, shape).astype(np.float32))
    elif "norm" in name:
        writer.add_tensor(name, np.ones(shape, np.float32))
    else:  # quantised, so that activations are quantised too and results depend on a batch's composition
        kind = gguf.GGMLQuantizationType.Q8_0
        values = random.normal(0, 0.4, shape).astype(np.float32)
        writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)


def _finish(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
