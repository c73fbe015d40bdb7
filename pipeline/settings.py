"""How this project bakes: `voicebake.toml`, then the environment, then the command line; the last one wins."""

from __future__ import annotations

import os
import tomllib
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.errors import UserError
from pipeline.project import Project

FILE = "voicebake.toml"
_ENVIRONMENT = {
    "VOICEBAKE_MODEL": ("model", "path"),
    "VOICEBAKE_THREADS": ("model", "threads"),
    "VOICEBAKE_SHARED": ("shared", "folder"),
}


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelSettings(_Section):
    """Which model runs, and where."""

    path: str | None = Field(None, description="A GGUF file; without it the default model, Gemma 3 270M.")
    allow_other_model: bool = Field(
        False, description="Allow a model that is neither Gemma nor Phi; the manifest records it."
    )
    threads: int | None = Field(None, ge=1, description="Threads; without it all cores. Does not change texts.")


class SamplingSettings(_Section):
    """How candidates are drawn. Every value changes fingerprints, and so texts."""

    candidates: int = Field(4, ge=1, le=16, description="Candidates per variant in round 0.")
    rounds: int = Field(3, ge=1, le=8, description="Rounds for a variant none of whose candidates passes.")
    temperature: float = Field(0.4, ge=0, le=2)
    top_k: int = Field(40, ge=1)
    top_p: float = Field(0.95, gt=0, le=1)
    greedy_first: bool = Field(True, description="The first candidate takes the likeliest token each time.")
    width: int = Field(24, ge=1, le=64, description="Sequences that decode side by side.")
    vocabulary: Literal["pruned", "whole"] = Field(
        "pruned", description="pruned: write with what English lines need, where the model allows it; faster."
    )


class SharedSettings(_Section):
    """Where finished zones are shared between machines."""

    folder: str | None = Field(
        None,
        min_length=1,
        description="A folder that all machines reach; relative to the project. Never changes texts.",
    )


class Settings(_Section):
    """All of `voicebake.toml`."""

    model: ModelSettings = ModelSettings()
    sampling: SamplingSettings = SamplingSettings()
    shared: SharedSettings = SharedSettings()


def load_settings(project: Project, **model_overrides: Any) -> Settings:
    """The project's settings. `model_overrides` come from the command line: `path`, `allow_other_model`, `threads`.

    None means not given.

    Raises `UserError` for a file that is not TOML, an unknown key or a value out of bounds, naming file and key.
    """
    path = project.root / FILE
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{FILE}: not readable as TOML: {error}") from error
    given = [(section, key, os.environ.get(name)) for name, (section, key) in _ENVIRONMENT.items()]
    for section, key, value in (*given, *(("model", key, value) for key, value in model_overrides.items())):
        table = raw.setdefault(section, {})
        if isinstance(table, dict) and value not in (None, ""):
            table[key] = value
    try:
        return Settings.model_validate(raw)
    except ValidationError as error:
        lines = [f"{FILE}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        known = ", ".join(
            [
                *(f"model.{k}" for k in ModelSettings.model_fields),
                *(f"sampling.{k}" for k in SamplingSettings.model_fields),
                *(f"shared.{k}" for k in SharedSettings.model_fields),
            ]
        )
        raise UserError("\n".join(lines), f"Known keys: {known}.") from error
