"""Pure: what the Kubernetes API holds of the fleet, at one moment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from daskfleet.contract.dask import DASK_API
from daskfleet.pod_status import KubernetesObject, label


@dataclass(frozen=True, order=True)
class Kind:
    """A kind of objects in one version of its API."""

    api_version: str
    name: str


DASK_CLUSTER = Kind(DASK_API, "DaskCluster")
DASK_WORKER_GROUP = Kind(DASK_API, "DaskWorkerGroup")
DASK_AUTOSCALER = Kind(DASK_API, "DaskAutoscaler")
DASK_JOB = Kind(DASK_API, "DaskJob")
DEPLOYMENT = Kind("apps/v1", "Deployment")
SERVICE = Kind("v1", "Service")
NODE = Kind("v1", "Node")
ALWAYS = (
    DASK_CLUSTER,
    DASK_WORKER_GROUP,
    DASK_AUTOSCALER,
    DASK_JOB,
    DEPLOYMENT,
    SERVICE,
    NODE,
)
"""Kinds that are looked at whatever the stack declares."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """All objects of the kinds that were asked for."""

    objects: Mapping[Kind, tuple[KubernetesObject, ...]]

    def of(self, kind: Kind) -> tuple[KubernetesObject, ...]:
        """Return the objects of a kind; none when the API does not serve it."""
        return self.objects.get(kind, ())

    def find(self, kind: Kind, name: str, namespace: str | None) -> KubernetesObject | None:
        """Return one object, None when there is no such."""
        return next(
            (
                each
                for each in self.of(kind)
                if each["metadata"]["name"] == name
                and namespace in (None, each["metadata"].get("namespace"))
            ),
            None,
        )


def place(live: KubernetesObject) -> str:
    """Return ``namespace/name``, or the name of what has no namespace."""
    metadata = live["metadata"]
    return "/".join(part for part in (metadata.get("namespace"), metadata["name"]) if part)


def labelled(objects: Iterable[KubernetesObject], **labels: str) -> list[KubernetesObject]:
    """Return the objects that carry all of these labels."""
    return [each for each in objects if all(label(each, k) == v for k, v in labels.items())]
