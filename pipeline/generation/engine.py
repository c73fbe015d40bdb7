"""What the rest of the pipeline knows of an engine: a line's prompts go in, candidates come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SamplerSettings:
    """How tokens are drawn. All of it is part of every fingerprint."""

    candidates: int = 4
    """Candidates per variant and round."""
    temperature: float = 0.4
    top_k: int = 40
    top_p: float = 0.95
    greedy_first: bool = True
    """True: the first candidate of round 0 takes the likeliest token each time."""


@dataclass(frozen=True, slots=True)
class EngineIdentity:
    """All that decides an engine's output besides the prompt; hashed into fingerprints and recorded in the manifest."""

    engine: str
    """Name and version, with the build's instruction set."""
    model_name: str
    model_sha256: str
    model_license: str
    profile: str
    """`base`, `instruct` or `adapter`: how this model is prompted."""
    sampler: SamplerSettings
    width: int
    """Sequences that decode side by side."""
    override: bool
    """True: the model was allowed by an explicit override of the provenance rule."""
    vocabulary: str = "whole"
    """`whole`, or how the vocabulary was pruned."""


@dataclass(frozen=True, slots=True)
class VariantRequest:
    """One variant of a line to generate in a round."""

    variant: str
    """The tell state's name; it enters the seed."""
    prompt_parts: tuple[str, ...]
    """The prompt, cut where prefixes may be shared."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """How a model that has learnt it is asked to turn a voiced text back into the base text."""

    before: str
    """The prompt up to the voiced text."""
    after: str
    """The prompt after it."""
    answer: str
    """What it should write: the masked base text."""
    adapter: str | None = None
    """Path of the LoRA GGUF that has learnt it."""


@dataclass(frozen=True, slots=True)
class LineRequest:
    """One batch: the variants of one line, in canonical order."""

    fingerprint: str
    round: int
    variants: tuple[VariantRequest, ...]
    candidates: int
    max_tokens: int
    chat: bool
    adapter: str | None = None
    """Path of a LoRA GGUF."""
    repeats: str = ""
    """Text that an answer must be able to repeat: the masked base text. Where a pruned vocabulary lacks one of its
    tokens, the whole vocabulary is used."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One generated text, still masked."""

    variant: str
    index: int
    text: str
    finished: bool
    """False: the token budget ended it."""
    tokens: int
    way_back: float | None = None
    """How surely the model finds the base text in this text: mean nats per token, 0 at best. None: not measured.
    An engine gives candidates without it; `Engine.measure` finds it for those that are worth it."""


@dataclass(frozen=True, slots=True)
class GenerationStats:
    """What a batch, or a measuring, cost."""

    prompt_tokens: int
    output_tokens: int
    seconds: float
    remark: str = ""
    """What was out of the ordinary, in a sentence: the whole model instead of the pruned one."""


class Engine(Protocol):
    """Generates candidates. The same request gives the same candidates, whatever ran before."""

    @property
    def identity(self) -> EngineIdentity: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text under the model's tokeniser, without special tokens."""
        ...

    def generate(self, request: LineRequest) -> tuple[list[Candidate], GenerationStats]:
        """`request.candidates` candidates per variant, ordered by variant as requested, then index."""
        ...

    def measure(self, way: WayBack, texts: Sequence[str]) -> tuple[list[float], GenerationStats]:
        """How surely the model finds `way.answer` in each text, mean nats per token, in their order.

        The value of a text depends on `way` and the text alone, not on the others.
        """
        ...

    def close(self) -> None: ...
