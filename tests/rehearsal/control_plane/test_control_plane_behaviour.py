"""Rehearsal tests: what a running control plane forwards, places, and records."""

import asyncio
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from aiohttp import web
from pydantic import BaseModel

from components.gates.namespace_api import NamespaceApi, UnansweredError
from rehearsal.control_plane import ControlPlane
from tests.processes_that_may_end import command_line
from tests.rehearsal.control_plane.conftest import ApiClient, Document
from tests.rehearsal.kr8s_client import connect

pytestmark = pytest.mark.rehearsal

PODS = "/api/v1/namespaces/default/pods"
NODES = "/api/v1/nodes"
NUMBERS = itertools.count()
GPU_TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
COMPONENTS = {"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"}


def node(name: str, *, annotated: bool = True, **status: Document) -> Document:
    return {
        "metadata": {
            "name": name,
            "annotations": {"kwok.x-k8s.io/node": "fake"} if annotated else {},
        },
        "spec": {"taints": [GPU_TAINT], "podCIDR": "10.100.7.0/24", "podCIDRs": ["10.100.7.0/24"]},
        "status": {"addresses": [{"type": "InternalIP", "address": "10.0.0.7"}], **status},
    }


def gpu_pod(name: str, **metadata: list[str]) -> Document:
    return {
        "metadata": {"name": name, **metadata},
        "spec": {
            "initContainers": [{"name": "first", "image": "does.not/exist:none"}],
            "containers": [
                {
                    "name": "dask",
                    "image": "does.not/exist:none",
                    "resources": {"limits": {"nvidia.com/gpu": "1"}},
                }
            ],
        },
    }


def is_ready(document: Document) -> bool:
    conditions = document.get("status", {}).get("conditions", [])
    return {"Ready": "True"} in [{one["type"]: one["status"]} for one in conditions]


def processes_of(control_plane: ControlPlane) -> list[psutil.Process]:
    directory = str(control_plane.admin_kubeconfig.parent)
    children = psutil.Process().children()
    # Another test's child, in the same pytest process, may have ended.
    return [child for child in children if directory in command_line(child)]


@pytest.fixture(scope="module")
def gpu_node(api: ApiClient) -> Document:
    resources = {"cpu": "8", "memory": "32Gi", "pods": "110", "nvidia.com/gpu": "1"}
    api.create(NODES, node("gpu", allocatable=resources, capacity=resources))
    return api.wait_for(f"{NODES}/gpu", is_ready)


@pytest.fixture
def placed_pod(api: ApiClient, gpu_node: Document) -> Iterator[Document]:
    del gpu_node
    # Each has a name of its own: kwok deletes by name, so a late delete of the last test's pod
    # takes a namesake with it.
    name = f"placed-{next(NUMBERS)}"
    pod = f"{PODS}/{name}"
    api.create(PODS, gpu_pod(name))
    yield api.wait_for(pod, is_ready)
    api.delete(pod)
    api.wait_until_gone(pod)


def test_every_socket_is_on_loopback(control_plane: ControlPlane) -> None:
    listening = {
        (process.name(), connection.laddr.ip, connection.laddr.port)
        for process in processes_of(control_plane)
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert {address for _, address, _ in listening} == {"127.0.0.1"}
    assert sorted(name for name, _, _ in listening) == [
        "etcd",
        "etcd",
        "kube-apiserver",
        "kwok",
    ]
    assert control_plane.endpoint in {f"{address}:{port}" for _, address, port in listening}


class Called(BaseModel):
    """Who was asked."""

    called: str


def test_the_http_port_of_a_dask_pod_is_forwarded_to_whoever_plays_its_scheduler(
    control_plane: ControlPlane, placed_pod: Document
) -> None:
    async def called(request: web.Request) -> web.Response:
        return web.json_response({"called": request.host})

    async def forwarded() -> object:
        app = web.Application()
        app.router.add_get("/who", called)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", control_plane.dask_schedulers_port).start()
        try:
            api = NamespaceApi(await connect(control_plane.admin_kubeconfig), namespace="default")
            return await api.ask_pod(
                placed_pod["metadata"]["name"],
                "http://alpha-scheduler.alpha:8787/who",
                answers=Called,
            )
        finally:
            await runner.cleanup()

    assert asyncio.run(forwarded()) == Called(called="alpha-scheduler.alpha:8787")


def test_a_port_that_nobody_listens_on_is_told_as_such(
    control_plane: ControlPlane, placed_pod: Document
) -> None:
    async def forwarded() -> object:
        api = NamespaceApi(await connect(control_plane.admin_kubeconfig), namespace="default")
        return await api.ask_pod(
            placed_pod["metadata"]["name"],
            "http://alpha-scheduler.alpha:8787/who",
            answers=Called,
        )

    with pytest.raises(UnansweredError):
        asyncio.run(forwarded())


def test_all_five_processes_take_less_than_a_gigabyte(control_plane: ControlPlane) -> None:
    assert control_plane.dead_processes() == ()
    running = processes_of(control_plane)
    assert {process.name() for process in running} == COMPONENTS
    assert sum(process.memory_info().rss for process in running) < 1e9


def test_a_gpu_pod_is_placed_by_the_scheduler_and_runs(placed_pod: Document) -> None:
    assert placed_pod["spec"]["nodeName"] == "gpu"
    assert placed_pod["status"]["phase"] == "Running"
    assert placed_pod["status"]["podIP"].startswith("10.100.7.")
    assert placed_pod["status"]["initContainerStatuses"][0]["ready"]
    # Added by ExtendedResourceToleration: the pod itself asks only for the GPU.
    assert {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"} in placed_pod[
        "spec"
    ]["tolerations"]


def test_readiness_that_the_node_controller_took_is_given_back(
    api: ApiClient, placed_pod: Document
) -> None:
    """As MarkPodsNotReady does where a node's lease is late."""
    pod = f"{PODS}/{placed_pod['metadata']['name']}"
    taken = {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}
    form = {"Content-Type": "application/strategic-merge-patch+json"}
    said = api.patch(f"{pod}/status", json=taken, headers=form)
    assert said.is_success, said.text
    api.wait_for(pod, is_ready)


@pytest.mark.usefixtures("placed_pod")
def test_a_pod_for_which_no_gpu_is_left_stays_pending_with_a_reason(api: ApiClient) -> None:
    api.create(PODS, gpu_pod("too-many"))
    unplaced = api.wait_for(f"{PODS}/too-many", lambda pod: bool(pod["status"].get("conditions")))
    assert "Insufficient nvidia.com/gpu" in unplaced["status"]["conditions"][0]["message"]
    api.delete(f"{PODS}/too-many")
    api.wait_until_gone(f"{PODS}/too-many")


@pytest.mark.usefixtures("gpu_node")
def test_a_deleted_pod_stays_for_its_finalizers_only(api: ApiClient) -> None:
    api.create(PODS, gpu_pod("held", finalizers=["example.com/hold"]))
    api.wait_for(f"{PODS}/held", is_ready)
    api.delete(f"{PODS}/held")
    held = api.wait_for(
        f"{PODS}/held", lambda pod: pod["metadata"].get("deletionGracePeriodSeconds") == 0
    )
    assert held["metadata"]["finalizers"] == ["example.com/hold"]
    api.patch(
        f"{PODS}/held",
        json={"metadata": {"finalizers": None}},
        headers={"Content-Type": "application/merge-patch+json"},
    )
    api.wait_until_gone(f"{PODS}/held")


def test_a_node_without_capacity_is_not_given_any(api: ApiClient) -> None:
    api.create(NODES, node("bare"))
    bare = api.wait_for(f"{NODES}/bare", is_ready)
    assert "nvidia.com/gpu" not in bare["status"].get("allocatable", {})
    assert "cpu" not in bare["status"].get("allocatable", {})
    api.delete(f"{NODES}/bare")


@pytest.mark.usefixtures("gpu_node")
def test_a_node_without_kwoks_annotation_is_nobodys(api: ApiClient) -> None:
    api.create(NODES, node("foreign", annotated=False))
    api.create(NODES, node("ours"))
    api.wait_for(f"{NODES}/ours", is_ready)
    assert not is_ready(api.get(f"{NODES}/foreign").json())
    for name in ("foreign", "ours"):
        api.delete(f"{NODES}/{name}")


def test_a_quota_is_enforced(api: ApiClient) -> None:
    api.create("/api/v1/namespaces", {"metadata": {"name": "team"}})
    quota = {"metadata": {"name": "gpus"}, "spec": {"hard": {"requests.nvidia.com/gpu": "0"}}}
    api.create("/api/v1/namespaces/team/resourcequotas", quota)
    api.wait_for("/api/v1/namespaces/team/serviceaccounts/default", bool)
    api.wait_for(
        "/api/v1/namespaces/team/resourcequotas/gpus",
        lambda one: "hard" in one.get("status", {}),
    )
    refusal = api.post("/api/v1/namespaces/team/pods", json=gpu_pod("greedy"))
    assert refusal.status_code == httpx.codes.FORBIDDEN
    assert "exceeded quota: gpus" in refusal.json()["message"]
    api.delete("/api/v1/namespaces/team")


def test_the_audit_log_says_who_wrote_what_and_nothing_else(
    control_plane: ControlPlane, api: ApiClient
) -> None:
    secret = {"metadata": {"name": "s"}, "stringData": {"password": "correct horse"}}
    api.create("/api/v1/namespaces/default/secrets", secret)
    text = Path(control_plane.audit_log).read_text(encoding="utf-8")
    events = [json.loads(line) for line in text.splitlines()]
    (written,) = [
        event
        for event in events
        if event["verb"] == "create" and event.get("objectRef", {}).get("resource") == "secrets"
    ]
    assert written["user"]["username"] == "platform-engineer"
    assert written["responseStatus"]["code"] == httpx.codes.CREATED
    assert "correct horse" not in text
    assert "Y29ycmVjdCBob3JzZQ==" not in text
    assert not [one for one in events if one.get("objectRef", {}).get("resource") == "leases"]
