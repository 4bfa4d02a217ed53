"""Pure: the API server's objects as rows of the picture."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from daskfleet.contract.nodes import ACCELERATOR_LABEL, GPU_RESOURCE, POOL_LABEL
from daskfleet.contract.seen import NodeRow, PodRow
from daskfleet.pod_status import KubernetesObject, is_ready, label
from daskfleet.team.status.model import Report as TeamReport
from daskfleet.team.status.observed import Observed
from daskfleet.team.status.pods import ORDER
from daskfleet.visible import in_short

GPU_COUNT_LABEL = "cloud.google.com/gke-accelerator-count"
"""GKE writes on each node how many GPUs its machine has."""

MACHINE_TYPE_LABEL = "node.kubernetes.io/instance-type"
LONGEST_NAME = 253
"""Characters of a Kubernetes name."""

LONGEST_REASON = 1000


def node_rows(nodes: Iterable[KubernetesObject]) -> tuple[NodeRow, ...]:
    """Return the nodes by pool and name."""
    rows = [
        NodeRow(
            name=_short(node["metadata"]["name"]),
            pool=_short(label(node, POOL_LABEL)),
            machine_type=_short(label(node, MACHINE_TYPE_LABEL)),
            accelerator=_short(label(node, ACCELERATOR_LABEL)),
            gpus=_whole(label(node, GPU_COUNT_LABEL)),
            gpu_shares=_whole((node["status"].get("allocatable") or {}).get(GPU_RESOURCE, 0)),
            is_ready=is_ready(node),
        )
        for node in nodes
    ]
    return tuple(sorted(rows, key=lambda row: (row.pool, row.name)))


def pod_rows(
    reports: Iterable[TeamReport], observed: Mapping[str, Observed], nodes: Sequence[NodeRow]
) -> tuple[PodRow, ...]:
    """Return the teams' pods that are there or come, by team, role and name."""
    on = {node.name: node for node in nodes}
    rows = [row for report in reports for row in _of_team(report, observed[report.team], on)]
    return tuple(sorted(rows, key=lambda row: (row.team, row.role, row.name)))


def _of_team(report: TeamReport, observed: Observed, on: Mapping[str, NodeRow]) -> Iterator[PodRow]:
    objects = {_short(pod["metadata"]["name"]): pod for pod in observed.pods or ()}
    for pod in report.pods:
        read = objects[pod.name]
        node = on.get(pod.node)
        phase = str((read.get("status") or {}).get("phase") or "Unknown")
        yield PodRow(
            team=report.team,
            role=pod.role if pod.role in ORDER else "other",
            name=pod.name,
            namespace=report.namespace,
            node=pod.node,
            pool=node.pool if node else "",
            accelerator=node.accelerator if node else "",
            phase="Terminating" if "deletionTimestamp" in read["metadata"] else phase,
            is_ready=pod.is_ready,
            image=_short(", ".join(each["image"] for each in read["spec"]["containers"])),
            reason=in_short(pod.waits_for, LONGEST_REASON),
            gpu_shares=_gpus(read),
        )


def _gpus(pod: KubernetesObject) -> int:
    """Count what the scheduler reserves; Kubernetes takes limits of a GPU for its requests."""
    spec = pod["spec"]
    running = sum(_gpus_of(each) for each in spec["containers"])
    return max(running, *(_gpus_of(each) for each in spec.get("initContainers") or ()), 0)


def _gpus_of(container: KubernetesObject) -> int:
    resources = container.get("resources") or {}
    asked = (resources.get("requests") or {}).get(GPU_RESOURCE)
    return _whole(asked or (resources.get("limits") or {}).get(GPU_RESOURCE, 0))


def _whole(text: object) -> int:
    """Read a count; GPUs come in whole ones."""
    return int(str(text)) if str(text).isdecimal() else 0


def _short(text: str) -> str:
    return in_short(text, LONGEST_NAME)
