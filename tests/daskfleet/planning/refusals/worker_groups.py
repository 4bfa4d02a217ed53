"""Groups of workers, and settings of workers, that could not do what they say."""

from typing import Any

from tests.daskfleet.planning.documents import Refusal, minimal


def one(**worker: Any) -> dict[str, Any]:
    """A team whose only worker has these settings."""
    return minimal(teams=[{"name": "alpha", "workers": 1, "worker": worker}])


def grouped(*groups: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A team with one worker and further groups."""
    return minimal(teams=[{"name": "alpha", "workers": 1, "groups": list(groups), **changes}])


REFUSALS: dict[str, Refusal] = {
    "several Dask workers in one pod": (
        minimal(
            teams=[{"name": "alpha", "worker": {"command": ["dask", "worker", "--nworkers", "3"]}}]
        ),
        "teams[0].worker.command",
        "--nworkers 3",
        "a command without --nworkers",
        "raise workers",
    ),
    "as many Dask workers as the pod has cores": (
        minimal(
            teams=[{"name": "alpha", "worker": {"command": ["dask", "worker", "--nworkers=auto"]}}]
        ),
        "teams[0].worker.command",
        "--nworkers auto",
        "a command without --nworkers",
        "raise workers",
    ),
    "group with the name of the first one": (
        grouped({"name": "default"}),
        "teams[0].groups[0].name",
        "default",
        "not default",
        "choose another name",
    ),
    "group that is there already": (
        grouped({"name": "memory", "workers": 0}, {"name": "memory"}),
        "teams[0].groups[1].name",
        "memory",
        "each once in a team",
        "choose another name",
    ),
    "group whose name leaves a label no room": (
        minimal(
            teams=[
                {"name": "a" * 46, "workers": 1, "groups": [{"name": "a-long-groups-name"}]},
            ]
        ),
        "teams[0].groups[0].name",
        "a-long-groups-name",
        "at most 16 characters",
        "a shorter one for the team",
    ),
    "group on a pool that is not there": (
        grouped({"name": "memory", "pool": "a1000"}),
        "teams[0].groups[0].pool",
        "a1000",
        "a100",
        "write a100",
    ),
    "group on the pool of the schedulers": (
        grouped({"name": "memory", "pool": "scheduler-pool"}),
        "teams[0].groups[0].pool",
        "scheduler-pool",
        "a100",
        "name a worker pool",
    ),
    "more workers in a group than the others leave room for": (
        grouped({"name": "memory", "workers": 2}),
        "teams[0].groups[0].workers",
        "2",
        "at most 1 beside the other groups",
        "raise node_count of pool a100",
    ),
    "group's worker that no node can hold": (
        grouped({"name": "memory", "worker": {"memory_gib": 160}}),
        "teams[0].groups[0].worker",
        "11 cores, 160 GiB",
        "at most",
        "ask for less",
    ),
    "variable that the program sets": (
        one(environment={"LD_LIBRARY_PATH": "/opt"}),
        "teams[0].worker.environment",
        "LD_LIBRARY_PATH",
        "no secrets",
        "remove it",
    ),
    "variable on which connections depend": (
        one(environment={"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "90s"}),
        "teams[0].worker.environment",
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP",
        "variables that neither Dask's connections nor the driver depend on",
        "remove it",
    ),
    "variable with a secret's name": (
        one(environment={"HF_TOKEN": "x"}),
        "teams[0].worker.environment",
        "HF_TOKEN",
        "no secrets",
        "an identity of their own",
    ),
    "memory pool larger than the GPU": (
        one(rmm_pool_size=40),
        "teams[0].worker.rmm_pool_size",
        "40",
        "less than 40",
        "lower it",
    ),
    "memory pool that the command has too": (
        one(rmm_pool_size=0.5, command=["dask", "cuda", "worker", "--rmm-pool-size=0.8"]),
        "teams[0].worker.rmm_pool_size",
        "0.5",
        "rmm_pool_size, or --rmm-pool-size in the command",
        "remove --rmm-pool-size from the command",
    ),
    "workers of one cluster that speak differently": (
        grouped({"name": "memory", "worker": {"protocol": "ucx"}}),
        "teams[0].groups[0].worker.protocol",
        "ucx",
        "one protocol for all workers of a team",
        "or set ucx on all",
    ),
    "threads that share a GPU": (
        one(threads=2),
        "teams[0].worker.threads",
        "2",
        "more on a pool without",
        "remove it",
    ),
}
