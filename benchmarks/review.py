"""What reviewing a very large zone takes: building its queue, opening it, deciding on one variant.

    python -m benchmarks.review [--variants 5000] [--json]

The zone is the demo's hub with copies of its people, baked with the fake engine of the tests, so that all texts wait.
`--json` prints one line:

- `variants`, `lines`, `queue_mb`: what waits, and the size of the queue file.
- `queue_build_s`: from judged lines to choices, Parquet file and queue (zone-wide rules, word diffs, earlier texts).
- `rebuild_s`: what `voicebake verdict` and an import do at their end: plan, judge what changed, queue, draft. Both are
  medians of 3; `..._cpu_s` is the processor's time alone.
- `queue_read_ms`: reading the queue, as a terminal does when it opens.
- `terminal_open_s`: from the start of `voicebake review ZONE` to its first whole screen (pseudo-terminal); median of 5.
- `decide_ms`: one decision of a session, on disk; median of 9.
- `bulk_s`: approving 600 variants of 100 lines in one step.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from pipeline.cli.review_terminal.commands import FOOT

HERE = Path(__file__).parent.parent
ZONE = "sova_transit_district"
_VOICED = 0.8
"""Share of variants that the fake engine gets through the rules, at least; the others do not wait."""


def large_project(root: Path, variants: int) -> Path:
    """The demo with as many copies of the hub's people as `variants` takes; without adapters, which the fake engine
    has no use for."""
    for folder in ("zones", "cultures", "prompts"):
        shutil.copytree(HERE / folder, root / folder, ignore=shutil.ignore_patterns("*.gguf", "voice.json"))
    for culture in root.glob("cultures/*/culture.ron"):
        culture.write_text(re.sub(r"(?m)^\s*adapter:.*\n", "", culture.read_text("utf-8")), "utf-8")
    npcs = root / "zones" / ZONE / "npcs"
    originals = sorted(npcs.glob("*.ron"))
    lines = sum(len(re.findall(r"\bid: ", path.read_text("utf-8"))) - 1 for path in originals)
    for copy in count(1):
        if _VOICED * 6 * lines * copy >= variants:
            return root
        for path in originals:
            text = re.sub(r'\A(.*?\bid: "[^"]+)"', rf'\1_{copy}"', path.read_text("utf-8"), count=1, flags=re.S)
            (npcs / f"{path.stem}_{copy}.ron").write_text(text, "utf-8")
    raise AssertionError


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    started = clock()
    work()
    return clock() - started


def thrice(work: Callable[[], object]) -> tuple[float, float]:
    """Median of three times on the clock, and of three of the processor alone: the machine may have other work."""
    clocks = time.perf_counter, time.process_time
    found = [[seconds(work, clock) for _ in range(3)] for clock in clocks]
    return statistics.median(found[0]), statistics.median(found[1])


def terminal_open(root: Path) -> float:
    """Seconds until the terminal reviewer, a process of its own, shows the queue."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pipeline.cli", "review", ZONE, "--project", str(root), "--reviewer", "Benchmark"]
    started = time.perf_counter()
    reviewer = subprocess.Popen(
        command, cwd=HERE, env=os.environ | {"TERM": "xterm"}, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while FOOT.encode() not in shown:
        if not (got := os.read(ours, 65536)):
            raise SystemExit(shown.decode(errors="replace"))
        shown += got
    taken = time.perf_counter() - started
    reviewer.kill()
    reviewer.wait()
    os.close(ours)
    return taken


def measure(root: Path) -> dict[str, float]:
    from pipeline.bake import ReviewSession, Silent, Workspace, bake, judge_zone, plan_zone, rebuild
    from pipeline.bake.finish import publish_zone
    from pipeline.bake.queueing import queue_zone
    from pipeline.content.terms import TellState
    from pipeline.project import Project
    from pipeline.review import Action, Decision, queue_path, read_queue
    from pipeline.store import STORE_NAME, BakeStore

    project = Project(root)
    with Workspace.open(project) as workspace:
        bake(workspace, [ZONE], Silent())
        plan = plan_zone(workspace, ZONE)
        with BakeStore(project.zone_build(ZONE) / STORE_NAME) as store:
            results = judge_zone(workspace, plan, store)
            build = thrice(lambda: queue_zone(workspace, plan, results, publish_zone(workspace, plan, store, results)))
        rebuilt = thrice(lambda: rebuild(workspace, ZONE))
        read = seconds(lambda: read_queue(project, ZONE))
        opened = statistics.median(terminal_open(root) for _ in range(5))
        rows = read_queue(project, ZONE)
        size = queue_path(project, ZONE).stat().st_size

        def of(row: dict[str, object], states: list[str]) -> list[Decision]:
            npc = row["npc"]["id"]  # type: ignore[index]
            return [Decision(Action.approve, npc, str(row["line_id"]), TellState(state)) for state in states]

        waiting = [(row, [v["tell_state"] for v in row["variants"] if v["pending"]]) for row in rows]
        with ReviewSession.open(workspace, ZONE, "Benchmark") as session:
            single = [seconds(lambda at=at: session.decide(of(waiting[at][0], waiting[at][1][:1]))) for at in range(10)]
            many = [one for row, states in waiting[10:110] for one in of(row, states)]
            bulk = seconds(lambda: session.decide(many))
    return {
        "variants": sum(len(states) for _, states in waiting),
        "lines": len(rows),
        "queue_mb": round(size / 1e6, 1),
        "queue_build_s": round(build[0], 2),
        "queue_build_cpu_s": round(build[1], 2),
        "rebuild_s": round(rebuilt[0], 2),
        "rebuild_cpu_s": round(rebuilt[1], 2),
        "queue_read_ms": round(1e3 * read, 1),
        "terminal_open_s": round(opened, 2),
        "decide_first_ms": round(1e3 * single[0], 1),
        "decide_ms": round(1e3 * statistics.median(single[1:]), 1),
        "bulk_variants": len(many),
        "bulk_s": round(bulk, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variants", type=int, default=5000, help="How many variants wait, at least.")
    parser.add_argument("--json", action="store_true", help="One line of JSON.")
    words = parser.parse_args()
    os.environ["VOICEBAKE_ENGINE"] = "fake"
    with tempfile.TemporaryDirectory(prefix="voicebake-review-") as folder:
        found = measure(large_project(Path(folder), words.variants))
    if words.json:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    for name, value in found.items():
        print(f"{name:<16} {value:g}")


if __name__ == "__main__":
    main()
