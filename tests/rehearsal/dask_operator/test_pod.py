"""Unit: which pod is the operator's, and how its process is started."""

from pathlib import Path
from typing import Any

from rehearsal.dask_operator.pod import ready_operator_pod
from rehearsal.dask_pods.model import Mounted
from rehearsal.dask_pods.volumes import make_volumes, mounts_of
from tests.rehearsal.dask_pods.pods import place


def pod(*, ready: str = "True", **metadata: str) -> dict[str, Any]:
    container = {
        "image": "ghcr.io/dask/dask-kubernetes-operator:2026.3.0",
        "args": ["--liveness=http://0.0.0.0:8080/healthz", "--all-namespaces", "/opt/x/a/b.py"],
        "env": [{"name": "LEVEL", "value": "1"}, {"name": "IP", "valueFrom": {}}],
        "volumeMounts": [
            {"name": "program", "mountPath": "/opt/x"},
            {"name": "scratch", "mountPath": "/scratch"},
        ],
    }
    volume = {"name": "own", "items": [{"key": "a.b.py", "path": "a/b.py"}]}
    volumes = [{"name": "program", "configMap": volume}, {"name": "scratch", "emptyDir": {}}]
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


def test_what_the_pod_mounts_and_where_its_probe_listens_are_of_this_machine(
    tmp_path: Path,
) -> None:
    found = ready_operator_pod([pod()])
    assert found is not None
    files = place(tmp_path)
    make_volumes(
        found.document,
        place=files,
        mounted=Mounted(config_maps={"own": {"a.b.py": b"1", "c": b"2"}}, secrets={}),
    )
    local_paths = mounts_of(found.document["spec"]["containers"][0], place=files)
    *others, program = found.arguments_here(port=4321, local_paths=local_paths)
    assert others == ["--liveness=http://127.0.0.1:4321/healthz", "--all-namespaces"]
    assert Path(program).is_relative_to(tmp_path)
    assert [file.read_bytes() for file in Path(program).parent.iterdir()] == [b"1"]
