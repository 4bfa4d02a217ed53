"""The pods that resources ask for, wherever a kind keeps its pod template."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from policies.declared import UNKNOWN, Declared, at, items_of

TEMPLATE = ("spec", "template", "spec")
SCHEDULER = "scheduler"
WORKER = "worker"
PLACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Pod": {"": ("spec",)},
    "Deployment": {"": TEMPLATE},
    "ReplicaSet": {"": TEMPLATE},
    "StatefulSet": {"": TEMPLATE},
    "DaemonSet": {"": TEMPLATE},
    "Job": {"": TEMPLATE},
    "CronJob": {"": ("spec", "jobTemplate", *TEMPLATE)},
    "DaskCluster": {
        SCHEDULER: ("spec", "scheduler", "spec"),
        WORKER: ("spec", "worker", "spec"),
    },
    "DaskWorkerGroup": {WORKER: ("spec", "worker", "spec")},
    "DaskJob": {
        "job": ("spec", "job", "spec"),
        SCHEDULER: ("spec", "cluster", "spec", "scheduler", "spec"),
        WORKER: ("spec", "cluster", "spec", "worker", "spec"),
    },
}
"""Where each kind has its pods' specifications, by the part of a Dask cluster."""

REQUIRED_AFFINITY = (
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
)
"""Where a pod has the node affinity that must hold: a list of terms, one of which is enough."""

CONTAINERS = ("initContainers", "containers")


@dataclass(frozen=True, kw_only=True)
class Container:
    """One container of a pod."""

    of: "Pods"
    document: Any

    @property
    def name(self) -> str:
        """Its name in the pod."""
        return str(at(self.document, "name"))

    @property
    def image(self) -> str | None:
        """Its image; None while that is not known."""
        image = at(self.document, "image")
        return None if image is UNKNOWN else str(image or "")

    @property
    def described(self) -> str:
        """What a person calls it."""
        part = f"{self.of.part} " if self.of.part else ""
        return f"{part}container {self.name}" if part.strip() != self.name else f"the {self.name}"


@dataclass(frozen=True, kw_only=True)
class Pods:
    """Equal pods that a resource asks for."""

    resource: Declared
    part: str
    """``scheduler`` or ``worker`` of a Dask cluster; empty elsewhere."""

    spec: Any

    @property
    def containers(self) -> Iterator[Container]:
        """All containers that are known, those that run first included."""
        for key in CONTAINERS:
            for document in items_of(at(self.spec, key)):
                yield Container(of=self, document=document)


def pods_of(resource: Declared) -> Iterator[Pods]:
    """What pods a resource asks for; none when it is no workload of Kubernetes."""
    if not resource.is_in_kubernetes:
        return
    for part, place in PLACES.get(resource.kind, {}).items():
        spec = resource.at(*place)
        if isinstance(spec, Mapping):
            yield Pods(resource=resource, part=part, spec=spec)


def containers_of(resource: Declared) -> Iterator[Container]:
    """All containers of all pods of a resource."""
    for pods in pods_of(resource):
        yield from pods.containers
