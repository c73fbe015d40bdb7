"""The engine that bakes: llama.cpp in this process, one line at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import UserError
from pipeline.generation.engine import Candidate, EngineIdentity, GenerationStats, LineRequest, WayBack
from pipeline.generation.line_batch import Draft, LineBatch, VariantPrompt
from pipeline.generation.loaded_model import LoadedModel
from pipeline.generation.machine import usable_cores
from pipeline.generation.models import ModelFile, check_adapter
from pipeline.generation.sampling import seed_of
from pipeline.generation.segments import Prompt, split_shared
from pipeline.generation.tokeniser import Tokeniser
from pipeline.generation.tokens import TokenCounts
from pipeline.project import Project

if TYPE_CHECKING:
    from pipeline.generation.weights import Choice, Weights

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
        notify: Callable[[str], None] = lambda _message: None,
        before_loading: Callable[[], None] = lambda: None,
        after_closing: Callable[[], None] = lambda: None,
    ) -> None:
        """`notify` is told what takes long or is unusual.

        `before_loading` is called before the weights are read and may wait; `after_closing` when they are gone.
        """
        self._project = project
        self._file = model
        self._identity = identity
        self._threads = threads or usable_cores()
        self._notify = notify
        self._before_loading = before_loading
        self._after_closing = after_closing
        self._counts = TokenCounts(project.build / "models" / "tokens.sqlite", model.sha256)
        self._tokeniser = Tokeniser(model)
        self._weights: Weights | None = None

    @property
    def identity(self) -> EngineIdentity:
        return self._identity

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; known counts come from `build/models/tokens.sqlite` and need no model."""
        return self._counts.count(texts, self._tokeniser.count)

    def generate(self, request: LineRequest) -> tuple[list[Candidate], GenerationStats]:
        """All candidates of a line. Raises `UserError` for a prompt too long and an adapter that does not suit."""
        started = time.perf_counter()
        if request.candidates < 1 or request.max_tokens < 1 or not request.variants:
            raise ValueError("a request needs variants, candidates and a token budget of at least one each")
        weights = self._loaded()
        prompts = [self._tokeniser.prompt(v.prompt_parts, chat=request.chat) for v in request.variants]
        choice = weights.choose(self._tokeniser.vocabulary.encode(f" {request.repeats}"))
        computed = choice.model.decoder.computed
        drafts = [
            draft for group in self._groups(request) for draft in self._run(choice.model, request, prompts, group)
        ]
        candidates = [
            Candidate(d.variant, d.index, d.text.decode("utf-8", "replace").strip(), d.finished, d.tokens)
            for d in drafts
        ]
        stats = GenerationStats(
            prompt_tokens=choice.model.decoder.computed - computed,
            output_tokens=sum(c.tokens for c in candidates),
            seconds=time.perf_counter() - started,
            remark=self._remark(choice),
        )
        return candidates, stats

    def measure(self, way: WayBack, texts: Sequence[str]) -> tuple[list[float], GenerationStats]:
        """The way back from each text, one after the other. Raises `UserError` for an adapter that does not suit."""
        from pipeline.generation.way_back import measure  # numpy

        started = time.perf_counter()
        weights, vocabulary = self._loaded(), self._tokeniser.vocabulary
        choice = weights.choose(vocabulary.encode(f" {way.answer}"))
        numbers = weights.numbers if choice.missing is None else None
        adapter = self._adapter(choice.model, way.adapter)
        computed = choice.model.decoder.computed
        found = [measure(choice.model, vocabulary, numbers, way, text, adapter) for text in texts]
        seconds = time.perf_counter() - started
        return found, GenerationStats(choice.model.decoder.computed - computed, 0, seconds)

    def close(self) -> None:
        """Frees the model; the engine loads it again when it is used again."""
        self._tokeniser.close()
        if self._weights is not None:
            self._weights.close()
            self._weights = None
            self._after_closing()

    def _loaded(self) -> Weights:
        if self._weights is None:
            from pipeline.generation.weights import Weights  # numpy and gguf: not needed before

            self._before_loading()
            pruned = self._identity.vocabulary != "whole"
            try:
                self._weights = Weights(
                    self._file,
                    self._identity.sampler,
                    pruned_folder=self._project.build / "models" if pruned else None,
                    sequences=self._identity.width,
                    threads=self._threads,
                    notify=self._notify,
                )
            except BaseException:
                self._after_closing()
                raise
        return self._weights

    def _remark(self, choice: Choice) -> str:
        if choice.missing is None:
            return ""
        piece = self._tokeniser.vocabulary.piece(choice.missing).decode("utf-8", "replace")
        remark = f"Ran on the whole model: {piece!r} is not in the pruned vocabulary."
        self._notify(remark)
        return remark

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

    def _run(
        self, model: LoadedModel, request: LineRequest, prompts: Sequence[Prompt], group: list[tuple[int, range]]
    ) -> list[Draft]:
        """Decodes one group: shared segments as the prefix, the rest as one batch."""
        prefix, own = split_shared([prompts[number] for number, _ in group])
        drafts = self._drafts(request, group)
        length = sum(map(len, prefix))
        model.decoder.check_length(length + max(map(len, own)) + request.max_tokens)
        cells = length + sum(map(len, own)) + sum(map(len, drafts)) * request.max_tokens
        start = model.decoder.begin(prefix, cells, self._adapter(model, request.adapter))
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
