"""A fleet, and facts of a team that is in order: tests break one of them at a time."""

from typing import Any

from daskfleet.access.declared_fleet import declared_fleet
from daskfleet.contract.declared import DeclaredFleet, DeclaredTeam
from daskfleet.team.verify.checks.all_checks import all_checks
from daskfleet.team.verify.facts import (
    BoundTask,
    Computation,
    DaskFacts,
    Gpu,
    GraphFacts,
    PageFacts,
    PodFacts,
    ProcessFacts,
    SchedulerFacts,
    TeamFacts,
    TlsFacts,
    WorkerFacts,
)
from daskfleet.team.verify.model import Check, Outcome

IMAGE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
T4 = Gpu(name="Tesla T4", memory_mib=15360, compute_capability="7.5")
A100 = Gpu(name="NVIDIA A100-SXM4-40GB", memory_mib=40960, compute_capability="8.0")
VERSIONS = {
    "dask": "2026.7.1",
    "distributed": "2026.7.1",
    "msgpack": "1.2.4",
    "cloudpickle": "3.1.2",
    "numpy": "2.4.1",
    "cudf": "26.10.0",
}
WORKERS = ("tcp://10.0.0.2:40001", "tcp://10.0.0.3:40001")


def outputs(**changes: Any) -> dict[str, Any]:
    """The outputs of a stack with one team."""
    fraud = {
        "namespace": "fraud",
        "dask_cluster": "fraud",
        "address": "tcp://dask.fraud.svc.cluster.local:8786",
        "dashboard": "http://dask.fraud.svc.cluster.local:8787/status",
        "image": IMAGE,
        "rapids": "26.10",
        "cuda": 12,
        "workers": 2,
        "worker_pool": "a100",
        "scheduler_pool": "scheduler-pool",
        "scheduler_fallback": "none",
        "threads_per_worker": 1,
        "worker_resources": {"GPU": 1},
        "tls_client_secret": "dask-tls-client-1-365d",
        **changes,
    }
    pools = [
        {"name": "system", "role": "system", "accelerator": None},
        {"name": "scheduler-pool", "role": "scheduler", "accelerator": "nvidia-tesla-t4"},
        {"name": "a100", "role": "worker", "accelerator": "nvidia-tesla-a100"},
    ]
    return {"teams": {"fraud": fraud}, "pools": pools}


def fleet(**changes: Any) -> DeclaredFleet:
    """The same, as it is read."""
    return declared_fleet(outputs(**changes))


def team(**changes: Any) -> DeclaredTeam:
    """The fleet's team."""
    return fleet(**changes).teams["fraud"]


def pod(name: str, **changes: Any) -> PodFacts:
    """A pod in order; the scheduler's is called so."""
    role = "scheduler" if name == "scheduler" else "worker"
    pool = "scheduler-pool" if role == "scheduler" else "a100"
    facts = {
        "name": name,
        "role": role,
        "node": f"node-of-{pool}",
        "pool": pool,
        "image": IMAGE,
        "is_ready": True,
        "state": "Running",
        **changes,
    }
    return PodFacts.model_validate(facts)


def pods(workers: int = 2) -> tuple[PodFacts, ...]:
    """A scheduler's pod, and workers'."""
    return (pod("scheduler"), *(pod(f"worker-{number}") for number in range(workers)))


def process(*gpus: Gpu, **changes: Any) -> ProcessFacts:
    """A process in order, with these GPUs."""
    cuda = {"driver": "580.126.20", "driver_cuda": "13.0", "cuda_runtime": "12.9"} if gpus else {}
    facts = {"python": "3.13.1", "versions": VERSIONS, "gpus": gpus, **cuda, **changes}
    return ProcessFacts.model_validate(facts)


def worker(number: int, **changes: Any) -> WorkerFacts:
    """A worker in order."""
    facts = {
        "address": WORKERS[number],
        "name": f"fraud-worker-{number}",
        "threads": 1,
        "resources": {"GPU": 1},
        "process": process(A100),
        **changes,
    }
    return WorkerFacts.model_validate(facts)


def computation(on: str = "", **changes: Any) -> Computation:
    """A computation that came out right."""
    facts = {"what": "the sum", "on": on, "expected": "2470", "seen": "2470", **changes}
    return Computation.model_validate(facts)


def dask(**changes: Any) -> DaskFacts:
    """What a probe says of a cluster in order, from a client without a GPU."""
    facts = {
        "client": process(),
        "client_python": "/home/somebody/python",
        "scheduler": SchedulerFacts(process=process(T4)),
        "workers": (worker(0), worker(1)),
        "graphs": (GraphFacts(carries="plain Python objects"), GraphFacts(carries="numpy")),
        "bound_tasks": (
            *(
                BoundTask(asked={"GPU": 1}, meant_for=address, ran_on=address)
                for address in WORKERS
            ),
            *(BoundTask(asked={"GPU": 1}, meant_for="", ran_on=address) for address in WORKERS),
        ),
        "computations": tuple(computation(on=address) for address in WORKERS),
        "gpu_computations": tuple(computation(on=address) for address in WORKERS),
        **changes,
    }
    return DaskFacts.model_validate(facts)


def facts(**changes: Any) -> TeamFacts:
    """Everything in order."""
    collected = {
        "pods": pods(),
        "service_leads_to": "fraud",
        "dask": dask(),
        "pages": (
            PageFacts(path="/health", status=200, text="ok"),
            PageFacts(path="/status", status=200, text="<title>Dask: Status</title>"),
        ),
        "tls": tls(),
        **changes,
    }
    return TeamFacts.model_validate(collected)


def tls(**changes: Any) -> TlsFacts:
    """An anonymous client is refused, and certificates last."""
    facts = {
        "anonymous_client_refused": True,
        "anonymous_client_outcome": "TLSV13_ALERT_CERTIFICATE_REQUIRED",
        "valid_until": "2999-01-01T00:00:00Z",
        **changes,
    }
    return TlsFacts.model_validate(facts)


def checked(collected: TeamFacts, **declared: Any) -> dict[str, Check]:
    """All checks by name."""
    whole = fleet(**declared)
    return {check.name: check for check in all_checks(whole, whole.teams["fraud"], collected)}


def the_only_failure(checks: dict[str, Check]) -> Check:
    """Return the check that failed; there must be one."""
    failures = [check for check in checks.values() if check.outcome is Outcome.FAILED]
    assert len(failures) == 1, failures
    (failure,) = failures
    assert failure.next_step
    return failure
