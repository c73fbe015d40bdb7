"""Which weights a line runs on: the model with the pruned vocabulary, or the whole one where a text needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.generation.engine import SamplerSettings
from pipeline.generation.loaded_model import LoadedModel
from pipeline.generation.models import ModelFile
from pipeline.generation.pruned_model import PrunedModel, pruned_model


@dataclass(frozen=True, slots=True)
class Choice:
    """A loaded model, and why it is not the pruned one."""

    model: LoadedModel
    missing: int | None
    """The first token to repeat that the pruned vocabulary lacks; None: none, or nothing is pruned."""


class Weights:
    """Loads what lines need, each model once. Free them with `close`."""

    def __init__(
        self,
        file: ModelFile,
        sampler: SamplerSettings,
        *,
        pruned_folder: Path | None,
        sequences: int,
        threads: int,
        notify: Callable[[str], None],
    ) -> None:
        """`pruned_folder`: where the pruned form is kept; None: always the whole model."""
        self._file = file
        self._sampler = sampler
        self._sequences = sequences
        self._threads = threads
        self._whole_model: LoadedModel | None = None
        self._pruned_model: LoadedModel | None = None
        self._pruned: PrunedModel | None = None
        if pruned_folder is not None:
            self._pruned = pruned_model(file.path, file.sha256, pruned_folder, notify)

    @property
    def numbers(self) -> dict[int, int] | None:
        """The entries of the pruned vocabulary with their numbers in it; None when nothing is pruned."""
        return self._pruned.numbers if self._pruned else None

    def choose(self, repeated: Sequence[int]) -> Choice:
        """The model for a line whose answer must be able to repeat these tokens.

        Raises `LlamaError` when a file does not load.
        """
        if self._pruned is None:
            return Choice(self._whole(), None)
        missing = next((token for token in repeated if token not in self._pruned.numbers), None)
        if missing is not None:
            return Choice(self._whole(), missing)
        if self._pruned_model is None:
            self._pruned_model = self._load(self._pruned.path, self._pruned)
        return Choice(self._pruned_model, None)

    def close(self) -> None:
        """Frees all that was loaded."""
        for model in (self._whole_model, self._pruned_model):
            if model is not None:
                model.close()
        self._whole_model = self._pruned_model = None

    def _whole(self) -> LoadedModel:
        if self._whole_model is None:
            self._whole_model = self._load(self._file.path, None)
        return self._whole_model

    def _load(self, path: Path, pruned: PrunedModel | None) -> LoadedModel:
        rows = pruned.rows if pruned else None
        return LoadedModel(path, self._sampler, sequences=self._sequences, threads=self._threads, rows=rows)
