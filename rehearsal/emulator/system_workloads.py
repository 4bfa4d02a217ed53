"""What GKE itself puts into a cluster: DaemonSets on every node, and storage classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from rehearsal.emulator.machines import DATA

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document


@dataclass(frozen=True, kw_only=True)
class SystemDaemonSet:
    """One DaemonSet of GKE and what it requests per node."""

    name: str
    namespace: str
    cpu: str
    memory: str
    gpu_only: bool = False

    def manifest(self) -> Document:
        """Return the ``apps/v1`` DaemonSet; it tolerates every taint, as GKE's own do."""
        labels = {"k8s-app": self.name}
        pod: Document = {
            "priorityClassName": "system-node-critical",
            "tolerations": [{"operator": "Exists"}],
            "containers": [
                {
                    "name": self.name,
                    "image": f"gke.gcr.io/{self.name}",
                    "resources": {"requests": {"cpu": self.cpu, "memory": self.memory}},
                }
            ],
        }
        if self.gpu_only:
            has_gpu = {"key": "cloud.google.com/gke-accelerator", "operator": "Exists"}
            terms = [{"matchExpressions": [has_gpu]}]
            pod["affinity"] = {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}
                }
            }
        return {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": self.name, "namespace": self.namespace, "labels": labels},
            "spec": {
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": pod},
            },
        }


def system_daemon_sets() -> tuple[SystemDaemonSet, ...]:
    """Return GKE's DaemonSets (``data/system_workloads.yaml``)."""
    text = (DATA / "system_workloads.yaml").read_text(encoding="utf-8")
    return tuple(SystemDaemonSet(**row) for row in yaml.safe_load(text)["daemon_sets"])


@dataclass(frozen=True, kw_only=True)
class DiskClass:
    """One storage class of GKE's."""

    name: str
    type: str
    is_default: bool = False

    def manifest(self) -> Document:
        """Return the ``storage.k8s.io/v1`` StorageClass: a disk is made where its first pod is."""
        annotations = (
            {"storageclass.kubernetes.io/is-default-class": "true"} if self.is_default else {}
        )
        return {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": self.name, "annotations": annotations},
            "provisioner": "pd.csi.storage.gke.io",
            "parameters": {"type": self.type},
            "reclaimPolicy": "Delete",
            "volumeBindingMode": "WaitForFirstConsumer",
            "allowVolumeExpansion": True,
        }


def disk_classes() -> tuple[DiskClass, ...]:
    """Return GKE's storage classes (``data/storage_classes.yaml``)."""
    text = (DATA / "storage_classes.yaml").read_text(encoding="utf-8")
    return tuple(DiskClass(**row) for row in yaml.safe_load(text)["storage_classes"])


def system_objects() -> list[Document]:
    """Return everything to create in a new cluster, namespaces first."""
    daemon_sets = system_daemon_sets()
    # kube-system is there already: the API server makes it.
    names = sorted({item.namespace for item in daemon_sets} - {"kube-system"})
    namespaces: list[Document] = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in names
    ]
    classes = (item.manifest() for item in disk_classes())
    return [*namespaces, *classes, *(item.manifest() for item in daemon_sets)]
