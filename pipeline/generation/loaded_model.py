"""A model in memory with all that hangs on it: vocabulary, context, sampler chain, adapters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.generation.decoder import Decoder
from pipeline.generation.engine import SamplerSettings
from pipeline.generation.llama import LlamaError, forget_errors, llama
from pipeline.generation.sampling import SamplerChain
from pipeline.generation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pipeline.generation.embedding_rows import EmbeddingRows


class LoadedModel:
    """Owns the llama.cpp objects of one model. Free them with `close`."""

    def __init__(
        self, path: Path, sampler: SamplerSettings, *, sequences: int, threads: int, rows: EmbeddingRows | None = None
    ) -> None:
        """`rows`: input vectors of the whole vocabulary, for a pruned model.

        Raises `LlamaError` when llama.cpp does not take the file.
        """
        binding = llama()
        forget_errors()
        self._model = binding.llama_model_load_from_file(str(path).encode(), binding.llama_model_default_params())
        if not self._model:
            raise LlamaError(f"{path}: llama.cpp cannot load the model")
        self._adapters: dict[Path, Any] = {}
        self.vocabulary = Vocabulary(self._model)
        self.chain = SamplerChain(sampler)
        self.decoder = Decoder(self._model, sequences=sequences, threads=threads, rows=rows)

    def adapter(self, path: Path, check: Callable[[], None]) -> Any:
        """The LoRA adapter at `path`, loaded once. `check` is called before the first load and may raise."""
        if path not in self._adapters:
            check()
            forget_errors()
            adapter = llama().llama_adapter_lora_init(self._model, str(path).encode())
            if not adapter:
                raise LlamaError(
                    f"{path}: llama.cpp cannot load the adapter", "Train or convert it for this very model."
                )
            self._adapters[path] = adapter
        return self._adapters[path]

    def close(self) -> None:
        """Frees everything, adapters with their model."""
        if self._model:
            self.decoder.close()
            self.chain.close()
            self._adapters.clear()  # llama.cpp frees them with the model
            llama().llama_model_free(self._model)
            self._model = None
