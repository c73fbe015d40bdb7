"""What of deploy/kubernetes can be checked without a cluster."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
HERE = ROOT / "deploy/kubernetes"
VALUES = yaml.safe_load((HERE / "values.yaml").read_text("utf-8"))
(DEPLOYMENT,) = VALUES["dagster-user-deployments"]["deployments"]
RUN = VALUES["runLauncher"]["config"]["k8sRunLauncher"]
MERGE = yaml.safe_load((HERE / "merge-job.yaml").read_text("utf-8"))
KUBERNETES = "1.32"


def _validate(manifest: dict[str, Any]) -> None:
    import kubernetes_validate

    kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


def _pod(deployment: dict[str, Any], run: dict[str, Any]) -> dict[str, Any]:
    """A run's pod, as the chart and the launcher put it together."""
    container = {
        "name": "run",
        "image": f"{deployment['image']['repository']}:{deployment['image']['tag']}",
        "imagePullPolicy": run["imagePullPolicy"],
        "env": deployment["env"],
        "volumeMounts": deployment["volumeMounts"],
        **run["runK8sConfig"]["containerConfig"],
    }
    pod = {"containers": [container], "volumes": deployment["volumes"], "restartPolicy": "Never"}
    spec = pod | {"securityContext": deployment["podSecurityContext"]} | run["runK8sConfig"]["podSpecConfig"]
    job = {"template": {"spec": spec}} | run["runK8sConfig"]["jobSpecConfig"]
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "run"}, "spec": job}


def test_the_manifests_are_what_kubernetes_expects() -> None:
    import kubernetes_validate

    for path in ("shared-volume.yaml", "merge-job.yaml"):
        _validate(yaml.safe_load((HERE / path).read_text("utf-8")))
    with pytest.raises(kubernetes_validate.ValidationError):
        _validate({**MERGE, "spec": {**MERGE["spec"], "backofLimit": 2}})


def test_a_run_of_these_values_is_a_valid_job() -> None:
    import kubernetes_validate

    _validate(_pod(DEPLOYMENT, RUN))
    with pytest.raises(kubernetes_validate.ValidationError):
        _validate(_pod({**DEPLOYMENT, "volumeMounts": [{"name": "shared"}]}, RUN))


def test_dagster_takes_the_settings_that_the_values_become() -> None:
    from dagster._config import validate_config
    from dagster._core.instance.config import dagster_instance_config_schema
    from dagster_k8s.container_context import K8sContainerContext

    daemon = VALUES["dagsterDaemon"]
    coordinator = daemon["runCoordinator"]
    settings = {
        "run_coordinator": {
            "module": "dagster.core.run_coordinator",
            "class": coordinator["type"],
            "config": _snake(coordinator["config"]["queuedRunCoordinator"]),
        },
        "run_monitoring": _snake(daemon["runMonitoring"]),
        "run_retries": _snake(daemon["runRetries"]),
    }
    schema = dagster_instance_config_schema()
    assert validate_config(schema, settings).success
    assert not validate_config(schema, settings | {"run_retries": {"enabled": True, "retries": 3}}).success
    run = {_snake_name(key): _snake(value) for key, value in RUN["runK8sConfig"].items()}
    context = K8sContainerContext.create_from_config({"k8s": {"run_k8s_config": run}})
    assert context.run_k8s_config.container_config["resources"]["requests"] == {"cpu": "2", "memory": "2Gi"}


def test_one_image_one_volume_one_version() -> None:
    image = f"{DEPLOYMENT['image']['repository']}:{DEPLOYMENT['image']['tag']}"
    (container,) = MERGE["spec"]["template"]["spec"]["containers"]
    version = re.search(r'(?m)^version = "(.*)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert version is not None
    assert container["image"] == image == f"voicebake:{version[1]}"
    assert container["env"] == DEPLOYMENT["env"]
    assert container["volumeMounts"] == DEPLOYMENT["volumeMounts"]
    claim = yaml.safe_load((HERE / "shared-volume.yaml").read_text("utf-8"))["metadata"]["name"]
    for volumes in (DEPLOYMENT["volumes"], MERGE["spec"]["template"]["spec"]["volumes"]):
        assert {"name": "shared", "persistentVolumeClaim": {"claimName": claim}} in volumes
    dagster = re.search(r"(?m)^dagster==(.*)$", (ROOT / "requirements/runtime.in").read_text("utf-8"))
    assert dagster is not None
    for path in ("values.yaml", "README.md"):
        assert re.findall(r"--version (\S+)", (HERE / path).read_text("utf-8")) == [dagster[1]]


def test_the_container_file_copies_what_exists_and_runs_as_no_root() -> None:
    text = re.sub(r"\\\n\s*", "", (HERE / "Containerfile").read_text("utf-8"))
    steps = [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]
    known = {"FROM", "RUN", "WORKDIR", "COPY", "ENV", "USER", "CMD"}
    assert {word for word, _ in steps} <= known
    copied = [words.split()[:-1] for word, words in steps if word == "COPY" and not words.startswith("--from")]
    assert copied
    assert [name for names in copied for name in names if not (ROOT / name).exists()] == []
    needed = {"pipeline", "assets", "zones", "cultures", "prompts", "requirements"}
    assert needed <= {name for names in copied for name in names}
    users = [words for word, words in steps if word == "USER"]
    assert users == [str(DEPLOYMENT["podSecurityContext"]["runAsUser"])]
    assert steps.index(["USER", users[0]]) > max(n for n, (word, _) in enumerate(steps) if word == "FROM")
    (made,) = re.findall(r"\bmake (\S+)", text)
    assert re.search(r"(?m)^\$\(RUNTIME\):", (ROOT / "Makefile").read_text("utf-8"))
    assert made == ".venv/.runtime"


def _snake(value: Any) -> Any:
    if isinstance(value, dict):
        return {_snake_name(key): _snake(inner) for key, inner in value.items()}
    return value


def _snake_name(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
