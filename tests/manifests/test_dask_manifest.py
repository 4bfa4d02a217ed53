"""Unit: the rendered DaskCluster against the operator's own schema, and what the schema misses."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from manifests.dask_manifest import dask_cluster_manifest, scheduler_selector, service_ports
from manifests.dask_pod import cpu, memory
from tests.components.fleets import alpha, fleet

CRD = Path("manifests/dask-crds/templates/daskcluster.yaml")


def manifest(**changes: Any) -> dict[str, Any]:
    return dask_cluster_manifest(alpha(**changes), name="alpha")


def pod(component: str, **changes: Any) -> dict[str, Any]:
    spec: dict[str, Any] = manifest(**changes)["spec"][component]["spec"]
    return spec


def container(component: str, **changes: Any) -> dict[str, Any]:
    (only,) = pod(component, **changes)["containers"]
    document: dict[str, Any] = only
    return document


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema as the API server applies it: a field that it does not know is an error."""
    closed_schema: dict[str, Any] = {
        key: closed(value) if isinstance(value, dict) else value for key, value in schema.items()
    }
    if "properties" in schema and isinstance(schema["properties"], dict):
        preserves = schema.get("x-kubernetes-preserve-unknown-fields")
        if not preserves and "additionalProperties" not in schema:
            closed_schema["additionalProperties"] = False
    return closed_schema


@cache
def schema() -> dict[str, Any]:
    crd = yaml.load(CRD.read_text("utf-8"), Loader=yaml.CSafeLoader)
    (version,) = crd["spec"]["versions"]
    properties = version["schema"]["openAPIV3Schema"]["properties"]
    return closed(properties["spec"])


def leaves(document: Any) -> Iterator[Any]:
    if isinstance(document, dict):
        for value in document.values():
            yield from leaves(value)
    elif isinstance(document, list):
        for value in document:
            yield from leaves(value)
    else:
        yield document


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"scheduler": {"fallback": "worker-pool"}},
        {"workers": 0},
        {"worker": {"cpu": 2.5, "memory_gib": 10.5, "shm_gib": 0.5}},
        {"labels": {"cost-center": "cc-1"}},
    ],
    ids=lambda changes: ",".join(changes) or "defaults",
)
def test_the_operators_schema_accepts_it(changes: dict[str, Any]) -> None:
    Draft202012Validator(schema()).validate(manifest(**changes)["spec"])


def test_the_schema_of_this_test_would_notice_a_misspelt_field() -> None:
    document = manifest()["spec"]
    document["scheduler"]["spec"]["containers"][0]["limit"] = {}

    assert not Draft202012Validator(schema()).is_valid(document)


def test_nothing_in_it_is_null() -> None:
    assert None not in list(leaves(manifest()))


@pytest.mark.parametrize("component", ["scheduler", "worker"])
def test_probes_ask_ports_by_a_name_that_the_container_has(component: str) -> None:
    only = container(component)
    names = {port["name"] for port in only["ports"]}
    probes = [only[key] for key in only if key.endswith("Probe")]

    assert probes
    assert {probe["httpGet"]["port"] for probe in probes} <= names


def test_service_ports_carry_the_names_by_which_the_operator_finds_them() -> None:
    names = {port["name"] for port in container("scheduler")["ports"]}

    assert {port["name"] for port in service_ports()} == {"tcp-comm", "http-dashboard"}
    assert {port["targetPort"] for port in service_ports()} <= names


@pytest.mark.parametrize("component", ["scheduler", "worker"])
def test_pod_security_restricted_admits_the_pods(component: str) -> None:
    spec = pod(component)
    only = container(component)

    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert only["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert all("hostPath" not in volume for volume in spec["volumes"])
    assert spec["automountServiceAccountToken"] is False


@pytest.mark.parametrize("component", ["scheduler", "worker"])
def test_every_pod_takes_exactly_one_gpu(component: str) -> None:
    resources = container(component)["resources"]

    assert resources["requests"]["nvidia.com/gpu"] == "1"
    assert resources["limits"]["nvidia.com/gpu"] == "1"


def on_cpus(**changes: Any) -> dict[str, Any]:
    """The pod of a worker on a pool without GPUs, beside a pool with some."""
    cpu = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}
    team = {"name": "alpha", "worker_pool": "cpu", "workers": 1, **changes}
    plan = fleet(worker_pools=[{"name": "a100"}, cpu], teams=[team]).teams[0]
    document: dict[str, Any] = dask_cluster_manifest(plan, name="alpha")["spec"]
    Draft202012Validator(schema()).validate(document)
    worker: dict[str, Any] = document["worker"]["spec"]
    return worker


def test_a_worker_on_cpus_has_no_trace_of_a_gpu() -> None:
    spec = on_cpus()

    for word in ("nvidia", "cuda/", "GPU", "LD_LIBRARY_PATH"):
        assert word not in json.dumps(
            {key: spec[key] for key in ("tolerations", "volumes")}
            | {"container": {**spec["containers"][0], "image": ""}}
        )


def test_a_worker_on_cpus_computes_with_all_its_cores() -> None:
    (only,) = on_cpus(worker={"cpu": 3.5, "memory_gib": 12})["containers"]
    args = only["args"]

    assert args[:2] == ["dask", "worker"]
    assert args[args.index("--nthreads") + 1] == "3"
    assert only["resources"]["requests"] == {"cpu": "3500m", "memory": "12Gi"}
    assert only["resources"]["limits"] == {"memory": "12Gi"}


def test_a_worker_on_less_than_a_core_has_a_thread_all_the_same() -> None:
    (only,) = on_cpus(worker={"cpu": 0.5, "memory_gib": 2, "shm_gib": 1})["containers"]

    assert only["args"][only["args"].index("--nthreads") + 1] == "1"


def test_scheduler_and_workers_run_the_same_image() -> None:
    image = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"

    assert container("scheduler", image=image)["image"] == image
    assert container("worker", image=image)["image"] == image


def test_a_worker_carries_the_name_by_which_the_operator_retires_it() -> None:
    args = container("worker")["args"]

    assert args[:3] == ["dask", "cuda", "worker"]
    assert args[args.index("--name") + 1] == "$(DASK_WORKER_NAME)"


def test_the_scheduler_serves_the_api_that_the_operator_scales_down_with() -> None:
    env = {each["name"]: each["value"] for each in container("scheduler")["env"]}

    assert "distributed.http.scheduler.api" in env["DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES"]


@pytest.mark.parametrize("component", ["scheduler", "worker"])
def test_the_image_decides_the_group_that_may_enter_conda(component: str) -> None:
    context = pod(component)["securityContext"]

    assert context["runAsUser"] == 1001
    assert {"runAsGroup", "fsGroup"}.isdisjoint(context)


@pytest.mark.parametrize("component", ["scheduler", "worker"])
def test_the_libraries_that_gke_mounts_are_found(component: str) -> None:
    env = {each["name"]: each["value"] for each in container(component)["env"]}

    assert env["LD_LIBRARY_PATH"].split(":")[0] == "/usr/local/nvidia/lib64"


def test_the_operator_never_deletes_an_idle_cluster() -> None:
    assert manifest()["spec"]["idleTimeout"] == 0


def test_billing_labels_reach_the_cluster_and_through_it_the_pods() -> None:
    labels = manifest(labels={"cost-center": "cc-1"})["metadata"]["labels"]

    assert labels["cost-center"] == "cc-1"
    assert labels["dask.org/cluster-name"] == "alpha"


def test_the_operators_service_selects_the_scheduler() -> None:
    assert manifest()["spec"]["scheduler"]["service"]["selector"] == scheduler_selector("alpha")


@pytest.mark.parametrize(("cores", "quantity"), [(1, "1"), (0.5, "500m"), (11.9, "11900m")])
def test_cores_become_a_quantity(cores: float, quantity: str) -> None:
    assert cpu(cores) == quantity


@pytest.mark.parametrize(("gib", "quantity"), [(4, "4Gi"), (0.5, "512Mi"), (78.2, "80076Mi")])
def test_memory_becomes_a_quantity_that_is_never_more_than_asked(gib: float, quantity: str) -> None:
    assert memory(gib) == quantity
