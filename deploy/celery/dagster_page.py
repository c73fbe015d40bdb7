"""Dagster's web page as a program uses it: start one run per zone, and look at how they go."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

_LOCATION, _REPOSITORY = "voicebake", "__repository__"
_PARTITION = "dagster/partition"
_WILL_RETRY = "dagster/will_retry"
_WAIT_SECONDS = 1.0

_LOADED = "{ repositoriesOrError { ... on RepositoryConnection { nodes { name location { name } } } } }"
_LAUNCH = """
mutation ($params: ExecutionParams!) {
  launchRun(executionParams: $params) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
    ... on RunConfigValidationInvalid { errors { message } }
  }
}"""
_RUNS = """
query ($job: String!) {
  runsOrError(filter: {pipelineName: $job}) {
    ... on Runs { results { runId status rootRunId creationTime tags { key value } } }
  }
}"""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a zone, or a later try of one."""

    id: str
    root: str
    """The id of the first try."""
    zone: str
    status: str
    will_retry: str
    """`true` or `false` once a failed run was looked at; empty before."""
    created: float


class DagsterPage:
    """The GraphQL address of a web server."""

    def __init__(self, address: str) -> None:
        self.address = address

    def is_loaded(self) -> bool:
        """True once the server answers and has read the definitions."""
        try:
            nodes = self._ask(_LOADED)["repositoriesOrError"].get("nodes", [])
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False  # it does not listen yet
        return any(node["location"]["name"] == _LOCATION for node in nodes)

    def launch(self, job: str, zones: Sequence[str]) -> Runs:
        """Starts one run of `job` per zone. Raises `RuntimeError` with Dagster's words when it refuses one."""
        return Runs(self, job, {self._launch(job, zone): zone for zone in zones})

    def runs(self, job: str) -> list[Run]:
        """All runs of a job, the later tries too, oldest first."""
        found = []
        for one in self._ask(_RUNS, job=job)["runsOrError"]["results"]:
            tags = {tag["key"]: tag["value"] for tag in one["tags"]}
            retry = tags.get(_WILL_RETRY, "").lower()
            root = one["rootRunId"] or one["runId"]
            found.append(Run(one["runId"], root, tags.get(_PARTITION, ""), one["status"], retry, one["creationTime"]))
        return sorted(found, key=lambda run: run.created)

    def _launch(self, job: str, zone: str) -> str:
        params = {
            "selector": {"repositoryLocationName": _LOCATION, "repositoryName": _REPOSITORY, "jobName": job},
            "runConfigData": {},
            "executionMetadata": {"tags": [{"key": _PARTITION, "value": zone}]},
        }
        answer = self._ask(_LAUNCH, params=params)["launchRun"]
        if answer["__typename"] != "LaunchRunSuccess":
            raise RuntimeError(f"{job} of {zone} was not started: {json.dumps(answer)}")
        return str(answer["run"]["runId"])

    def _ask(self, query: str, **variables: Any) -> dict[str, Any]:
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(self.address, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            told = json.load(answer)
        if told.get("errors"):
            raise RuntimeError(f"Dagster's page: {json.dumps(told['errors'])}")
        data: dict[str, Any] = told["data"]
        return data


class Runs:
    """The runs of some zones, with their later tries."""

    def __init__(self, page: DagsterPage, job: str, zones: dict[str, str]) -> None:
        self._page, self._job, self._zones = page, job, zones

    def latest(self) -> dict[str, Run]:
        """The last try of each zone."""
        return {run.zone: run for run in self._page.runs(self._job) if run.root in self._zones}

    def tries(self, zone: str) -> list[Run]:
        """All tries of a zone, oldest first."""
        return [run for run in self._page.runs(self._job) if run.root in self._zones and run.zone == zone]

    def failed(self) -> list[str]:
        """The zones whose last try did not succeed."""
        return [zone for zone, run in self.latest().items() if run.status != "SUCCESS"]

    def wait(self, seconds: float, *, say: Callable[[str], object] = lambda _text: None) -> None:
        """Returns when every zone has succeeded or failed for good. Raises `TimeoutError` after `seconds`."""
        end = time.monotonic() + seconds
        told: dict[str, str] = {}
        while True:
            latest = self.latest()
            for zone, run in latest.items():
                state = f"{run.status} ({run.id})"
                if told.get(zone) != state:
                    told[zone] = state
                    say(f"{zone}: {state}")
            if len(latest) == len(self._zones) and all(_is_over(run) for run in latest.values()):
                return
            if time.monotonic() > end:
                raise TimeoutError(f"not baked in {seconds:.0f} s: {told}")
            time.sleep(_WAIT_SECONDS)


def _is_over(run: Run) -> bool:
    return run.status in ("SUCCESS", "CANCELED") or (run.status == "FAILURE" and run.will_retry == "false")
