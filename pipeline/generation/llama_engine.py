"""The engine that bakes: llama.cpp in this process, one line at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.generation.engine import Candidate, EngineIdentity, GenerationStats, LineRequest
from pipeline.generation.line_batch import Draft, LineBatch, VariantPrompt
from pipeline.generation.loaded_model import LoadedModel
from pipeline.generation.machine import usable_cores
from pipeline.generation.models import ModelFile, check_adapter
from pipeline.generation.sampling import seed_of
from pipeline.generation.segments import segment
from pipeline.generation.tokens import TokenCounts
from pipeline.generation.vocabulary import Tokens, VocabularyFile
from pipeline.project import Project

LAYOUT = 1
"""Number of the batch layout; raised whenever the order or composition of calls changes, because texts then change."""


class LlamaEngine:
    """Implements `Engine`. Loads the model when the first line is generated, never before."""

    def __init__(
        self,
        project: Project,
        model: ModelFile,
        identity: EngineIdentity,
        *,
        threads: int | None = None,
        before_loading: Callable[[], None] = lambda: None,
        after_closing: Callable[[], None] = lambda: None,
    ) -> None:
        """`before_loading` is called before the weights are read and may wait; `after_closing` when they are gone."""
        self._project = project
        self._file = model
        self._identity = identity
        self._threads = threads or usable_cores()
        self._before_loading = before_loading
        self._after_closing = after_closing
        self._counts = TokenCounts(project.build / "models" / "tokens.sqlite", model.sha256)
        self._loaded: LoadedModel | None = None

    @property
    def identity(self) -> EngineIdentity:
        return self._identity

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; known counts come from `build/models/tokens.sqlite` and need no model."""
        return self._counts.count(texts, self._measure)

    def generate(self, request: LineRequest) -> tuple[list[Candidate], GenerationStats]:
        """All candidates of a line. Raises `UserError` for a prompt too long and an adapter that does not suit."""
        started = time.perf_counter()
        if request.candidates < 1 or request.max_tokens < 1 or not request.variants:
            raise ValueError("a request needs variants, candidates and a token budget of at least one each")
        model = self._model()
        computed = model.decoder.computed
        drafts = [draft for group in self._groups(request) for draft in self._run(model, request, group)]
        candidates = [
            Candidate(d.variant, d.index, d.text.decode("utf-8", "replace").strip(), d.finished, d.tokens)
            for d in drafts
        ]
        stats = GenerationStats(
            prompt_tokens=model.decoder.computed - computed,
            output_tokens=sum(c.tokens for c in candidates),
            seconds=time.perf_counter() - started,
        )
        return candidates, stats

    def close(self) -> None:
        """Frees the model; the engine loads it again when it is used again."""
        if self._loaded is not None:
            self._loaded.close()
            self._loaded = None
            self._after_closing()

    def _model(self) -> LoadedModel:
        if self._loaded is None:
            self._before_loading()
            try:
                self._loaded = LoadedModel(
                    self._file, self._identity.sampler, sequences=self._identity.width, threads=self._threads
                )
            except BaseException:
                self._after_closing()
                raise
        return self._loaded

    def _measure(self, texts: list[str]) -> list[int]:
        if self._loaded is not None:
            return [len(self._loaded.vocabulary.encode(text)) for text in texts]
        file = VocabularyFile(self._file.path)
        try:
            return [len(file.vocabulary.encode(text)) for text in texts]
        finally:
            file.close()

    def _groups(self, request: LineRequest) -> Iterator[list[tuple[int, range]]]:
        """Variants (by number) with their candidates' indices, cut so that no group is wider than the width.

        Whole variants stay together where they fit.
        """
        width = self._identity.width
        group: list[tuple[int, range]] = []
        room = width
        for number in range(len(request.variants)):
            for start in range(0, request.candidates, width):
                indices = range(start, min(start + width, request.candidates))
                if len(indices) > room:
                    yield group
                    group, room = [], width
                group.append((number, indices))
                room -= len(indices)
        yield group

    def _run(self, model: LoadedModel, request: LineRequest, group: list[tuple[int, range]]) -> list[Draft]:
        """Decodes one group: shared segments as the prefix, the rest as one batch."""
        prompts = [
            segment(model.vocabulary, request.variants[n].prompt_parts, model.frame(request.chat)) for n, _ in group
        ]
        shared = _shared(prompts)
        own = [tuple(token for part in prompt[shared:] for token in part) for prompt in prompts]
        drafts = self._drafts(request, group)
        length = sum(map(len, prompts[0][:shared]))
        model.decoder.check_length(length + max(map(len, own)) + request.max_tokens)
        cells = length + sum(map(len, own)) + sum(map(len, drafts)) * request.max_tokens
        start = model.decoder.begin(prompts[0][:shared], cells, self._adapter(model, request.adapter))
        batch = LineBatch(model.decoder, model.chain, model.vocabulary)
        batch.run([VariantPrompt(t, d) for t, d in zip(own, drafts, strict=True)], start)
        return [draft for some in drafts for draft in some]

    def _drafts(self, request: LineRequest, group: list[tuple[int, range]]) -> list[tuple[Draft, ...]]:
        sampler = self._identity.sampler
        sequence = 0
        found = []
        for number, indices in group:
            variant = request.variants[number].variant
            drafts = []
            for index in indices:
                sequence += 1
                greedy = sampler.greedy_first and request.round == 0 and index == 0
                seed = None if greedy else seed_of(request.fingerprint, request.round, variant, index)
                drafts.append(Draft(variant, index, sequence, seed, request.max_tokens))
            found.append(tuple(drafts))
        return found

    def _adapter(self, model: LoadedModel, path: str | None) -> Any:
        if path is None:
            return None
        file = Path(path)
        if not file.is_file():
            raise UserError(
                f"{self._project.shown(file)}: there is no such adapter.",
                "Check `adapter` in the culture's culture.ron.",
            )
        return model.adapter(file, lambda: check_adapter(self._project, file, self._file.architecture))


def _shared(prompts: Sequence[tuple[Tokens, ...]]) -> int:
    """How many leading segments all prompts share; each keeps at least one for itself."""
    shared = 0
    while all(len(p) > shared + 1 and p[shared] == prompts[0][shared] for p in prompts):
        shared += 1
    return shared
