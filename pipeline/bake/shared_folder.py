"""Finished zones in a folder that several machines share: each is one version, complete before it can be seen.

    <folder>/<zone>/<version>/   bake.sqlite, voiced_lines.parquet, queue.jsonl, summary.json
    <folder>/<zone>/current      the name of the version that counts

A version's folder gets its name by a rename when all its files are on disk, and `current` is replaced by a rename after
that. So a reader sees the earlier version or the new one, whoever is killed when. A version never changes.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.project import checked_id
from pipeline.replacing import replacing

FORMAT = 1
SUMMARY = "summary.json"
_CURRENT = "current"
_VERSION = re.compile(r"[0-9a-f]{32}\Z")
_TRIES = 3


@dataclass(frozen=True, slots=True)
class SharedZone:
    """A zone's version in the shared folder, its files checked against their hashes."""

    folder: Path
    state: str
    """The zone state digest that its texts were chosen for."""


class SharedFolderError(UserError):
    """A version in the shared folder that cannot be used; the zone's next bake replaces it."""


def read_zone(folder: Path, zone_id: str) -> SharedZone | None:
    """The version of a zone that counts; None when there is none. Raises `SharedFolderError` for a damaged one."""
    place = folder / checked_id(zone_id)
    for last in reversed(range(_TRIES)):
        name = _current(place)
        if name is None:
            return None
        try:
            return _checked(place / name, name)
        except FileNotFoundError as error:
            # Two newer versions came while this one was read: the earliest of the three is gone.
            if not last:
                raise _unusable(place / name, f"{error.filename} is missing") from error
    raise AssertionError("the last try returns or raises")


def write_zone(folder: Path, zone_id: str, state: str, files: Mapping[str, Path], facts: Mapping[str, Any]) -> Path:
    """Copies `files` (by their names there) as the version of a zone that counts from now on; gives its folder.

    The version is named by the state and the files' content, but for the bake store's. It and the one before it are
    kept. Raises `UserError` when the folder cannot be written; the version that counted until then still does.
    """
    place = folder / checked_id(zone_id)
    hashes = {name: _sha256(path) for name, path in files.items()}
    version = _version_name(state, hashes)
    target = place / version
    summary = {**facts, "format": FORMAT, "zone": zone_id, "state": state, "files": hashes}
    if not _is_sound(target, version):
        _remove(target)
        try:
            with replacing(target) as fresh:
                fresh.mkdir()
                for name, path in files.items():
                    shutil.copyfile(path, fresh / name)
                (fresh / SUMMARY).write_text(f"{json.dumps(summary, ensure_ascii=False, indent=1)}\n", encoding="utf-8")
        except UserError:
            if not _is_sound(target, version):  # else another machine wrote the same version meanwhile
                raise
    before = _current(place)
    with replacing(place / _CURRENT) as fresh:
        fresh.write_text(f"{version}\n", encoding="utf-8")
    _forget_others(place, {version, before})
    return target


def is_shared(folder: Path, zone_id: str, state: str, files: Mapping[str, Path]) -> bool:
    """True when the version that counts holds just these texts. `files` as for `write_zone`, without the bake store."""
    place = folder / checked_id(zone_id)
    version = _version_name(state, {name: _sha256(path) for name, path in files.items()})
    return _current(place) == version and _is_sound(place / version, version)


def _checked(path: Path, name: str) -> SharedZone:
    if not _VERSION.match(name):
        raise _unusable(path.parent / _CURRENT, "it names no version")
    try:
        summary = json.loads((path / SUMMARY).read_text(encoding="utf-8"))
        version, state, hashes = summary["format"], str(summary["state"]), dict(summary["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise _unusable(path / SUMMARY, f"it cannot be read: {error}") from error
    if version != FORMAT:
        raise _unusable(path, f"it has format {version}, this voicebake knows format {FORMAT}")
    for file, expected in hashes.items():
        if _sha256(path / Path(file).name) != expected:
            raise _unusable(path / file, "it is not what was written")
    return SharedZone(path, state)


def _is_sound(path: Path, name: str) -> bool:
    if not path.is_dir():
        return False
    try:
        _checked(path, name)
    except (SharedFolderError, OSError):
        return False  # it is written anew
    return True


def _version_name(state: str, hashes: Mapping[str, str]) -> str:
    """Equal for equal texts: two machines that baked one zone write one version. Bake stores hold times as well."""
    content = {name: digest for name, digest in hashes.items() if not name.endswith(".sqlite")}
    return hashlib.sha256(json.dumps([state, content], sort_keys=True).encode()).hexdigest()[:32]


def _current(place: Path) -> str | None:
    """What the zone's `current` names; None when there is none. Raises `SharedFolderError`."""
    try:
        return (place / _CURRENT).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(place / _CURRENT, str(error)) from error


def _forget_others(place: Path, keep: set[str | None]) -> None:
    for path in place.iterdir():
        if path.is_dir() and _VERSION.match(path.name) and path.name not in keep:
            _remove(path)


def _remove(path: Path) -> None:
    """Removes a version. Another machine may do the same at the same time."""
    shutil.rmtree(path, ignore_errors=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unusable(path: Path, reason: str) -> SharedFolderError:
    return SharedFolderError(
        f"{path}: this shared zone cannot be used: {reason}.",
        "The zone's next bake writes it anew; until then its earlier texts stand.",
    )
