"""The voice caches: what a finished zone writes, the merge into one DuckDB file, and the reader.

Names that need Polars or DuckDB are loaded when they are first asked for; importing this package stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pipeline.cache.ambient import AmbientLines
from pipeline.cache.errors import CacheError, SlotError, UnknownText
from pipeline.cache.manifest import engine_manifest
from pipeline.cache.reader import VoiceCache
from pipeline.cache.rows import BaseRow, TellRow, VoicedRow, ZoneRows, zone_rows
from pipeline.cache.texts import CachedLine, LineInfo, Source

if TYPE_CHECKING:
    from pipeline.cache.diff import CacheDiff, LineChange, TellChange, diff_caches
    from pipeline.cache.export import export_jsonl, export_parquet
    from pipeline.cache.merge import merge_cache, merge_draft
    from pipeline.cache.summary import CacheSummary, Coverage
    from pipeline.cache.zone_parquet import write_zone_parquet, zone_parquet_path, zone_parquet_state

_HOMES = {
    "CacheDiff": "diff",
    "LineChange": "diff",
    "TellChange": "diff",
    "diff_caches": "diff",
    "export_jsonl": "export",
    "export_parquet": "export",
    "CacheSummary": "summary",
    "Coverage": "summary",
    "merge_cache": "merge",
    "merge_draft": "merge",
    "write_zone_parquet": "zone_parquet",
    "zone_parquet_path": "zone_parquet",
    "zone_parquet_state": "zone_parquet",
}

__all__ = [
    "AmbientLines",
    "BaseRow",
    "CacheDiff",
    "CacheError",
    "CacheSummary",
    "CachedLine",
    "Coverage",
    "LineChange",
    "LineInfo",
    "SlotError",
    "Source",
    "TellChange",
    "TellRow",
    "UnknownText",
    "VoiceCache",
    "VoicedRow",
    "ZoneRows",
    "diff_caches",
    "engine_manifest",
    "export_jsonl",
    "export_parquet",
    "merge_cache",
    "merge_draft",
    "write_zone_parquet",
    "zone_parquet_path",
    "zone_parquet_state",
    "zone_rows",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"pipeline.cache.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
