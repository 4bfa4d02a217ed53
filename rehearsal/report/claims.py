"""Pure: what the program promises about a fleet, each checked against what was observed."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal

from daskfleet.contract.outputs import FleetOutputs
from rehearsal.emulator.gpu_driver import GPU_RESOURCE
from rehearsal.report.fleet_state import COUNTED_RESOURCES, Amounts, Node, Pod
from rehearsal.report.model import Claim, SecondUp

SCHEDULER_POOL_LABEL = ("dedicated", "scheduler")
GKE_NAMESPACES = ("kube-system", "gke-managed-system", "gmp-system")
"""Where GKE keeps its own agents."""

PULL_LABEL = ("app.kubernetes.io/name", "image-prepull")
"""On the pods that pull images before Dask's pods ask for them."""

PROBLEMS_SHOWN = 3


def claim(text: str, *, problems: Sequence[str], evidence: str) -> Claim:
    """Return a claim that holds when there are no problems; they are its evidence otherwise."""
    if not problems:
        return Claim(text=text, holds=True, evidence=evidence)
    shown = "; ".join(problems[:PROBLEMS_SHOWN])
    more = len(problems) - PROBLEMS_SHOWN
    return Claim(
        text=text, holds=False, evidence=f"{shown}; and {more} more" if more > 0 else shown
    )


def every_team_is_ready(fleet: FleetOutputs, pods: Collection[Pod]) -> Claim:
    """Every team has its declared cluster with all pods ready, and no other beside it."""
    ready = Counter(
        (p.namespace, p.dask_cluster, p.role)
        for p in pods
        if p.team in fleet.teams and p.is_ready and not p.is_leaving
    )
    problems = []
    for name, team in fleet.teams.items():
        most = team.all_workers if team.most_workers is None else team.most_workers
        for role, fewest, most_of in (("scheduler", 1, 1), ("worker", team.all_workers, most)):
            got = ready[team.namespace, team.dask_cluster, role]
            if not fewest <= got <= most_of:
                wanted = f"{fewest}" if fewest == most_of else f"{fewest} to {most_of}"
                problems.append(f"{name}: {got} of {wanted} {role}s ready")
        others = {p.dask_cluster for p in pods if p.team == team.namespace} - {team.dask_cluster}
        problems += [f"{name}: {other} is there beside its cluster" for other in sorted(others)]
    workers = sum(count for (_, _, role), count in ready.items() if role == "worker")
    return claim(
        "every team's scheduler and workers are ready",
        problems=problems,
        evidence=f"{len(fleet.teams)} schedulers and {workers} workers ready",
    )


def schedulers_are_on_the_scheduler_pool(
    fleet: FleetOutputs, pods: Iterable[Pod], nodes: Mapping[str, Node]
) -> Claim:
    """Every scheduler pod of a team is on a node that is dedicated to schedulers."""
    key, value = SCHEDULER_POOL_LABEL
    schedulers = _of_teams(fleet, pods, role="scheduler")
    problems = [
        f"{pod.name} is on {_place(pod, nodes)}"
        for pod in schedulers
        if pod.node not in nodes or nodes[pod.node].labels.get(key) != value
    ]
    return claim(
        "schedulers are on the scheduler pool",
        problems=problems or _none_at_all(schedulers, "scheduler"),
        evidence=_counted(schedulers, nodes),
    )


def workers_are_on_their_pool(
    fleet: FleetOutputs, pods: Iterable[Pod], nodes: Mapping[str, Node]
) -> Claim:
    """Every worker pod of a team is on the pool that its team declares."""
    workers = _of_teams(fleet, pods, role="worker")
    problems = [
        f"{pod.name} is on {_place(pod, nodes)}"
        for pod in workers
        if pod.node not in nodes
        or nodes[pod.node].pool not in fleet.teams[pod.team].group_of(pod.name).pools
    ]
    wanted = any(team.all_workers for team in fleet.teams.values())
    return claim(
        "workers are on their team's pool",
        problems=problems or (_none_at_all(workers, "worker") if wanted else []),
        evidence=_counted(workers, nodes),
    )


def no_node_is_overcommitted(pods: Iterable[Pod], nodes: Mapping[str, Node]) -> Claim:
    """The requests of a node's pods fit what it can allocate, summed without the scheduler."""
    requested: dict[str, dict[str, Decimal]] = {name: {} for name in nodes}
    placed = [pod for pod in pods if pod.takes_room and pod.node in nodes]
    for pod in placed:
        for resource, amount in pod.requests.items():
            on_node = requested[pod.node]
            on_node[resource] = on_node.get(resource, Decimal(0)) + amount
    problems = [
        f"{name}: {resource} {requested[name][resource]} of {_offer(node, resource)}"
        for name, node in nodes.items()
        for resource in COUNTED_RESOURCES
        if requested[name].get(resource, Decimal(0)) > _offer(node, resource)
    ]
    gpus = sum((_offer(node, GPU_RESOURCE) for node in nodes.values()), Decimal(0))
    used = sum(
        (amounts.get(GPU_RESOURCE, Decimal(0)) for amounts in requested.values()), Decimal(0)
    )
    return claim(
        "no node is overcommitted",
        problems=problems,
        evidence=f"{len(placed)} pods on {len(nodes)} nodes; {used} of {gpus} GPU shares used",
    )


def gpu_nodes_carry_gpu_work_only(pods: Iterable[Pod], nodes: Mapping[str, Node]) -> Claim:
    """Nothing of ours sits on a GPU node without asking for a GPU.

    GKE's own agents do; so does the driver's installer, which GKE admits only beside them; and so
    do the pods that pull images, which then wait for nothing.
    """
    gpu_nodes = [node for node in nodes.values() if node.has_gpu]
    without_gpu = [
        pod
        for pod in pods
        if pod.node in nodes
        and nodes[pod.node].has_gpu
        and not pod.requests.get(GPU_RESOURCE)
        and pod.namespace not in GKE_NAMESPACES
    ]
    guests = [pod for pod in without_gpu if PULL_LABEL not in pod.labels.items()]
    pulls = len(without_gpu) - len(guests)
    aside = f" and {pulls} pods that pull images" if pulls else ""
    return claim(
        "GPU nodes carry GPU work and the driver only",
        problems=[f"{pod.namespace}/{pod.name} is on {_place(pod, nodes)}" for pod in guests],
        evidence=f"{len(gpu_nodes)} GPU nodes, GKE's own agents{aside} aside",
    )


def images_are_as_declared(fleet: FleetOutputs, pods: Iterable[Pod]) -> Claim:
    """Every container of a team's Dask pods runs the image that the stack outputs name."""
    dask_pods = [pod for pod in pods if pod.team in fleet.teams]
    problems = [
        f"{pod.name} runs {', '.join(pod.images)}"
        for pod in dask_pods
        if set(pod.images) != {fleet.teams[pod.team].image}
    ]
    images = {team.image for team in fleet.teams.values()}
    return claim(
        "every Dask pod runs its team's declared image",
        problems=problems,
        evidence=f"{len(dask_pods)} pods, {len(images)} image{'s' if len(images) > 1 else ''}",
    )


def second_up_is_silent(second: SecondUp) -> Claim:
    """An `up` of unchanged settings changes no resource and writes to neither API."""
    problems = [*second.google_writes, *second.kubernetes_writes]
    if second.changed_resources:
        problems.insert(0, f"{second.changed_resources} resources changed")
    return claim(
        "a second `up` changes and writes nothing",
        problems=problems,
        evidence="0 changes, 0 writes to Google, 0 to Kubernetes",
    )


def _of_teams(fleet: FleetOutputs, pods: Iterable[Pod], *, role: str) -> list[Pod]:
    """What somebody runs in a namespace of their own is no promise of the program."""
    return [pod for pod in pods if pod.role == role and pod.team in fleet.teams]


def _offer(node: Node, resource: str) -> Decimal:
    allocatable: Amounts = node.allocatable
    return allocatable.get(resource, Decimal(0))


def _place(pod: Pod, nodes: Mapping[str, Node]) -> str:
    if not pod.node:
        return f"no node ({pod.reason or pod.phase})"
    return f"pool {nodes[pod.node].pool}" if pod.node in nodes else f"lost node {pod.node}"


def _none_at_all(pods: Sequence[Pod], role: str) -> list[str]:
    return [] if pods else [f"there is no {role} pod"]


def _counted(pods: Sequence[Pod], nodes: Mapping[str, Node]) -> str:
    pools = Counter(nodes[pod.node].pool for pod in pods if pod.node in nodes)
    return ", ".join(f"{count} on {pool}" for pool, count in sorted(pools.items()))
