"""The fleet as a picture: pools, their nodes, the nodes' GPUs, and who is on them."""

from collections.abc import Iterable, Mapping, Sequence

from daskfleet.platform.report.drawn_fleet import Fleet, Gpu, LegendRow, Node, Pod, Pool, Slot
from daskfleet.platform.report.teams import TeamMark, team_marks
from daskfleet.platform.report.words import counted
from rehearsal.report.model import NodeRow, PodRow, PoolRow, Report

ROLES = {
    "system": "for the operator and what Kubernetes needs",
    "scheduler": "for Dask schedulers",
    "worker": "for Dask workers",
}


def fleet_of(report: Report) -> Fleet:
    """Draw every pod of the report, each once."""
    marks = team_marks(row.team for row in report.pods)
    pods = tuple(_pod(row, index, marks) for index, row in enumerate(report.pods, start=1))
    wanted = {pod.name: row.gpu_shares for pod, row in zip(pods, report.pods, strict=True)}
    nodes = {node.name for node in report.nodes}
    placed = [pod for pod in pods if pod.node in nodes]
    pools = _pools(report, placed, wanted)
    return Fleet(
        pools=pools,
        unplaced=tuple(pod for pod in pods if pod.node not in nodes),
        pods=pods,
        legend=tuple(_legend_row(mark, pods) for mark in marks.values()),
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


def _pools(report: Report, pods: Sequence[Pod], wanted: Mapping[str, int]) -> tuple[Pool, ...]:
    declared = {pool.name: pool for pool in report.pools}
    names = dict.fromkeys([*declared, *(node.pool for node in report.nodes)])
    return tuple(
        _pool(
            name,
            declared.get(name),
            [node for node in report.nodes if node.pool == name],
            pods,
            wanted,
        )
        for name in names
    )


def _pool(
    name: str,
    declared: PoolRow | None,
    rows: Sequence[NodeRow],
    pods: Sequence[Pod],
    wanted: Mapping[str, int],
) -> Pool:
    short = {row.name: row.name.rpartition("-")[2] for row in rows}
    is_clear = len(set(short.values())) == len(rows)
    return Pool(
        name=name,
        purpose=ROLES.get(declared.role, declared.role) if declared else "",
        machine=_machine(declared, rows),
        size=_size(declared, len(rows)),
        nodes=tuple(
            _node(
                row,
                short[row.name] if is_clear else row.name,
                [pod for pod in pods if pod.node == row.name],
                wanted,
            )
            for row in rows
        ),
    )


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


def _legend_row(mark: TeamMark, pods: Sequence[Pod]) -> LegendRow:
    own = [pod for pod in pods if pod.team == mark]
    roles = [
        counted(sum(pod.role == role for pod in own), role)
        for role in sorted({pod.role for pod in own})
    ]
    unready = sum(not pod.is_ready for pod in own)
    state = f"{unready} not ready" if unready else "all ready"
    return LegendRow(team=mark, text=f"{', '.join(roles)}; {state}")
