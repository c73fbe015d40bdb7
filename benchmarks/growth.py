"""How a bake's time grows with the number of lines. Run: `python -m benchmarks.growth`.

Zones of 10 to 1,000 lines are baked afresh, through the real engine, rules, bake stores, zone-wide rules, Parquet files
and queues. So that this ends in minutes, every line has one variant, one candidate and a few tokens; measured is how
much dearer a line is in a large zone than in a small one, not what a line of a game takes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.bake import Silent, Workspace, generate_zone, plan_zone, publish_zone, queue_zone
from pipeline.generation.machine import usable_cores
from pipeline.project import Project
from pipeline.settings import ModelSettings, SamplingSettings, Settings
from pipeline.store import STORE_NAME, BakeStore

SIZES = (10, 30, 100, 300, 1000)
OUTPUT_TOKENS = 8
_LINES_PER_NPC = 20
_CULTURE = "van_maanens_star"
_THINGS = (
    *("pump", "gate", "lift", "hatch", "lamp", "crane", "hose", "seal", "fan", "cable"),
    *("winch", "tank", "valve", "rail", "door", "press", "drill", "belt", "scale", "stove"),
)
_FAULTS = ("is stuck", "runs hot", "leaks", "is shut", "drips", "is cold", "rattles", "is in use", "smells", "works")
_WHEN = ("again", "today", "for now", "since last shift", "as ever")


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds by number of lines, and how they fit a straight line."""

    seconds: Mapping[int, float]
    """From planning to the written queue; the model is loaded and the rules are built before."""
    start: float
    """Seconds of an empty zone, by the fit."""
    per_line: float
    """Seconds of a further line, by the fit over all sizes but the largest."""

    @property
    def largest_beside_fit(self) -> float:
        """Seconds of the largest zone beside what the smaller ones let expect: 1 is linear."""
        largest = max(self.seconds)
        return self.seconds[largest] / (self.start + self.per_line * largest)

    def as_json(self) -> dict[str, Any]:
        """For scripts; keys are numbers of lines."""
        return {
            "seconds": {str(size): seconds for size, seconds in self.seconds.items()},
            "seconds_per_line": {str(size): seconds / size for size, seconds in self.seconds.items()},
            "fit_seconds_per_line": self.per_line,
            "fit_start_seconds": self.start,
            "largest_beside_fit": self.largest_beside_fit,
        }


def grow(root: Path, sizes: Sequence[int], threads: int) -> Growth:
    """Bakes a zone of each size in a project of its own, with cultures, prompts and models of the project at `root`."""
    with tempfile.TemporaryDirectory(prefix="voicebake-growth-") as folder:
        project = _project(root, Path(folder), sizes)
        settings = Settings(
            model=ModelSettings(path=None, allow_other_model=False, threads=threads),
            sampling=SamplingSettings.model_validate({"candidates": 1, "rounds": 1}),
        )
        with Workspace.open(project, settings) as workspace:
            _bake(workspace, "warm_up")
            seconds = {size: _bake(workspace, f"lines_{size}") for size in sizes}
    return fitted(seconds)


def fitted(seconds: Mapping[int, float]) -> Growth:
    """The straight line through all sizes but the largest, weighted so that each size counts by its own time."""
    sizes = sorted(seconds)[:-1] if len(seconds) > 2 else sorted(seconds)
    times = np.array([seconds[size] for size in sizes])
    per_line, start = np.polyfit(np.array(sizes, dtype=float), times, 1, w=1 / times)
    return Growth(dict(sorted(seconds.items())), float(start), float(per_line))


def _bake(workspace: Workspace, zone_id: str) -> float:
    """Seconds of one zone's bake, cut to one variant per line."""
    started = time.perf_counter()
    plan = plan_zone(workspace, zone_id)
    jobs = tuple(replace(job, jobs=job.jobs[:1], max_tokens=OUTPUT_TOKENS) for job in plan.jobs)
    with BakeStore(workspace.project.zone_build(zone_id) / STORE_NAME) as store:
        plan = replace(plan, jobs=jobs)
        results = generate_zone(workspace, plan, store, Silent()).results
        queue_zone(workspace, plan, results, publish_zone(workspace, plan, store, results))
    return time.perf_counter() - started


def _project(root: Path, folder: Path, sizes: Sequence[int]) -> Project:
    for shared in ("cultures", "prompts"):
        shutil.copytree(root / shared, folder / shared)
    (folder / "build").mkdir()
    for kept in (root / "build").glob("inflections-*.json"):
        shutil.copy(kept, folder / "build")
    (root / "build" / "models").mkdir(parents=True, exist_ok=True)
    (folder / "build" / "models").symlink_to(root / "build" / "models", target_is_directory=True)
    for name, size in (("warm_up", 2), *((f"lines_{size}", size) for size in sizes)):
        _write_zone(folder / "zones" / name, size)
    return Project(folder.resolve())


def _write_zone(folder: Path, size: int) -> None:
    (folder / "npcs").mkdir(parents=True)
    hub = "true" if folder.name == "warm_up" else "false"
    (folder / "zone.ron").write_text(
        f'Zone(id: "{folder.name}", name: "Yard", hub: {hub}, default_culture: "{_CULTURE}", adjacent_zones: [])\n',
        encoding="utf-8",
    )
    texts = [f"The {thing} {fault} {when}." for when, fault, thing in itertools.product(_WHEN, _FAULTS, _THINGS)]
    for number, start in enumerate(range(0, size, _LINES_PER_NPC)):
        npc_id = f"{folder.name}_{number}"
        lines = ", ".join(
            f'(id: "line_{place}", base_text: "{texts[place]}")'
            for place in range(start, min(start + _LINES_PER_NPC, size))
        )
        (folder / "npcs" / f"{npc_id}.ron").write_text(
            "#![enable(implicit_some)]\n"
            f'Npc(id: "{npc_id}", name: "Hand {number}", role: "yard hand", tier: Ambient, traits: ["plain"], '
            f'mood: "even", observable_behaviors: [], dialogue: [{lines}])\n',
            encoding="utf-8",
        )


def table(found: Mapping[str, Any]) -> str:
    """`Growth.as_json` as text."""
    rows = [
        f"  {size:>6} lines {found['seconds'][size]:>9.1f} s {1000 * per_line:>9.1f} ms per line"
        for size, per_line in found["seconds_per_line"].items()
    ]
    line, start = 1000 * found["fit_seconds_per_line"], found["fit_start_seconds"]
    fit = f"  fit: {line:.1f} ms per line, {start:.2f} s at the start"
    return "\n".join([*rows, fit, f"  largest zone beside the fit of the others: {found['largest_beside_fit']:.2f}"])


def main() -> None:
    """Parses the command line, runs, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of lines, up to 1000 each")
    options = parser.parse_args()
    sizes = sorted({min(int(size), SIZES[-1]) for size in options.sizes.split(",")})
    found = grow(Project.find(Path(__file__).parents[1]).root, sizes, options.threads).as_json()
    print(json.dumps(found) if options.json else table(found))


if __name__ == "__main__":
    main()
