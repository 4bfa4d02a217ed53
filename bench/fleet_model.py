"""A made report of many teams: the recorded rehearsal's, with one of its teams so many times.

Pods stand on nodes as Kubernetes would place them, a GPU each, until there is no place; then
they wait. Claims and work on resources are those of the recorded team under the others' names, so
that texts are as long as real ones.
"""

from collections.abc import Iterator
from itertools import count, islice

from daskfleet.checkout import PROJECT_DIR
from daskfleet.contract.seen import NodeRow, PodRow, PoolRow
from rehearsal.report.model import Claim, Cost, CostShare, Report
from rehearsal.timeline.model import Span, Timeline

RECORDED = PROJECT_DIR / "tests/daskfleet/platform/report/samples/rehearsal.json"
TEAM = "genomics"
"""Of the recorded run: the one that is repeated."""

WORKERS = 4
GPUS_PER_NODE = 2
SCHEDULERS_PER_GPU = 2
T4, A100 = "nvidia-tesla-t4", "nvidia-tesla-a100"
NO_PLACE = "0/{} nodes are available: {} Insufficient nvidia.com/gpu."
BETWEEN_TEAMS_S = 0.4
"""From one team's resources to the next one's: the API server takes about so long for a team."""

SUBJECTS = (
    "fraud",
    "genomics",
    "marketing",
    "climate",
    "pricing",
    "search",
    "imaging",
    "risk",
    "supply",
    "vision",
)
PLACES = ("", "-eu", "-us", "-apac", "-research", "-batch", "-live", "-labs", "-forecast", "-core")


def report_of(*, teams: int, nodes: int) -> Report:
    """Make it.

    Args:
        teams: how many; each has a scheduler and workers.
        nodes: how many in all, at least those that schedulers need.

    """
    recorded = Report.model_validate_json(RECORDED.read_bytes())
    names = names_of(teams)
    scheduler_nodes = -(-teams // SCHEDULERS_PER_GPU)
    rows = (
        *(_node("scheduler-pool", number, T4) for number in range(scheduler_nodes)),
        *(_node("a100-fixed", number, A100) for number in range(nodes - scheduler_nodes - 1)),
    )
    return recorded.model_copy(
        update={
            "pods": tuple(_pods(names, rows)),
            "claims": tuple(_claims(recorded.claims, names)),
            "nodes": rows,
            "pools": tuple(_pools(scheduler_nodes, nodes - scheduler_nodes)),
            "cost": _cost(recorded.cost, names),
            "timeline": _timeline(recorded.timeline, names),
        }
    )


def names_of(teams: int) -> tuple[str, ...]:
    """Give teams names as people do."""
    return tuple(islice(_names(), teams))


def _names() -> Iterator[str]:
    for number in count():
        again = f"-{number + 1}" if number else ""
        for place in PLACES:
            for subject in SUBJECTS:
                yield f"{subject}{place}{again}"


def _node(pool: str, number: int, accelerator: str) -> NodeRow:
    is_worker = accelerator == A100
    return NodeRow(
        name=f"gke-rapids-gpu-{pool}-f39816e3-{number:04x}",
        pool=pool,
        machine_type="a2-highgpu-2g" if is_worker else "n1-standard-4",
        accelerator=accelerator,
        gpus=GPUS_PER_NODE if is_worker else 1,
        gpu_shares=GPUS_PER_NODE if is_worker else SCHEDULERS_PER_GPU,
        is_ready=True,
    )


def _pools(schedulers: int, workers: int) -> Iterator[PoolRow]:
    for name, role, machine_type, accelerator, gpus, size in (
        ("scheduler-pool", "scheduler", "n1-standard-4", T4, 1, schedulers),
        ("a100-fixed", "worker", "a2-highgpu-2g", A100, GPUS_PER_NODE, workers),
    ):
        yield PoolRow(
            name=name,
            role=role,
            machine_type=machine_type,
            accelerator=accelerator,
            gpus_per_node=gpus,
            min_nodes=size,
            max_nodes=size,
        )


def _pods(names: tuple[str, ...], nodes: tuple[NodeRow, ...]) -> Iterator[PodRow]:
    free = {
        kind: iter([node for node in nodes if node.accelerator == kind for _ in range(2)])
        for kind in (T4, A100)
    }
    for name in names:
        yield _pod(name, "scheduler", f"{name}-scheduler-7649b87dc7-jv7xw", next(free[T4]), nodes)
        for number in range(WORKERS):
            pod = f"{name}-default-worker-4e1ca3{number:04x}-86d7f564d8-fj6wb"
            yield _pod(name, "worker", pod, next(free[A100], None), nodes)


def _pod(
    team: str, role: str, name: str, node: NodeRow | None, nodes: tuple[NodeRow, ...]
) -> PodRow:
    return PodRow(
        team=team,
        role=role,
        name=name,
        namespace=team,
        node=node.name if node else "",
        pool=node.pool if node else "",
        accelerator=node.accelerator if node else "",
        phase="Running" if node else "Pending",
        is_ready=node is not None,
        image="nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13",
        reason="" if node else NO_PLACE.format(len(nodes), len(nodes)),
        gpu_shares=1,
    )


def _claims(recorded: tuple[Claim, ...], names: tuple[str, ...]) -> Iterator[Claim]:
    yield from (claim for claim in recorded if not claim.team)
    for name in names:
        for claim in recorded:
            if claim.team == TEAM:
                renamed = claim.model_dump_json().replace(TEAM, name)
                yield Claim.model_validate_json(renamed)


def _cost(recorded: Cost | None, names: tuple[str, ...]) -> Cost | None:
    if recorded is None:
        return None
    shares = {
        name: CostShare(idle=5590.24 + number, full=5590.24 + 2 * number)
        for number, name in enumerate(names)
    }
    idle, full = (sum(getattr(each, key) for each in shares.values()) for key in ("idle", "full"))
    return recorded.model_copy(
        update={
            "teams": shares,
            "unused": None,
            "platform": CostShare(idle=0, full=0),
            "idle_usd_per_month": idle,
            "full_usd_per_month": full,
            "idle_usd_per_hour": idle / 730,
            "full_usd_per_hour": full / 730,
        }
    )


def _timeline(recorded: Timeline | None, names: tuple[str, ...]) -> Timeline | None:
    if recorded is None:
        return None
    of_teams = {span.group for span in recorded.spans if span.group.startswith("team ")}
    spans = [span for span in recorded.spans if span.group not in of_teams]
    for number, name in enumerate(names):
        for span in recorded.spans:
            if span.group == f"team {TEAM}":
                renamed = Span.model_validate_json(span.model_dump_json().replace(TEAM, name))
                late_s = number * BETWEEN_TEAMS_S
                spans.append(
                    renamed.model_copy(
                        update={
                            "start_s": span.start_s + late_s,
                            "end_s": span.end_s + late_s,
                            "is_critical": span.is_critical and name == names[-1],
                        }
                    )
                )
    spans.sort(key=lambda span: span.start_s)
    return recorded.model_copy(
        update={"spans": tuple(spans), "up_s": max(span.end_s for span in spans)}
    )
