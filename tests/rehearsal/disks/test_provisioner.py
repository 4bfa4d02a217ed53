"""Rehearsal tests: a pod of daskfleet's with a disk and a token, on a running control plane."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rehearsal.control_plane import ControlPlane
from rehearsal.dask_pods.agent import NodeAgent
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.disks import DiskProvisioner
from rehearsal.emulator.system_workloads import disk_classes
from rehearsal.kubernetes_changes import Changes
from rehearsal.toolchain import Binaries
from tests.rehearsal.control_plane.conftest import POD_CIDR, SERVICE_CIDR, ApiClient

pytestmark = pytest.mark.rehearsal

PODS = "/api/v1/namespaces/default/pods"
CLAIM = "/api/v1/namespaces/default/persistentvolumeclaims/home"
LABELS = {"app.kubernetes.io/part-of": "daskfleet", "app.kubernetes.io/component": "jupyter"}
ASKS_WHO_IT_IS = """
import json, os, ssl, urllib.request
host, port = (os.environ[f"KUBERNETES_SERVICE_{part}"] for part in ("HOST", "PORT"))
request = urllib.request.Request(
    f"https://{host}:{port}/apis/authentication.k8s.io/v1/selfsubjectreviews",
    data=b'{"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}',
    headers={"Authorization": "Bearer " + open("/var/run/access/token").read(),
             "Content-Type": "application/json"})
trusted = ssl.create_default_context(cafile="/var/run/access/ca.crt")
answer = json.load(urllib.request.urlopen(request, context=trusted))
print(answer["status"]["userInfo"]["username"])
"""


def pod(name: str, script: str) -> dict[str, Any]:
    """A pod of this program's, with the team's disk and a token."""
    access = [
        {"serviceAccountToken": {"path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt"}},
    ]
    return {
        "metadata": {"name": name, "labels": LABELS},
        "spec": {
            "automountServiceAccountToken": False,
            "restartPolicy": "Never",
            "containers": [
                {
                    "name": "main",
                    "image": "example/any:1",
                    "command": ["python", "-c", script],
                    "volumeMounts": [
                        {"name": "home", "mountPath": "/home/team"},
                        {"name": "access", "mountPath": "/var/run/access"},
                    ],
                }
            ],
            "volumes": [
                {"name": "home", "persistentVolumeClaim": {"claimName": "home"}},
                {"name": "access", "projected": {"sources": access}},
            ],
        },
    }


@asynccontextmanager
async def inhabited(control_plane: ControlPlane, directory: Path) -> AsyncIterator[None]:
    kubeconfig = control_plane.admin_kubeconfig
    changes = Changes(kubeconfig, {**NodeAgent.FOLLOWED, **DiskProvisioner.FOLLOWED})
    api = PodApi(kubeconfig, shares=directory / "shares")
    agent = NodeAgent(api, changes=changes, directory=directory / "pods")
    disks = DiskProvisioner(kubeconfig, changes=changes, directory=directory / "disks")
    runs = (changes.follow(), agent.run(), disks.run())
    following = [asyncio.create_task(run) for run in runs]
    try:
        yield
    finally:
        for task in following:
            task.cancel()
        await asyncio.wait(following)
        await agent.stop()


@pytest.mark.asyncio
async def test_a_disk_outlives_its_pods_grows_and_goes_with_its_claim(
    binaries: Binaries, tmp_path: Path
) -> None:
    control_plane = ControlPlane(
        binaries=binaries,
        directory=tmp_path / "plane",
        service_cidr=SERVICE_CIDR,
        pod_cidr=POD_CIDR,
        dask="run",
    )
    async with AsyncExitStack() as stack:
        await asyncio.to_thread(control_plane.start)
        stack.push_async_callback(asyncio.to_thread, control_plane.stop)
        await stack.enter_async_context(inhabited(control_plane, tmp_path))
        with ApiClient(control_plane, token=control_plane.client_token) as api:
            await asyncio.to_thread(_use_a_disk, api, tmp_path)


def _use_a_disk(api: ApiClient, directory: Path) -> None:
    for disk_class in disk_classes():
        api.create("/apis/storage.k8s.io/v1/storageclasses", disk_class.manifest())
    size = {"cpu": "4", "memory": "8Gi", "pods": "10"}
    metadata = {
        "name": "n1",
        "annotations": {"kwok.x-k8s.io/node": "fake"},
        "labels": {"topology.kubernetes.io/zone": "europe-west4-b"},
    }
    api.create(
        "/api/v1/nodes", {"metadata": metadata, "status": {"capacity": size, "allocatable": size}}
    )
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10Gi"}}}
    api.create(CLAIM.removesuffix("/home"), {"metadata": {"name": "home"}, "spec": spec})

    api.create(PODS, pod("first", "open('/home/team/kept', 'w').write('results')"))
    api.wait_for(f"{PODS}/first", lambda found: found["status"]["phase"] == "Succeeded")
    claim = api.wait_for(CLAIM, lambda found: found["status"]["phase"] == "Bound")
    assert claim["spec"]["storageClassName"] == "standard-rwo"
    api.delete(f"{PODS}/first")
    api.wait_until_gone(f"{PODS}/first")

    api.create(PODS, pod("second", f"print(open('/home/team/kept').read()){ASKS_WHO_IT_IS}"))
    api.wait_for(f"{PODS}/second", lambda found: found["status"]["phase"] == "Succeeded")
    said = "".join(log.read_text("utf-8") for log in directory.glob("pods/pods/*/logs/main.log"))
    assert "results" in said
    assert "system:serviceaccount:default:default" in said

    patch = {"spec": {"resources": {"requests": {"storage": "20Gi"}}}}
    api.patch(CLAIM, json=patch, headers={"Content-Type": "application/merge-patch+json"})
    api.wait_for(CLAIM, lambda found: found["status"]["capacity"]["storage"] == "20Gi")

    api.delete(f"{PODS}/second")
    api.wait_until_gone(f"{PODS}/second")
    api.delete(CLAIM)
    api.wait_until_gone(f"/api/v1/persistentvolumes/{claim['spec']['volumeName']}")
    assert not list((directory / "disks").iterdir())
