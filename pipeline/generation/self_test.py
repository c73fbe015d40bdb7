"""The child process of `voicebake doctor`: loads a model, decodes, prints rates as one JSON line.

Called as `python -m pipeline.generation.self_test MODEL WIDTH THREADS`.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from pipeline.generation.decoder import BATCH_TOKENS, Decoder
from pipeline.generation.llama import LlamaError, forget_errors, llama
from pipeline.generation.vocabulary import Vocabulary

_PROMPT_TOKENS = 256
_STEPS = 12


def measure(model: Path, width: int, threads: int) -> dict[str, float]:
    """Rates of one model: the fields of `doctor.SelfTest`."""
    binding = llama()
    started = time.perf_counter()
    forget_errors()
    loaded = binding.llama_model_load_from_file(str(model).encode(), binding.llama_model_default_params())
    if not loaded:
        raise LlamaError(f"{model}: llama.cpp cannot load the model")
    vocabulary = Vocabulary(loaded)
    decoder = Decoder(loaded, sequences=width, threads=threads)
    words = (vocabulary.leading + vocabulary.encode("The gate is shut until the shift ends. " * _PROMPT_TOKENS))[
        :_PROMPT_TOKENS
    ]
    ready = time.perf_counter()
    start = decoder.begin([words], _PROMPT_TOKENS + width * (_STEPS + 1) + BATCH_TOKENS, None)
    prompted = time.perf_counter()
    for sequence in range(1, width + 1):
        decoder.copy(0, sequence)
    for step in range(_STEPS):
        decoder.decode([(words[step + 1], start + step, sequence, True) for sequence in range(1, width + 1)])
    ended = time.perf_counter()
    decoder.close()
    binding.llama_model_free(loaded)
    return {
        "decode_tokens_per_second": width * _STEPS / (ended - prompted),
        "prompt_tokens_per_second": _PROMPT_TOKENS / (prompted - ready),
        "load_seconds": ready - started,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))) + "\n")
