"""Unit: which pod is the operator's, and how its process is started."""

from pathlib import Path
from typing import Any

from rehearsal.dask_operator.pod import MountedFile, ready_operator_pod


def pod(*, ready: str = "True", **metadata: str) -> dict[str, Any]:
    container = {
        "image": "ghcr.io/dask/dask-kubernetes-operator:2026.3.0",
        "args": ["--liveness=http://0.0.0.0:8080/healthz", "--all-namespaces", "/opt/x/a/b.py"],
        "env": [{"name": "LEVEL", "value": "1"}, {"name": "IP", "valueFrom": {}}],
        "volumeMounts": [{"name": "program", "mountPath": "/opt/x"}, {"name": "tmp"}],
    }
    volume = {"name": "own", "items": [{"key": "a.b.py", "path": "a/b.py"}]}
    volumes = [{"name": "program", "configMap": volume}, {"name": "tmp", "emptyDir": {}}]
    return {
        "metadata": {"name": "operator-1", "namespace": "dask-operator", "uid": "u1", **metadata},
        "spec": {
            "serviceAccountName": "operator",
            "containers": [container],
            "volumes": volumes,
        },
        "status": {"conditions": [{"type": "Ready", "status": ready}]},
    }


def test_a_ready_pod_says_how_to_run_the_operator() -> None:
    found = ready_operator_pod([pod()])
    assert found is not None
    assert (found.namespace, found.service_account) == ("dask-operator", "operator")
    assert found.environment == (("LEVEL", "1"),)


def test_a_pod_that_is_not_ready_or_on_its_way_out_runs_nothing() -> None:
    leaving = pod(deletionTimestamp="2026-11-21T00:00:00Z")
    assert ready_operator_pod([pod(ready="False"), leaving]) is None
    assert ready_operator_pod([]) is None


def test_what_the_pod_mounts_and_where_its_probe_listens_are_of_this_machine() -> None:
    found = ready_operator_pod([pod()])
    assert found is not None
    assert found.mounted == (MountedFile(path="/opt/x/a/b.py", config_map="own", key="a.b.py"),)
    assert found.arguments_here(port=4321, files=Path("/here")) == (
        "--liveness=http://127.0.0.1:4321/healthz",
        "--all-namespaces",
        "/here/opt/x/a/b.py",
    )
