"""Unit: which pods a roll has to leave room for, against an API server of a few lines."""

import asyncio
from typing import Any

import pytest

from components.gates import serving_pods as module
from components.gates.serving_pods import serving_pods
from daskfleet.planning.plan import PodResources
from tests.components.cluster_objects import pod
from tests.components.cluster_server import Cluster, Namespace, served

OLD = "alpha-0a1b2c3d"


def asking(name: str, *, gpus: str = "1", phase: str = "Running") -> Any:
    """A pod that asks as the program's do."""
    asked = pod(name, phase=phase)
    requests = {"cpu": "1500m", "memory": "1536Mi", "nvidia.com/gpu": gpus}
    asked["spec"]["containers"][0]["resources"] = {"requests": requests}
    return asked


def seen(namespace: Namespace, *, declared: str = "alpha") -> tuple[PodResources, ...]:
    """What is found beside the declared cluster."""

    async def run() -> tuple[PodResources, ...]:
        async with served(namespace) as kubeconfig:
            return await serving_pods(kubeconfig, namespace="alpha", declared=declared)

    return asyncio.run(run())


def serving() -> Cluster:
    """An old cluster with three pods, one of which has ended."""
    old = Cluster(OLD)
    old.pods = [asking("w0"), asking("w1", gpus="2"), asking("w2", phase="Failed")]
    return old


def test_what_serves_beside_the_declared_cluster_is_what_room_is_left_for() -> None:
    assert seen(Namespace(serving(), selected=OLD)) == (
        PodResources(cpu=1.5, memory_gib=1.5, gpus=1),
        PodResources(cpu=1.5, memory_gib=1.5, gpus=2),
    )


def test_the_declared_cluster_itself_and_one_that_nobody_uses_need_none() -> None:
    assert seen(Namespace(serving(), selected=OLD), declared=OLD) == ()
    assert seen(Namespace(serving(), selected=None)) == ()
    assert seen(Namespace(selected=OLD)) == ()


def test_an_api_server_that_starts_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0)
    namespace = Namespace(serving(), selected=OLD)
    namespace.busy_requests = 2
    assert len(seen(namespace)) == 2


def test_where_nobody_answers_the_quota_is_as_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0)
    namespace = Namespace(serving(), selected=OLD)
    namespace.busy_requests = 1000
    assert seen(namespace) == ()
