"""Texts and prompts as tokens of a model file, by its whole vocabulary and its chat template."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.errors import UserError
from pipeline.generation.models import ModelFile
from pipeline.generation.segments import ChatFrame, Prompt, chat_frame, segment
from pipeline.generation.vocabulary import Vocabulary, VocabularyFile


class Tokeniser:
    """Reads the vocabulary of a model file when it is first needed. Free it with `close`."""

    def __init__(self, file: ModelFile) -> None:
        self._file = file
        self._open: VocabularyFile | None = None
        self._frame: ChatFrame | None = None

    @property
    def vocabulary(self) -> Vocabulary:
        """The whole vocabulary. Raises `LlamaError` when llama.cpp does not take the file."""
        if self._open is None:
            self._open = VocabularyFile(self._file.path)
        return self._open.vocabulary

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without special ones."""
        return [len(self.vocabulary.encode(text)) for text in texts]

    def prompt(self, parts: Sequence[str], *, chat: bool) -> Prompt:
        """A prompt in one segment per part; with `chat` inside the model's chat template.

        Raises `UserError` when a chat is asked of a model without a template, or with a broken one.
        """
        return segment(self.vocabulary, parts, self._chat_frame() if chat else None)

    def close(self) -> None:
        """Frees the vocabulary; it is read again when it is needed again."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _chat_frame(self) -> ChatFrame:
        if not self._file.chat_template:
            raise UserError(
                "This model has no chat template, so it cannot take the profile instruct.", "Use the profile base."
            )
        if self._frame is None:
            self._frame = chat_frame(self._file.chat_template, *self.vocabulary.marks)
        return self._frame
