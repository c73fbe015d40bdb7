"""Many machines in small: everything that deploy/celery needs, started on the loopback address of this one.

    python deploy/celery/loopback.py --project FOLDER [--workers 2] [ZONE ...]

starts Redis, PostgreSQL, a code server, Dagster's daemon and web page, and the workers, each with a checkout and a
`build/` of its own, as on another machine; bakes the zones, one run each; merges the draft of FOLDER once; stops all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from dagster_page import DagsterPage, Runs  # noqa: E402
from services import free_port, running, services, wait_until  # noqa: E402

REPOSITORY = HERE.parents[1]
CONTENT = ("zones", "cultures", "prompts", "review_queue", "voicebake.toml")
START_SECONDS = 300.0


@dataclass
class Cluster:
    """What runs, and where it keeps its files."""

    project: Path
    folder: Path
    environment: dict[str, str]
    page: DagsterPage
    workers: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    """By name. Each has its machine's checkout in `folder/<name>` and its log in `folder/<name>.log`."""

    @property
    def shared(self) -> Path:
        """Where finished zones are shared."""
        return Path(self.environment["VOICEBAKE_SHARED"])

    def bake(self, zones: Sequence[str]) -> Runs:
        """Starts one run per zone and gives them; they go on by themselves."""
        return self.page.launch("bake", zones)

    def merge(self) -> None:
        """Merges the draft of the project, once, from what the workers have shared."""
        dg = Path(sys.executable).with_name("dg")
        environment = {**self.environment, "VOICEBAKE_PROJECT": str(self.project)}
        subprocess.run([str(dg), "launch", "--job", "draft"], cwd=REPOSITORY, env=environment, check=True)


@contextmanager
def cluster(project: Path, folder: Path, workers: int) -> Iterator[Cluster]:
    """A cluster on the loopback address for the length of the block. `folder` must be empty."""
    with ExitStack() as stack:
        found = stack.enter_context(services())
        code, page = free_port(), free_port()
        home = folder / "dagster_home"
        home.mkdir()
        shutil.copy(HERE / "dagster.yaml", home)
        environment = {
            **os.environ,
            **found.environment(),
            "DAGSTER_HOME": str(home),
            "PYTHONPATH": os.pathsep.join([str(REPOSITORY), str(HERE), os.environ.get("PYTHONPATH", "")]),
            "VOICEBAKE_WORKERS": str(workers),
            "VOICEBAKE_SHARED": str(folder / "shared"),
            "VOICEBAKE_PROJECT": str(project),
            "VOICEBAKE_CODE_HOST": "127.0.0.1",
            "VOICEBAKE_CODE_PORT": str(code),
        }

        def start(name: str, *words: str, **more: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", *words]
            process = running(command, folder / f"{name}.log", environment=environment | more, cwd=REPOSITORY)
            return stack.enter_context(process)

        workspace = ["-w", str(HERE / "workspace.yaml")]
        start("code", "dagster", "api", "grpc", "-m", "assets.definitions", "-h", "127.0.0.1", "-p", str(code))
        start("page", "dagster_webserver", *workspace, "-h", "127.0.0.1", "-p", str(page))
        made = Cluster(project, folder, environment, DagsterPage(f"http://127.0.0.1:{page}/graphql"))
        wait_until(made.page.is_loaded, "Dagster's definitions", START_SECONDS)
        start("daemon", "dagster._daemon", "run", *workspace)
        for number in range(1, workers + 1):
            name = f"machine{number}"
            checkout(project, folder / name)
            celery = ("celery", "-A", "dagster_celery.app", "worker", "-n", f"{name}@%h", "--loglevel", "INFO")
            made.workers[name] = start(name, *celery, VOICEBAKE_PROJECT=str(folder / name))
        yield made


def checkout(project: Path, target: Path) -> None:
    """Another machine's checkout: the content of `project`, and nothing that was built."""
    target.mkdir()
    for name in CONTENT:
        source = project / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("*.queue.jsonl"))
        elif source.is_file():
            shutil.copy(source, target / name)


def main() -> None:
    """Bakes zones on workers of this machine, shows what became of each, merges once."""
    words = argparse.ArgumentParser(description="Bake zones on several workers of this machine.")
    words.add_argument("zones", nargs="*", metavar="ZONE", help="without them all zones")
    words.add_argument("--project", type=Path, default=REPOSITORY)
    words.add_argument("--workers", type=int, default=2)
    words.add_argument("--hours", type=float, default=12.0, help="give up after that")
    given = words.parse_args()
    project = given.project.resolve()
    zones = given.zones or sorted(path.parent.name for path in project.glob("zones/*/zone.ron"))
    with (
        tempfile.TemporaryDirectory(prefix="voicebake-cluster-") as folder,
        cluster(project, Path(folder), given.workers) as made,
    ):
        print(f"Dagster: {made.page.address.removesuffix('/graphql')}", flush=True)
        runs = made.bake(zones)
        runs.wait(given.hours * 3600, say=lambda text: print(text, flush=True))
        if failed := runs.failed():
            sys.exit(f"Not baked: {', '.join(failed)}. The page of each run says why.")
        made.merge()
    print(f"Baked {len(zones)} zones on {given.workers} workers; draft: {project / 'build/draft.duckdb'}")


if __name__ == "__main__":
    main()
