"""How fast a voice cache opens and answers, and what building a large one takes.

    python benchmarks/cache.py [--quick] [--json]

Texts are made up from a word list with a fixed seed, about as long as real lines. `--quick` builds a cache of 100,000
rows where the full run builds one of 1,000,000. A row is a row of `voiced_lines`. `--json` prints one line:

- `preload_10k_ms`: opening a cache of 10,000 rows and taking all of it into memory; median of 9.
- `lookup_p50_us`: one `VoiceCache.line` after that; median over 2,000 series of 50 lookups in random order.
- `cold_lookup_ms`: the first `VoiceCache.line` after opening the large cache, nothing preloaded; median of 25.
- `build_peak_mb`: the most memory that a process held which wrote the large cache's zone files and merged them.
- `bytes_per_row`: size of the large cache file by its rows.

Beside them: `open_ms` (opening the large cache), `build_s`, `rows`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pipeline.cache import BaseRow, VoiceCache, VoicedRow, ZoneRows, merge_draft, write_zone_parquet
from pipeline.content.terms import Kind, TellState
from pipeline.project import Project
from pipeline.prompting.jobs import VariantKey

WORDS = """
lift pump seal dock shift loader panel gate crew tug line again nobody came morning look right gone back over under the
a one it that was not is on off out up down now then here there need take leave hold check fix run late early fine slow
tight loose cold next last wait move pay mark sign count street hull lock crate cable
"""
LINES_PER_NPC = 20
ZONE_NPCS = 80
STATES = tuple(TellState)
_WORDS = WORDS.split()


def text_of(numbers: random.Random) -> str:
    return " ".join(numbers.choices(_WORDS, k=numbers.randint(5, 16))).capitalize() + "."


def names(line: int) -> tuple[str, str, str]:
    """Zone, NPC and line id of the line with this number."""
    npc = line // LINES_PER_NPC
    # People's names differ in their first letters; ids that share eight of them would defeat DuckDB's block statistics.
    given, family = _WORDS[npc % len(_WORDS)], _WORDS[npc // len(_WORDS) % len(_WORDS)]
    return f"zone_{npc // ZONE_NPCS:04}", f"{given}_{family}_{npc}", f"line_{line % LINES_PER_NPC:02}"


def zones(rows: int) -> Iterator[tuple[str, ZoneRows]]:
    """Zones with `rows` variants together, one after the other."""
    numbers = random.Random(0)
    lines = range(-(-rows // len(STATES)))
    per_zone = LINES_PER_NPC * ZONE_NPCS
    for start in range(0, len(lines), per_zone):
        part = lines[start : start + per_zone]
        base = []
        voiced = []
        for line in part:
            _, npc, line_id = names(line)
            base.append(BaseRow(npc, line_id, "culture", Kind.dialogue, text_of(numbers), anchor=False))
            for state in STATES[: max(0, min(len(STATES), rows - line * len(STATES)))]:
                key = VariantKey(npc, line_id, state, "culture")
                voiced.append(VoicedRow(key, Kind.dialogue, text_of(numbers)))
        yield names(part[0])[0], ZoneRows(tuple(base), (), tuple(voiced))


def build(folder: Path, rows: int) -> int:
    """Writes the zones and merges them; gives the peak memory of this process in bytes."""
    project = Project(folder)
    zone_ids = []
    for zone_id, zone_rows in zones(rows):
        write_zone_parquet(project, zone_id, zone_rows, state="benchmark")
        zone_ids.append(zone_id)
    summary = merge_draft(project, zone_ids, {})
    if summary.voiced_lines != rows:
        raise SystemExit(f"the cache holds {summary.voiced_lines} rows, not {rows}")
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def built(folder: Path, rows: int) -> tuple[Path, int, float]:
    """Builds in a process of its own, so that its memory is its own; gives the cache, peak bytes and seconds."""
    started = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        peak = pool.apply(build, (folder, rows))
    return Project(folder).draft_cache, peak, time.perf_counter() - started


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def preload(path: Path) -> None:
    with VoiceCache(path) as cache:
        cache.preload()


def lookup_seconds(path: Path, rows: int) -> float:
    numbers = random.Random(1)
    lines = rows // len(STATES)
    with VoiceCache(path) as cache:
        cache.preload()
        series = []
        for _ in range(2000):
            keys = [(*names(numbers.randrange(lines))[1:], str(numbers.choice(STATES))) for _ in range(50)]
            started = time.perf_counter()
            for npc, line_id, state in keys:
                cache.line(npc, line_id, state)
            series.append((time.perf_counter() - started) / len(keys))
    return statistics.median(series)


def cold_seconds(path: Path, rows: int) -> tuple[float, float]:
    """Opening, and the first lookup after it."""
    numbers = random.Random(2)
    opening, lookups = [], []
    for _ in range(25):
        _, npc, line_id = names(numbers.randrange(rows // len(STATES)))
        started = time.perf_counter()
        with VoiceCache(path) as cache:
            opening.append(time.perf_counter() - started)
            started = time.perf_counter()
            cache.line(npc, line_id, "Guarded")
            lookups.append(time.perf_counter() - started)
    return statistics.median(opening), statistics.median(lookups)


def measure(folder: Path, large_rows: int) -> dict[str, float]:
    large, peak, build_seconds = built(folder / "large", large_rows)
    small, _, _ = built(folder / "small", 10_000)
    open_seconds, cold = cold_seconds(large, large_rows)
    return {
        "preload_10k_ms": round(statistics.median(seconds(lambda: preload(small)) for _ in range(9)) * 1e3, 1),
        "lookup_p50_us": round(lookup_seconds(small, 10_000) * 1e6, 3),
        "cold_lookup_ms": round(cold * 1e3, 2),
        "build_peak_mb": round(peak / 1e6, 1),
        "bytes_per_row": round(large.stat().st_size / large_rows, 1),
        "open_ms": round(open_seconds * 1e3, 1),
        "build_s": round(build_seconds, 1),
        "rows": large_rows,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the voice cache.")
    parser.add_argument("--quick", action="store_true", help="a large cache of 100,000 rows, not 1,000,000")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = measure(Path(folder), 100_000 if options.quick else 1_000_000)
    if options.json:
        print(json.dumps(results))
    else:
        for name, value in results.items():
            print(f"{name:>15}  {value:,}")


if __name__ == "__main__":
    main()
