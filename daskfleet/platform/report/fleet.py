"""The fleet as a picture: pools, their nodes, the nodes' GPUs, and who is on them."""

from collections.abc import Iterable, Mapping, Sequence

from daskfleet.contract.seen import NodeRow, PodRow, PoolRow, SeenFleet
from daskfleet.platform.report.drawn_fleet import Fleet, Gpu, Node, Pod, Pool, Slot
from daskfleet.platform.report.teams import TeamMark
from daskfleet.platform.report.words import counted

ROLES = {
    "system": "for the operator and what Kubernetes needs",
    "scheduler": "for Dask schedulers",
    "worker": "for Dask workers",
}


def fleet_of(
    seen: SeenFleet, marks: Mapping[str, TeamMark], *, are_pods_known: bool = True
) -> Fleet:
    """Draw every pod that was seen, each once.

    Where the pods are not known, no place is said to be free.
    """
    pods = tuple(_pod(row, index, marks) for index, row in enumerate(seen.pods, start=1))
    wanted = {pod.name: row.gpu_shares for pod, row in zip(pods, seen.pods, strict=True)}
    placed: dict[str, list[Pod]] = {node.name: [] for node in seen.nodes}
    for pod in pods:
        placed.get(pod.node, []).append(pod)
    pools = _pools(seen, placed, wanted if are_pods_known else None)
    return Fleet(
        pools=pools,
        unplaced=tuple(pod for pod in pods if pod.node not in placed),
        pods=pods,
        are_pods_known=are_pods_known,
        used_shares=sum(slot.pod is not None for slot in _slots(pools)),
        all_shares=len(_slots(pools)),
    )


def gpu_name(accelerator: str) -> str:
    """Shorten GKE's name of a GPU to what people call it, for example A100."""
    return accelerator.removeprefix("nvidia-").removeprefix("tesla-").replace("-", " ").upper()


def _slots(pools: Iterable[Pool]) -> list[Slot]:
    return [
        slot for pool in pools for node in pool.nodes for gpu in node.gpus for slot in gpu.slots
    ]


def _pod(row: PodRow, index: int, marks: Mapping[str, TeamMark]) -> Pod:
    return Pod(
        anchor=f"pod-{index}",
        name=row.name,
        team=marks[row.team],
        role=row.role,
        node=row.node,
        pool=row.pool,
        accelerator=row.accelerator,
        is_ready=row.is_ready,
        state="Ready" if row.is_ready else f"Not ready: {row.phase}",
        reason="" if row.is_ready else row.reason,
    )


def _pools(
    seen: SeenFleet, placed: Mapping[str, Sequence[Pod]], wanted: Mapping[str, int] | None
) -> tuple[Pool, ...]:
    declared = {pool.name: pool for pool in seen.pools}
    names = dict.fromkeys([*declared, *(node.pool for node in seen.nodes)])
    return tuple(
        _pool(
            name,
            declared.get(name),
            [node for node in seen.nodes if node.pool == name],
            placed,
            wanted,
        )
        for name in names
    )


def _pool(
    name: str,
    declared: PoolRow | None,
    rows: Sequence[NodeRow],
    placed: Mapping[str, Sequence[Pod]],
    wanted: Mapping[str, int] | None,
) -> Pool:
    short = {row.name: row.name.rpartition("-")[2] for row in rows}
    is_clear = len(set(short.values())) == len(rows)
    nodes = tuple(
        _node(row, short[row.name] if is_clear else row.name, placed[row.name], wanted or {})
        for row in rows
    )
    return Pool(
        name=name,
        purpose=ROLES.get(declared.role, declared.role) if declared else "",
        machine=_machine(declared, rows),
        size=_size(declared, len(rows)),
        room=_room(nodes, are_pods_known=wanted is not None),
        nodes=nodes,
    )


def _room(nodes: Iterable[Node], *, are_pods_known: bool) -> str:
    slots = [slot for node in nodes if node.is_ready for gpu in node.gpus for slot in gpu.slots]
    if not slots:
        return ""
    free = sum(slot.pod is None for slot in slots) if are_pods_known else "not known how many"
    return f"{free} of {counted(len(slots), 'place')} on GPUs free"


def _machine(declared: PoolRow | None, rows: Sequence[NodeRow]) -> tuple[str, ...]:
    if declared is None:
        return tuple(sorted({row.machine_type for row in rows}))
    if not declared.accelerator:
        return (declared.machine_type,)
    return (declared.machine_type, f"{declared.gpus_per_node} x {declared.accelerator}")


def _size(declared: PoolRow | None, there: int) -> str:
    now = counted(there, "node")
    if declared is None:
        return f"{now}, not in the stack's outputs"
    if declared.min_nodes != declared.max_nodes:
        return f"{now}, autoscaled: {declared.min_nodes} to {declared.max_nodes}"
    return now if there == declared.max_nodes else f"{there} of {declared.max_nodes} nodes"


def _node(row: NodeRow, short: str, pods: Sequence[Pod], wanted: Mapping[str, int]) -> Node:
    slots: list[Slot] = []
    beside = []
    for pod in pods:
        shares = wanted[pod.name]
        if not 0 < shares <= row.gpu_shares - len(slots):
            beside.append(pod)
            continue
        slots += [Slot(pod=pod, is_continued=place > 0) for place in range(shares)]
    slots += [Slot(pod=None)] * (row.gpu_shares - len(slots))
    return Node(
        name=row.name,
        short_name=short,
        is_ready=row.is_ready,
        gpus=_gpus(row, slots),
        beside=tuple(beside),
    )


def _gpus(row: NodeRow, slots: Sequence[Slot]) -> tuple[Gpu, ...]:
    """Deal the places out over the hardware, as evenly as GKE's sharing does."""
    count = row.gpus or min(1, row.gpu_shares)
    each = -(-len(slots) // count) if count else 0
    kind = gpu_name(row.accelerator)
    return tuple(
        Gpu(
            label=f"{kind} {number + 1}" if count > 1 else kind,
            slots=tuple(slots[number * each : (number + 1) * each]),
        )
        for number in range(count)
    )
