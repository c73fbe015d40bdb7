"""What a cache's manifest says of where its texts come from."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pipeline.bake.digests import models_digest
from pipeline.bake.workspace import Workspace
from pipeline.cache import engine_manifest


def provenance_manifest(workspace: Workspace) -> dict[str, str]:
    """The manifest's entries about program, engine, model, adapters, prompts, word lists and rules."""
    content = workspace.content
    return {
        **engine_manifest(workspace.identity),
        **{f"adapter.{culture}": sha or "none" for culture, sha in workspace.adapter_hashes.items()},
        "voicebake": _version(),
        "prompts": _folder_digest(workspace.project.prompts),
        "word_lists": models_digest([*content.guards, *content.word_lists]),
        "rules": workspace.rules_digest,
    }


def _version() -> str:
    try:
        return version("voicebake")
    except PackageNotFoundError:
        return "not installed"


def _folder_digest(folder: Path) -> str:
    """sha256 over names and bytes of all files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()
