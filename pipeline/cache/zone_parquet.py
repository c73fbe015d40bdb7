"""The file that a finished zone leaves for the caches: `build/zones/<zone>/voiced_lines.parquet`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.cache.errors import CacheError
from pipeline.cache.rows import ZoneRows
from pipeline.project import Project
from pipeline.replacing import replacing

SCHEMA = pl.Schema(
    {
        "record": pl.String,  # base, tell or voiced: which of the cache's tables the row belongs to
        "npc_id": pl.String,
        "line_id": pl.String,  # null in tells
        "tell_state": pl.String,  # the variant's state, or the tell's category; null in base
        "ordinal": pl.Int32,  # place of a tell within its category; null elsewhere
        "culture_id": pl.String,  # null in tells
        "zone_id": pl.String,
        "kind": pl.String,  # dialogue or behavior; null in tells
        "anchor": pl.Boolean,  # null except in base
        "text": pl.String,
        "source": pl.String,  # how a variant came to be chosen: generated, approved or edited; null elsewhere
        "reviewer": pl.String,  # who approved or wrote a variant; null elsewhere
    }
)
"""One row per text that the game can show. All three sorts share one file, so that they are replaced together."""

KEY = ("record", "npc_id", "line_id", "tell_state", "ordinal")
"""Unique, and the order of the rows."""

FORMAT_VERSION = 2

_READABLE = {"1", "2"}
"""Version 1 lacks what people decided; all that a merge takes is there."""

_FORMAT = "voicebake.format"
_STATE = "voicebake.zone_state"


def zone_parquet_path(project: Project, zone_id: str) -> Path:
    """Where a zone's file stands. Raises `UserError` for an id that is no plain name."""
    return project.zone_build(zone_id) / "voiced_lines.parquet"


def write_zone_parquet(project: Project, zone_id: str, rows: ZoneRows, *, state: str) -> Path:
    """Writes a zone's texts (`SCHEMA`) and the zone state digest that they were chosen for; gives the path.

    The earlier file is replaced as a whole. The same rows, in whatever order, give the same bytes with one version of
    Polars. Raises `ValueError` for two rows of one key and for a variant of no line or of an anchor, `UserError` when
    the file cannot be written.
    """
    _check_variants(zone_id, rows)
    frame = pl.DataFrame(list(_records(zone_id, rows)), schema=SCHEMA, orient="row").sort(KEY, nulls_last=False)
    doubled = frame.filter(frame.select(KEY).is_duplicated())
    if doubled.height:
        raise ValueError(f"zone {zone_id}: more than one text for {doubled.select(KEY).row(0)}")
    path = zone_parquet_path(project, zone_id)
    with replacing(path) as fresh:
        frame.write_parquet(fresh, compression="zstd", metadata={_FORMAT: str(FORMAT_VERSION), _STATE: state})
    return path


def zone_parquet_state(project: Project, zone_id: str) -> str | None:
    """The zone state digest in a zone's file; None when there is no file. Raises `CacheError` for a damaged one."""
    path = zone_parquet_path(project, zone_id)
    if not path.is_file():
        return None
    try:
        metadata = pl.read_parquet_metadata(path)
    except pl.exceptions.PolarsError as error:
        raise damaged_zone(path, str(error)) from error
    version = metadata.get(_FORMAT)
    if version is None or _STATE not in metadata:
        raise damaged_zone(path, "it was not written by voicebake")
    if version not in _READABLE:
        raise damaged_zone(
            path, f"it has format version {version}, this voicebake knows versions up to {FORMAT_VERSION}"
        )
    return metadata[_STATE]


def damaged_zone(path: Path, reason: str) -> CacheError:
    """The zone file at `path` cannot be merged; it is generated, so the remedy is to make it again."""
    return CacheError(
        f"{path}: this zone's texts cannot be read: {' '.join(reason.split())}.",
        f"Remove the file and run `voicebake bake {path.parent.name}`; stored candidates are used again.",
    )


def _check_variants(zone_id: str, rows: ZoneRows) -> None:
    lines = {(base.npc_id, base.line_id) for base in rows.base if not base.anchor}
    for voiced in rows.voiced:
        if (voiced.key.npc_id, voiced.key.line_id) not in lines:
            raise ValueError(f"zone {zone_id}: {voiced.key} is a variant of no line that is re-voiced")


def _records(zone_id: str, rows: ZoneRows) -> Iterator[tuple[Any, ...]]:
    for base in rows.base:
        yield (
            "base",
            base.npc_id,
            base.line_id,
            None,
            None,
            base.culture_id,
            zone_id,
            str(base.kind),
            base.anchor,
            base.text,
            None,
            None,
        )
    for tell in rows.tells:
        place = (tell.npc_id, None, str(tell.category), tell.ordinal)
        yield "tell", *place, None, zone_id, None, None, tell.text, None, None
    for voiced in rows.voiced:
        key = voiced.key
        yield (
            "voiced",
            key.npc_id,
            key.line_id,
            str(key.tell_state),
            None,
            key.culture_id,
            zone_id,
            str(voiced.kind),
            None,
            voiced.text,
            voiced.source,
            voiced.reviewer,
        )
