"""The few calls that the emulator makes to a cluster's Kubernetes API; all of them block."""

from __future__ import annotations

import json
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from kubernetes import client, config, utils
from kubernetes.client import ApiException

from rehearsal.emulator.backend import Workloads
from rehearsal.emulator.gpu_driver import (
    GPU_RESOURCE,
    LOADED_DRIVER,
    SIZE_FIELDS,
    installer_version,
)
from rehearsal.emulator.pod_fit import amounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from rehearsal.emulator.document import Document

_POLL_S = 0.2


class NodeMismatchError(Exception):
    """A posted Node does not offer what was posted, so placement on it would prove nothing."""


def check_size(posted: Document, present: Document) -> None:
    """Raise NodeMismatchError unless a Node offers what was posted.

    kwok gives a node without a capacity a thousand CPUs: a slip would swallow every pod.
    """
    for field in SIZE_FIELDS:
        wanted = posted["status"][field]
        found = present.get("status", {}).get(field, {})
        if amounts(wanted) != amounts(found):
            raise NodeMismatchError(
                f"node {posted['metadata']['name']}: {field} is {found}, posted was {wanted}"
            )


class KubernetesApi:
    """One cluster, through an administrator's kubeconfig."""

    def __init__(self, kubeconfig: Path) -> None:
        """Connect lazily with ``kubeconfig``."""
        self._client = config.new_client_from_config(str(kubeconfig))
        # Documents go in and come out as they are; the library's types know its models alone.
        self._core: Any = client.CoreV1Api(self._client)
        self._apps: Any = client.AppsV1Api(self._client)
        self._extensions = client.ApiextensionsV1Api(self._client)

    def create(self, objects: Iterable[Document]) -> None:
        """Create objects; those that exist (a control plane that was kept) stay as they are."""
        for document in objects:
            try:
                utils.create_from_dict(self._client, document)
            except utils.FailToCreateError as failure:
                if any(e.status != HTTPStatus.CONFLICT for e in failure.api_exceptions):
                    raise

    def define(self, definitions: Iterable[Document]) -> None:
        """Create CustomResourceDefinitions, and wait until the API server serves them."""
        wanted = list(definitions)
        self.create(wanted)
        for name in (each["metadata"]["name"] for each in wanted):
            while not self._is_established(name):
                time.sleep(_POLL_S)

    def _is_established(self, name: str) -> bool:
        found = self._extensions.read_custom_resource_definition(name)
        conditions = found.status.conditions if found.status else None
        return any(
            each.type == "Established" and each.status == "True" for each in conditions or ()
        )

    def add_node(self, node: Document) -> None:
        """Post a Node. Raises NodeMismatchError when it came out with another size."""
        self._core.create_node(node)
        answer = self._core.read_node(node["metadata"]["name"], _preload_content=False)
        check_size(node, json.loads(answer.data))

    def offer_gpus(self, name: str, *, gpus: str, driver: str) -> None:
        """Add ``nvidia.com/gpu`` to a Node's size and name its driver, unless it is gone."""
        annotations = {LOADED_DRIVER: driver}
        _unless_gone(
            lambda: self._core.patch_node(name, {"metadata": {"annotations": annotations}})
        )
        status = {field: {GPU_RESOURCE: gpus} for field in SIZE_FIELDS}
        _unless_gone(lambda: self._core.patch_node_status(name, {"status": status}))

    def mark_node(self, name: str, *, labels: Document, taints: list[Document]) -> None:
        """Give a Node exactly these labels and taints, unless it is gone.

        Taints of Kubernetes' own, of a node that is cordoned or not ready, come back by themselves.
        """

        def patch() -> None:
            answer = self._core.read_node(name, _preload_content=False)
            present = json.loads(answer.data)["metadata"].get("labels", {})
            gone = dict.fromkeys(present.keys() - labels.keys())
            body = {"metadata": {"labels": {**gone, **labels}}, "spec": {"taints": taints}}
            self._core.patch_node(name, body)

        _unless_gone(patch)

    def waiting_installers(self) -> tuple[Document, ...]:
        """Return the pods that install a driver and have not done so."""
        answer = self._core.list_pod_for_all_namespaces(
            field_selector="status.phase=Pending", _preload_content=False
        )
        return tuple(pod for pod in json.loads(answer.data)["items"] if installer_version(pod))

    def set_pod_status(self, pod: Document, status: Document) -> None:
        """Write a pod's status, unless the pod is gone."""
        name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
        _unless_gone(
            lambda: self._core.patch_namespaced_pod_status(name, namespace, {"status": status})
        )

    def cordon_node(self, name: str) -> None:
        """Let no new pod onto a Node, unless it is gone."""
        _unless_gone(lambda: self._core.patch_node(name, {"spec": {"unschedulable": True}}))

    def remove_node(self, name: str, *, drain_timeout_s: float) -> None:
        """Cordon, evict, delete the Node, and then the DaemonSet pods that are left on it.

        Evictions that a PodDisruptionBudget refuses are repeated until the time is over; then the
        pods are deleted.
        """
        self.cordon_node(name)
        deadline = time.monotonic() + drain_timeout_s
        while pods := [pod for pod in self._pods_on(name) if not _stays(pod)]:
            for pod in pods:
                if time.monotonic() < deadline:
                    self._evict(pod)
                else:
                    self._delete(pod)
            time.sleep(_POLL_S)
        _unless_gone(lambda: self._core.delete_node(name))
        for pod in self._pods_on(name):
            self._delete(pod)

    def workloads(self) -> Workloads:
        """Return all pods and DaemonSets."""
        pods = self._core.list_pod_for_all_namespaces(_preload_content=False)
        daemon_sets = self._apps.list_daemon_set_for_all_namespaces(_preload_content=False)
        return Workloads(
            pods=tuple(json.loads(pods.data)["items"]),
            daemon_sets=tuple(json.loads(daemon_sets.data)["items"]),
        )

    def record(self, event: Document) -> None:
        """Create an Event, unless its namespace is gone or takes no more objects."""
        try:
            self._core.create_namespaced_event(event["metadata"]["namespace"], event)
        except ApiException as error:
            if error.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN):
                raise

    def close(self) -> None:
        """Close connections."""
        self._client.close()

    def _pods_on(self, node: str) -> list[Document]:
        answer = self._core.list_pod_for_all_namespaces(
            field_selector=f"spec.nodeName={node}", _preload_content=False
        )
        items: list[Document] = json.loads(answer.data)["items"]
        return items

    def _evict(self, pod: Document) -> None:
        if "deletionTimestamp" in pod["metadata"]:
            return
        name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
        eviction = {
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": {"name": name, "namespace": namespace},
        }
        try:
            self._core.create_namespaced_pod_eviction(name, namespace, eviction)
        except ApiException as error:
            if error.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS):
                raise

    def _delete(self, pod: Document) -> None:
        name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
        _unless_gone(
            lambda: self._core.delete_namespaced_pod(name, namespace, grace_period_seconds=0)
        )


def _stays(pod: Document) -> bool:
    """Tell whether a drain leaves the pod: DaemonSets would put it back at once."""
    owners = pod["metadata"].get("ownerReferences") or ()
    return any(owner["kind"] == "DaemonSet" for owner in owners)


def _unless_gone(call: Callable[[], object]) -> None:
    try:
        call()
    except ApiException as error:
        if error.status != HTTPStatus.NOT_FOUND:
            raise
