"""A llama.cpp context whose contents are always a function of the line at hand.

llama.cpp quantises activations per batch, so the same sequence beside other neighbours gives other logits (0.5 and
more), and other texts. Two rules keep a line's result its own:

1. **Prefix.** Segments that all variants of a request share are decoded in sequence 0, each segment in calls of its
   own, in cells 0, 1, 2 ... So the stored keys and values of a segment depend on the segments before it and on nothing
   else, and may stay from one line to the next. When a line begins, everything behind the shared segments is removed;
   cells, search position and attention length are then the same as in a new context.
2. **Line.** All that follows is one fixed course of calls: the variants' own segments in one batch, in request order,
   then one token per running branch, in order. Who runs is a result of the line's own draws.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipeline.errors import UserError
from pipeline.generation.llama import LlamaError, forget_errors, llama
from pipeline.generation.vocabulary import Tokens

if TYPE_CHECKING:
    from pipeline.generation.embedding_rows import EmbeddingRows

BATCH_TOKENS = 512
"""Tokens per llama_decode call at most; a longer run is cut. Part of the layout."""
CELL_STEP = 1024
MOST_OUTPUTS = 128
"""Rows of logits that one call may ask for, or one per sequence if those are more."""

Entry = tuple[int, int, int, bool]
"""Token, position, sequence, whether its logits are wanted."""


class Decoder:
    """One context over a loaded model. Sequence 0 is the shared prefix; the caller hands out 1 to `sequences`."""

    def __init__(self, model: Any, *, sequences: int, threads: int, rows: EmbeddingRows | None = None) -> None:
        """`rows`: where prompts' vectors come from, when the model's own vocabulary is only a part of the prompts'."""
        self._llama = llama()
        self._model = model
        self._sequences = sequences
        self._threads = threads
        self._cells = 0
        self._context: Any = None
        self._memory: Any = None
        self._rows = rows
        self._batch = self._llama.llama_batch_init(BATCH_TOKENS, 0, 1)
        self._prompt_batch = self._llama.llama_batch_init(BATCH_TOKENS, rows.width, 1) if rows else None
        self._adapter: Any = None
        self._prefix: list[Tokens] = []
        self.computed = 0
        """Tokens decoded since this object was made."""

    @property
    def context(self) -> Any:
        """The llama.cpp context, for the sampler chain."""
        return self._context

    def begin(self, prefix: Sequence[Tokens], cells: int, adapter: Any) -> int:
        """Makes the context hold exactly `prefix`, with room for `cells` tokens in all. Returns the prefix's length.

        `adapter` is a loaded LoRA adapter or None. Raises `LlamaError` when memory for the context is lacking.
        """
        self._make_room(cells)
        if adapter is not self._adapter:
            self._set_adapter(adapter)
        kept = 0
        while kept < min(len(prefix), len(self._prefix)) and prefix[kept] == self._prefix[kept]:
            kept += 1
        position = sum(map(len, prefix[:kept]))
        self._prefix = list(prefix[:kept])
        self._llama.llama_memory_seq_keep(self._memory, 0)
        if not self._llama.llama_memory_seq_rm(self._memory, 0, position, -1):
            raise LlamaError("llama.cpp cannot shorten the prefix of this kind of model")
        for tokens in prefix[kept:]:
            for start in range(0, len(tokens), BATCH_TOKENS):
                part = tokens[start : start + BATCH_TOKENS]
                self.read([(token, position + i, 0, False) for i, token in enumerate(part)])
                position += len(part)
            self._prefix.append(tokens)
        return position

    def copy(self, source: int, target: int) -> None:
        """`target` continues from where `source` stands. The cells are shared, nothing is computed."""
        self._llama.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def read(self, entries: Sequence[Entry]) -> None:
        """Runs at most BATCH_TOKENS tokens of prompts through the model, in the prompts' numbering.

        Raises `LlamaError` when llama.cpp fails.
        """
        if self._rows is None or self._prompt_batch is None:
            self.decode(entries)
            return
        vectors = self._rows.of([token for token, *_ in entries])
        ctypes.memmove(self._prompt_batch.embd, vectors.ctypes.data, vectors.nbytes)
        self._run(self._prompt_batch, entries)

    def decode(self, entries: Sequence[Entry]) -> None:
        """Runs at most BATCH_TOKENS tokens that were drawn through the model, in the model's own numbering.

        Raises `LlamaError` when llama.cpp fails.
        """
        for i, (token, *_) in enumerate(entries):
            self._batch.token[i] = token
        self._run(self._batch, entries)

    def _run(self, batch: Any, entries: Sequence[Entry]) -> None:
        batch.n_tokens = len(entries)
        for i, (_, position, sequence, wanted) in enumerate(entries):
            batch.pos[i] = position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = wanted
        forget_errors()
        status = self._llama.llama_decode(self._context, batch)
        if status != 0:
            raise LlamaError(f"llama.cpp failed to decode (status {status})")
        self.computed += len(entries)

    def close(self) -> None:
        """Frees context and batch."""
        self._free_context()
        for batch in (self._batch, self._prompt_batch):
            if batch is not None:
                self._llama.llama_batch_free(batch)
        self._batch = self._prompt_batch = None

    def _make_room(self, cells: int) -> None:
        """A context of at least `cells` cells. Its size changes no result, so it only grows."""
        if cells <= self._cells:
            return
        self._free_context()
        self._cells = -(-cells // CELL_STEP) * CELL_STEP
        parameters = self._llama.llama_context_default_params()
        parameters.n_ctx = self._cells
        parameters.n_batch = parameters.n_ubatch = BATCH_TOKENS
        parameters.n_seq_max = self._sequences + 1
        parameters.n_outputs_max = max(self._sequences + 1, MOST_OUTPUTS)
        parameters.n_threads = parameters.n_threads_batch = self._threads
        parameters.flash_attn_type = self._llama.LLAMA_FLASH_ATTN_TYPE_DISABLED
        parameters.kv_unified = True
        parameters.swa_full = True
        parameters.no_perf = True
        forget_errors()
        self._context = self._llama.llama_init_from_model(self._model, parameters)
        if not self._context:
            self._cells = 0
            raise LlamaError(
                f"There is no memory for a context of {cells} tokens",
                "Use a smaller model, fewer candidates or a smaller width.",
            )
        self._memory = self._llama.llama_get_memory(self._context)

    def check_length(self, tokens: int) -> None:
        """Raises `UserError` when one sequence would grow beyond what the model was trained for."""
        trained = int(self._llama.llama_model_n_ctx_train(self._model))
        if tokens > trained:
            raise UserError(
                f"A prompt with its answer takes {tokens} tokens; the model was trained for {trained}.",
                "Shorten the culture's injector or the base text.",
            )

    def _set_adapter(self, adapter: Any) -> None:
        pointers = (self._llama.llama_adapter_lora_p_ctypes * 1)(adapter) if adapter else None
        scales = (ctypes.c_float * 1)(1.0) if adapter else None
        if self._llama.llama_set_adapters_lora(self._context, pointers, 1 if adapter else 0, scales) != 0:
            raise LlamaError("llama.cpp does not take the adapter")
        self._adapter = adapter
        self._prefix = []

    def _free_context(self) -> None:
        if self._context:
            self._llama.llama_free(self._context)
        self._context = self._memory = self._adapter = None
        self._prefix = []
