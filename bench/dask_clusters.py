"""How many Dask clusters operators keep, on a bare control plane that places their pods."""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import yaml

from bench.operators import Operators, operators
from bench.process_tree import CommandFailedError
from bench.record import Figures
from daskfleet.checkout import PROJECT_DIR
from daskfleet.contract.dask import DASK_API
from rehearsal.control_plane import ControlPlane
from rehearsal.kubernetes_requests import connect
from rehearsal.toolchain import Binaries, ensure_toolchain

AT_REST_S = 30
PATIENCE_S = 900
ANSWER_TIMEOUT_S = 60
"""A list of thousands takes the API server its time."""
DEFINED_WITHIN_S = 60
PODS = "20000"
DEPLOYMENTS_OF_A_CLUSTER = 2
NODE = "kwok.x-k8s.io/node"
DEFINITIONS = PROJECT_DIR / "manifests" / "dask-crds" / "templates"
DASK = f"/apis/{DASK_API}"
POD = {"containers": [{"name": "main", "image": "example.com/any:1"}]}
PORTS = [{"name": "tcp-comm", "port": 8786}, {"name": "http-dashboard", "port": 8787}]


class OperatorRow(Figures):
    """So many clusters, each with a scheduler and a worker, and the operators that keep them."""

    clusters: int
    operators: int = 1
    placed_s: float
    """From the first that was asked for until the pods of all are ready."""
    new_clusters: int
    """How many came with this row."""
    operator_cpu_s: float
    operator_mib: float
    at_rest_percent: float
    """Of one core, while nobody asks for anything."""
    one_more_s: float
    """From asking for one cluster more until its pods are ready."""


class OperatorResult(Figures):
    """What ``python -m bench operator`` measures."""

    rows: tuple[OperatorRow, ...]


def measure_operator(
    *, clusters: Sequence[int], one_per_team: bool, progress: Callable[[str], None]
) -> OperatorResult:
    """Ask for more and more clusters, each in a namespace of its own.

    Args:
        clusters: how many, ascending.
        one_per_team: whether each namespace has an operator of its own, that starts with it.
        progress: hears which size is measured.

    Raises:
        CommandFailedError: an operator ended, or pods are not ready within 15 minutes.
        ControlPlaneError, ToolchainError: there is nothing to measure on.

    """
    binaries = ensure_toolchain(progress=progress)
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        with _control_plane(binaries, directory) as (control_plane, api):
            _prepare(api)
            kubeconfig = control_plane.admin_kubeconfig
            with operators(kubeconfig, directory, one_per_team=one_per_team) as kept_by:
                rows: list[OperatorRow] = []
                for count in clusters:
                    progress(f"{count} clusters")
                    rows.append(_row(api, kept_by, count, before=rows[-1] if rows else None))
    return OperatorResult(rows=tuple(rows))


def _row(
    api: httpx.Client, operators: Operators, count: int, *, before: OperatorRow | None
) -> OperatorRow:
    # One more was asked for after each row.
    there = before.clusters + 1 if before else 0
    cpu_s = operators.cpu_s()
    began = time.monotonic()
    for number in range(there, count):
        _ask_for(api, operators, number)
    _wait_for(api, operators, clusters=count)
    placed_s = time.monotonic() - began
    spent_s = operators.cpu_s() - cpu_s
    resting_s = operators.cpu_s()
    time.sleep(AT_REST_S)
    at_rest = (operators.cpu_s() - resting_s) / AT_REST_S * 100
    keeping, mib = operators.count, operators.resident_mib()
    began = time.monotonic()
    _ask_for(api, operators, count)
    _wait_for(api, operators, clusters=count + 1)
    return OperatorRow(
        clusters=count,
        operators=keeping,
        placed_s=placed_s,
        new_clusters=count - there,
        operator_cpu_s=spent_s,
        operator_mib=mib,
        at_rest_percent=at_rest,
        one_more_s=time.monotonic() - began,
    )


@contextmanager
def _control_plane(
    binaries: Binaries, directory: Path
) -> Iterator[tuple[ControlPlane, httpx.Client]]:
    control_plane = ControlPlane(
        binaries=binaries,
        directory=directory / "control-plane",
        service_cidr="10.96.0.0/16",
        pod_cidr="10.100.0.0/14",
    )
    control_plane.start()
    try:
        with connect(control_plane.admin_kubeconfig, timeout_s=ANSWER_TIMEOUT_S) as api:
            yield control_plane, api
    finally:
        control_plane.stop()


def _prepare(api: httpx.Client) -> None:
    """Define the operator's kinds, and have one node for all pods."""
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    for file in sorted(DEFINITIONS.glob("*.yaml")):
        definition = yaml.safe_load(file.read_text("utf-8"))
        _create(api, definitions, definition)
        served = f"{DASK}/{definition['spec']['names']['plural']}"
        deadline = time.monotonic() + DEFINED_WITHIN_S
        while not api.get(served).is_success:
            if time.monotonic() > deadline:
                raise CommandFailedError(f"{served} is not served after {DEFINED_WITHIN_S} s.")
            time.sleep(0.1)
    size = {"cpu": "10000", "memory": "10000Gi", "pods": PODS}
    node = {
        "metadata": {"name": "n1", "annotations": {NODE: "fake"}},
        "status": {"capacity": size, "allocatable": size},
    }
    _create(api, "/api/v1/nodes", node)


def _ask_for(api: httpx.Client, operators: Operators, number: int) -> None:
    namespace = f"team-{number:04}"
    _create(api, "/api/v1/namespaces", {"metadata": {"name": namespace}})
    operators.serve(namespace)
    selector = {"dask.org/cluster-name": namespace, "dask.org/component": "scheduler"}
    service = {"type": "ClusterIP", "selector": selector, "ports": PORTS}
    cluster = {
        "apiVersion": DASK_API,
        "kind": "DaskCluster",
        "metadata": {"name": namespace},
        "spec": {
            "scheduler": {"spec": POD, "service": service},
            "worker": {"replicas": 1, "spec": POD},
        },
    }
    _create(api, f"{DASK}/namespaces/{namespace}/daskclusters", cluster)


def _wait_for(api: httpx.Client, operators: Operators, *, clusters: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while (ready := _ready(api)) < clusters * DEPLOYMENTS_OF_A_CLUSTER:
        if not operators.are_running():
            raise CommandFailedError("An operator has ended.")
        if time.monotonic() > deadline:
            raise CommandFailedError(
                f"{ready} of {clusters * DEPLOYMENTS_OF_A_CLUSTER} Deployments are available "
                f"after {PATIENCE_S} s."
            )
        # Each look is such a list, and takes the API server from what is measured.
        time.sleep(0.2 + clusters / 500)


def _ready(api: httpx.Client) -> int:
    listed: Mapping[str, Any] = api.get(
        "/apis/apps/v1/deployments", params={"labelSelector": "dask.org/cluster-name"}
    ).json()
    return sum(int(each["status"].get("availableReplicas", 0)) for each in listed["items"])


def _create(api: httpx.Client, collection: str, document: Mapping[str, Any]) -> None:
    answer = api.post(collection, json=document)
    if not answer.is_success:
        raise CommandFailedError(f"POST {collection}: {answer.status_code} {answer.text}")
