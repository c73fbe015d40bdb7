"""What an engine is opened with."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.generation.engine import SamplerSettings


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Model, sampling and layout of a bake. All but `threads` and `exclusive` change texts, and so fingerprints."""

    model: str | None = None
    """Path of a GGUF, absolute or from the project; None: the default model."""
    allow_other_model: bool = False
    """True: a model that is neither Gemma nor Phi may be used; recorded in the identity."""
    profile: str | None = None
    """`base`, `instruct` or `adapter`; None: instruct when the GGUF has a chat template, else base."""
    sampler: SamplerSettings = field(default_factory=SamplerSettings)
    width: int = 24
    """Sequences that decode side by side."""
    vocabulary: str = "pruned"
    """`pruned`: a large vocabulary is cut to what English lines need, where the model allows it; `whole`: never."""
    threads: int | None = None
    """None: the machine's physical cores."""
    exclusive: bool = True
    """True: at most one process of this machine holds a model; others wait."""
