"""Generation: model files and their origin, the batched llama.cpp engine, and the fake engine of the tests.

Importing this package loads no model library.
"""

from pipeline.generation.engine import (
    Candidate,
    Engine,
    EngineIdentity,
    GenerationStats,
    LineRequest,
    SamplerSettings,
    VariantRequest,
    WayBack,
)
from pipeline.generation.opening import describe_engine, open_engine
from pipeline.generation.settings import EngineSettings

__all__ = [
    "Candidate",
    "Engine",
    "EngineIdentity",
    "EngineSettings",
    "GenerationStats",
    "LineRequest",
    "SamplerSettings",
    "VariantRequest",
    "WayBack",
    "describe_engine",
    "open_engine",
]
