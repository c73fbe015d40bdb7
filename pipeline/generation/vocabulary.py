"""A model's tokeniser: text to token ids and back to bytes."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

from pipeline.generation.llama import LlamaError, forget_errors, llama

Tokens = tuple[int, ...]


class Vocabulary:
    """The vocabulary of a loaded llama.cpp model. Lives no longer than the model."""

    def __init__(self, model: Any) -> None:
        self._llama = llama()
        self._vocab = self._llama.llama_model_get_vocab(model)
        self._pieces: dict[int, bytes] = {}
        self.size = int(self._llama.llama_vocab_n_tokens(self._vocab))
        bos = int(self._llama.llama_vocab_bos(self._vocab))
        self.leading: Tokens = (bos,) if self._llama.llama_vocab_get_add_bos(self._vocab) and bos >= 0 else ()
        """What every prompt starts with."""
        eos = int(self._llama.llama_vocab_eos(self._vocab))
        self.marks = tuple(self.piece(t).decode("utf-8", "replace") if t >= 0 else "" for t in (bos, eos))
        """How the tokens for the text's beginning and end are written, for chat templates."""

    def encode(self, text: str, *, special: bool = False) -> Tokens:
        """`text` as tokens, nothing added. `special`: control tokens written in the text count as such."""
        raw = text.encode()
        room = len(raw) + 8
        buffer = (ctypes.c_int32 * room)()
        count = self._llama.llama_tokenize(self._vocab, raw, len(raw), buffer, room, False, special)
        if count < 0:
            raise LlamaError(f"llama.cpp cannot tokenise a text of {len(raw)} bytes")
        return tuple(buffer[:count])

    def piece(self, token: int) -> bytes:
        """The bytes that `token` stands for; control tokens by their written form, so that a stray one can be seen."""
        known = self._pieces.get(token)
        if known is None:
            buffer = ctypes.create_string_buffer(64)
            count = self._llama.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, True)
            if count < 0:
                buffer = ctypes.create_string_buffer(-count)
                count = self._llama.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, True)
            known = self._pieces[token] = buffer.raw[:count]
        return known

    def ends_text(self, token: int) -> bool:
        """Whether the model says with `token` that it has finished."""
        return bool(self._llama.llama_vocab_is_eog(self._vocab, token))


class VocabularyFile:
    """Only the vocabulary of a GGUF file in memory, without its weights."""

    def __init__(self, path: Path) -> None:
        """Raises `LlamaError` when llama.cpp does not take the file."""
        binding = llama()
        parameters = binding.llama_model_default_params()
        parameters.vocab_only = True
        forget_errors()
        self._model = binding.llama_model_load_from_file(str(path).encode(), parameters)
        if not self._model:
            raise LlamaError(f"{path}: llama.cpp cannot read the vocabulary")
        self.vocabulary = Vocabulary(self._model)

    def close(self) -> None:
        """Frees the memory; the vocabulary is not to be used any more."""
        if self._model:
            llama().llama_model_free(self._model)
            self._model = None
