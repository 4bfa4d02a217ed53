"""Pods for tests on a real control plane."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.rehearsal.emulator.running import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.document import Document
    from rehearsal.emulator.kubernetes_api import KubernetesApi

ONE_GPU = {"limits": {"nvidia.com/gpu": "1"}}


def a_pod(name: str, **spec: object) -> Document:
    """Return a pod with one container, which gets the key ``resources`` of ``spec``."""
    container = {"name": "c", "image": "does.not/exist", "resources": spec.pop("resources", {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": name}},
        "spec": {"containers": [container], **spec},
    }


def pods_named(api: KubernetesApi, prefix: str) -> list[Document]:
    """Return the pods whose names start so."""
    return [p for p in api.workloads().pods if p["metadata"]["name"].startswith(prefix)]


def is_running(pod: Document) -> bool:
    """Tell whether the pod's phase is Running."""
    return bool(pod["status"].get("phase") == "Running")


async def holds(condition: Callable[[], bool]) -> None:
    """Wait for something that is read by blocking calls."""
    await until(lambda: asyncio.to_thread(condition))


async def run_everywhere(api: KubernetesApi, *, count: int) -> None:
    """Wait until so many pods run. A failure names all pods, with node and state."""
    try:
        await holds(lambda: sum(is_running(pod) for pod in api.workloads().pods) == count)
    except TimeoutError:
        pods = [
            (pod["metadata"]["name"], pod["spec"].get("nodeName"), pod["status"])
            for pod in api.workloads().pods
        ]
        pytest.fail(f"{count} pods should run, and nothing else: {pods}")
