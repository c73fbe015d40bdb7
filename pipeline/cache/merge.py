"""Building a cache: the zones' Parquet files go into a fresh DuckDB file, which then takes the earlier one's place."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from pipeline.cache.errors import CacheError
from pipeline.cache.schema import FROM_ZONES, ROW_ORDER, SCHEMA_VERSION, TABLES
from pipeline.cache.summary import CacheSummary, summarised
from pipeline.cache.zone_parquet import damaged_zone, zone_parquet_path, zone_parquet_state
from pipeline.project import Project
from pipeline.prompting.jobs import VariantKey
from pipeline.replacing import replacing

MEMORY_LIMIT = "1GB"
"""What DuckDB may hold while it sorts; beyond it, it spills beside the new file."""


def merge_draft(project: Project, zone_ids: Sequence[str], manifest: Mapping[str, str]) -> CacheSummary:
    """Builds `build/draft.duckdb` from the zones that have been baked. See `merge_cache`."""
    return merge_cache(project, zone_ids, project.draft_cache, manifest)


def merge_cache(
    project: Project,
    zone_ids: Sequence[str],
    target: Path,
    manifest: Mapping[str, str],
    *,
    withheld: Iterable[VariantKey] = (),
    decided_only: Collection[str] = (),
    states: Mapping[str, str] | None = None,
) -> CacheSummary:
    """Builds the cache `target` from the zones' files, without the variants in `withheld`, which then fall back.

    Of the zones in `decided_only` no variant is taken that no person approved or wrote, named in `withheld` or not.
    `states`, where given, are the zone state digests that the zones' files must have.

    `manifest` is recorded as it is, beside what the merge itself knows: `schema_version`, `built_at` (UTC), `zones`,
    `zone_state.<zone>`, `rows.<table>`, `coverage.<...>` and `content_digest`. `target` is replaced as a whole; the
    earlier file survives any failure. Raises `CacheError` for a damaged zone file, for one of another state, and for
    an NPC that stands in two zones, `UserError` when the file cannot be written, `ValueError` when `manifest` claims
    one of the merge's own keys.
    """
    found = {zone: zone_parquet_state(project, zone) for zone in sorted(set(zone_ids))}
    for zone, state in (states or {}).items():
        if found.get(zone) != state:
            raise damaged_zone(zone_parquet_path(project, zone), "it was written for another state of the zone")
    baked = {zone: state for zone, state in found.items() if state is not None}
    with replacing(target) as fresh, _fresh_database(fresh) as connection:
        files = {zone: zone_parquet_path(project, zone) for zone in baked}
        for zone, path in files.items():
            _check_zone(connection, zone, path)
        _create_tables(connection, withheld)
        if files:
            _fill_tables(connection, [str(path) for path in files.values()], sorted(decided_only))
        _refuse_shared_npcs(connection)
        summary = summarised(connection, target, baked, found)
        _write_manifest(connection, manifest, _own_manifest(summary, baked))
    return summary


@contextmanager
def _fresh_database(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    try:
        with duckdb.connect(
            str(path), config={"memory_limit": MEMORY_LIMIT, "temp_directory": f"{path}.spill"}
        ) as connection:
            connection.execute("SET enable_progress_bar = false")
            connection.execute("BEGIN")
            yield connection
            connection.execute("COMMIT")
            connection.execute("CHECKPOINT")
    except duckdb.Error as error:
        raise CacheError(
            f"{path.parent}: the cache could not be built: {' '.join(str(error).split())}",
            "The earlier cache is untouched. Look at free space and rights, then run again.",
        ) from error


def _check_zone(connection: duckdb.DuckDBPyConnection, zone: str, path: Path) -> None:
    """Reads a zone's file through once, so that a damaged one is named before anything is built on it."""
    try:
        strangers = connection.execute(
            "SELECT count(*) FILTER (zone_id <> ?), max(record), sum(strlen(text)) FROM read_parquet(?)",
            [zone, str(path)],
        ).fetchall()[0][0]
    except duckdb.Error as error:
        raise damaged_zone(path, str(error)) from error
    if strangers:
        raise damaged_zone(path, "it holds texts of another zone")


_DECIDED = "AND NOT (list_contains(?::VARCHAR[], zone_id) AND coalesce(source, '') NOT IN ('approved', 'edited'))"

# In the statements below every name is one of schema.py's own; every value is a parameter.


def _create_tables(connection: duckdb.DuckDBPyConnection, withheld: Iterable[VariantKey]) -> None:
    for table, columns in TABLES.items():
        connection.execute(f"CREATE TABLE {table} ({', '.join(f'{name} {kind}' for name, kind in columns.items())})")
    connection.execute("CREATE TABLE manifest (key VARCHAR NOT NULL, value VARCHAR NOT NULL)")
    connection.execute(
        "CREATE TEMP TABLE withheld (npc_id VARCHAR, line_id VARCHAR, tell_state VARCHAR, culture_id VARCHAR)"
    )
    keys = [(key.npc_id, key.line_id, str(key.tell_state), key.culture_id) for key in withheld]
    _insert(connection, "withheld", keys, columns=4)


def _fill_tables(connection: duckdb.DuckDBPyConnection, files: list[str], decided_only: list[str]) -> None:
    for table, columns in TABLES.items():
        record, renamed = FROM_ZONES[table]
        source = ", ".join(f"{renamed.get(name, name)} AS {name}" for name in columns)
        guard = _DECIDED if record == "voiced" and decided_only else ""
        barred = "ANTI JOIN withheld USING (npc_id, line_id, tell_state, culture_id)" if record == "voiced" else ""
        connection.execute(
            f"INSERT INTO {table} SELECT {source} FROM read_parquet(?, union_by_name = true) {barred} "  # noqa: S608
            f"WHERE record = ? {guard} ORDER BY {', '.join(ROW_ORDER[table])}",
            [files, record, *([decided_only] if guard else [])],
        )


def _refuse_shared_npcs(connection: duckdb.DuckDBPyConnection) -> None:
    shared = connection.execute(
        "SELECT npc_id, list(DISTINCT zone_id ORDER BY zone_id) FROM "
        "(SELECT npc_id, zone_id FROM base_lines UNION SELECT npc_id, zone_id FROM tells) "
        "GROUP BY npc_id HAVING count(*) > 1 ORDER BY npc_id LIMIT 1"
    ).fetchone()
    if shared:
        npc_id, zones = shared
        raise CacheError(
            f"NPC {npc_id} stands in the baked texts of more than one zone: {', '.join(zones)}.",
            f"One of them is from before the NPC moved. Run: voicebake bake {' '.join(zones)}",
        )


def _own_manifest(summary: CacheSummary, baked: Mapping[str, str]) -> dict[str, str]:
    return {
        "schema_version": str(SCHEMA_VERSION),
        "built_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "zones": json.dumps(summary.zones),
        **{f"zone_state.{zone}": state for zone, state in baked.items()},
        "rows.base_lines": str(summary.base_lines),
        "rows.tells": str(summary.tells),
        "rows.voiced_lines": str(summary.voiced_lines),
        **{f"coverage.{tier}": str(count) for tier, count in asdict(summary.coverage).items()},
        "content_digest": summary.content_digest,
    }


def _write_manifest(connection: duckdb.DuckDBPyConnection, given: Mapping[str, str], own: Mapping[str, str]) -> None:
    claimed = sorted(given.keys() & own.keys())
    if claimed:
        raise ValueError(f"the manifest's {', '.join(claimed)} are written by the merge itself")
    _insert(connection, "manifest", sorted({**given, **own}.items()), columns=2)


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[tuple[str, ...]], *, columns: int
) -> None:
    """Inserts all rows in one statement: DuckDB takes them one by one at a hundredth of the speed."""
    values = [[row[column] for row in rows] for column in range(columns)]
    places = ", ".join(["unnest(?::VARCHAR[])"] * columns)
    connection.execute(f"INSERT INTO {table} SELECT {places}", values)
