"""sha256 of large files, remembered so that a bake with nothing to do reads no model."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.replacing import replacing


class FileHashes:
    """What was measured of large files, kept in one JSON file by path, size and modification time (nanoseconds).

    Schema: `{path: {"size": int, "mtime_ns": int, "sha256": hex}}`. A damaged memory file is measured anew.
    """

    def __init__(self, memory: Path) -> None:
        self._memory = memory

    def sha256(self, path: Path) -> str:
        """The file's sha256 in hex. Raises `UserError` when it cannot be read."""
        try:
            stat = path.stat()
            entry = read_json(self._memory).get(str(path))
            measured = {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
            if isinstance(entry, dict) and isinstance(entry.get("sha256"), str) and entry.items() >= measured.items():
                return str(entry["sha256"])
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise UserError(
                f"{path}: cannot read the file: {error.strerror}.", "Give the path of an existing GGUF file."
            ) from error
        self.remember(path, digest)
        return digest

    def remember(self, path: Path, sha256: str) -> None:
        """Notes the hash of a file that this process has just written."""
        stat = path.stat()
        entry = {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": sha256}
        write_json(self._memory, read_json(self._memory) | {str(path): entry})


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in `path`; an empty one when there is none or it is damaged (it is only a memory)."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Writes a JSON object as a whole. Raises `UserError` for a full disk and a read-only folder."""
    with replacing(path) as fresh:
        fresh.write_text(json.dumps(content, indent=1, sort_keys=True), encoding="utf-8")


def part_of(path: Path) -> Path:
    """The temporary file beside `path` that this process fills before it takes the name."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")
