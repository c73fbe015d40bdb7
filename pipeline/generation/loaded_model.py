"""A model in memory with all that hangs on it: vocabulary, context, sampler chain, adapters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.generation.decoder import Decoder
from pipeline.generation.engine import SamplerSettings
from pipeline.generation.llama import LlamaError, forget_errors, llama
from pipeline.generation.models import ModelFile
from pipeline.generation.sampling import SamplerChain
from pipeline.generation.segments import ChatFrame, chat_frame
from pipeline.generation.vocabulary import Vocabulary


class LoadedModel:
    """Owns the llama.cpp objects of one model. Free them with `close`."""

    def __init__(self, file: ModelFile, sampler: SamplerSettings, *, sequences: int, threads: int) -> None:
        """Raises `LlamaError` when llama.cpp does not take the file."""
        binding = llama()
        forget_errors()
        self._model = binding.llama_model_load_from_file(str(file.path).encode(), binding.llama_model_default_params())
        if not self._model:
            raise LlamaError(f"{file.path}: llama.cpp cannot load the model")
        self._template = file.chat_template
        self._frame: ChatFrame | None = None
        self._adapters: dict[Path, Any] = {}
        self.vocabulary = Vocabulary(self._model)
        self.chain = SamplerChain(sampler)
        self.decoder = Decoder(self._model, sequences=sequences, threads=threads)

    def frame(self, chat: bool) -> ChatFrame | None:
        """What the model's chat template puts around a message; None for a plain prompt.

        Raises `UserError` when a chat is asked of a model without a template.
        """
        if not chat:
            return None
        if not self._template:
            raise UserError(
                "This model has no chat template, so it cannot take the profile instruct.", "Use the profile base."
            )
        if self._frame is None:
            self._frame = chat_frame(self._template, *self.vocabulary.marks)
        return self._frame

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
