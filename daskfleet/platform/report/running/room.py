"""Pure: what room there is for a team more, by type of GPU."""

from collections.abc import Iterable, Iterator, Sequence

from daskfleet.catalog.quotas import quotas
from daskfleet.contract.outputs import PoolOutput
from daskfleet.contract.seen import PodRow
from daskfleet.platform.doctor.model import Area, Finding
from daskfleet.platform.report.running.model import RoomRow
from daskfleet.platform.report.running.rows import node_rows
from daskfleet.pod_status import KubernetesObject


def room_rows(
    pools: Sequence[PoolOutput],
    nodes: Sequence[KubernetesObject] | None,
    pods: Sequence[PodRow] | None,
    findings: Sequence[Finding],
) -> tuple[RoomRow, ...]:
    """Tell of each type that a pool has; None of nodes or pods: they could not be read."""
    types = dict.fromkeys(pool.accelerator for pool in pools if pool.accelerator)
    return tuple(
        RoomRow(
            accelerator=each,
            free_shares=None if nodes is None or pods is None else _free(each, nodes, pods),
            more_gpus=None if nodes is None else _more(each, pools, nodes),
            quota=tuple(_quota(each, findings)),
        )
        for each in types
    )


def _free(accelerator: str, nodes: Iterable[KubernetesObject], pods: Sequence[PodRow]) -> int:
    """Count places; a node that is cordoned or not ready takes no pod."""
    taking = [node for node in nodes if not node["spec"].get("unschedulable")]
    rows = [row for row in node_rows(taking) if row.is_ready and row.accelerator == accelerator]
    held = {row.name: 0 for row in rows}
    for pod in pods:
        if pod.node in held:
            held[pod.node] += pod.gpu_shares
    return sum(max(0, row.gpu_shares - held[row.name]) for row in rows)


def _more(accelerator: str, pools: Iterable[PoolOutput], nodes: Sequence[KubernetesObject]) -> int:
    there = [row.pool for row in node_rows(nodes)]
    return sum(
        max(0, pool.max_nodes - there.count(pool.name)) * pool.gpus_per_node
        for pool in pools
        if pool.accelerator == accelerator
    )


def _quota(accelerator: str, findings: Iterable[Finding]) -> Iterator[str]:
    known = quotas().get(accelerator)
    metrics = {known.metric, known.spot_metric} if known else set()
    for finding in findings:
        if finding.area is Area.QUOTA and finding.subject.partition(" ")[0] in metrics:
            yield f"{finding.subject}: {finding.there}"
