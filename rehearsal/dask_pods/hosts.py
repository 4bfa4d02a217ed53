"""Pure: the names that a cluster's DNS answers, and where they lead on this machine."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from rehearsal.dask_pods.model import Document

CLUSTER_DOMAIN = "cluster.local"


@dataclass(frozen=True, kw_only=True)
class ServingPod:
    """A pod as an endpoint."""

    document: Document
    loopback: str
    is_ready: bool


LeadsTo = Mapping[tuple[str, str], str]
"""Addresses by namespace and name of a Service."""


def cluster_hosts(
    services: Iterable[Document], pods: Collection[ServingPod], *, nobody: str
) -> LeadsTo:
    """Return where each Service leads, by namespace and name.

    Connections to a Service without a ready pod are refused, as kube-proxy does: they lead to
    ``nobody``. Left out are Services without a selector, and those whose ports differ from their
    pods': there is no proxy here that would translate them.
    """
    found = {}
    for service in services:
        if not service["spec"].get("selector"):
            continue
        behind = [pod for pod in pods if _selects(service, pod.document)]
        if all(_keeps_ports(service, pod.document) for pod in behind):
            metadata = service["metadata"]
            ready = sorted(pod.loopback for pod in behind if pod.is_ready)
            found[metadata["namespace"], metadata["name"]] = ready[0] if ready else nobody
    return found


def hosts_file(leads_to: LeadsTo, *, namespace: str = "") -> str:
    """Write ``address name...`` lines; pods of ``namespace`` may use a Service's bare name."""
    lines = []
    for (its_namespace, name), address in sorted(leads_to.items()):
        ends = ("", ".svc", f".svc.{CLUSTER_DOMAIN}")
        spellings = [f"{name}.{its_namespace}{end}" for end in ends]
        if its_namespace == namespace:
            spellings.insert(0, name)
        lines.append(" ".join((address, *spellings)))
    return "".join(f"{line}\n" for line in lines)


def _selects(service: Document, pod: Document) -> bool:
    labels = pod["metadata"].get("labels", {})
    return service["metadata"]["namespace"] == pod["metadata"]["namespace"] and all(
        labels.get(key) == value for key, value in service["spec"]["selector"].items()
    )


def _keeps_ports(service: Document, pod: Document) -> bool:
    """Whether each port of the Service is the same one in the pod."""
    named = {
        port["name"]: port["containerPort"]
        for container in pod["spec"]["containers"]
        for port in container.get("ports", ())
        if "name" in port
    }
    return all(
        named.get(target := port.get("targetPort", port["port"]), target) == port["port"]
        for port in service["spec"].get("ports", ())
    )
