"""Pods that find no place."""

from tests.daskfleet.planning.documents import Document, Refusal, minimal, teams

MEMBERS = ["user:alice@example.com"]


def own_clusters(count: int, **team: object) -> Document:
    """A fleet of one T4 whose team may make so many clusters beside the fixed one."""
    own = {"max_workers": 1, "max_clusters": count}
    return minimal(
        teams=[{"name": "alpha", "workers": 1, "members": MEMBERS, "ephemeral": own, **team}]
    )


REFUSALS: dict[str, Refusal] = {
    "a cluster of a member's own where the one slot is taken": (
        own_clusters(1),
        "scheduler_pool",
        "at most 1 node x 1 nvidia-tesla-t4",
        "room for 2 schedulers",
        "raise schedulers_per_gpu",
    ),
    "forty clusters of members' own": (
        own_clusters(40),
        "scheduler_pool",
        "at most 1 node x 1 nvidia-tesla-t4",
        "room for 41 schedulers",
        "raise schedulers_per_gpu",
    ),
    "forty clusters that may fall back onto one GPU": (
        own_clusters(40, scheduler={"fallback": "worker-pool"}),
        "teams[0].scheduler.fallback",
        "worker-pool",
        "a scheduler pool or a worker pool with room",
        "raise scheduler_pool.schedulers_per_gpu",
    ),
    "more clusters than there are numbers": (
        own_clusters(10**309),
        "teams[0].ephemeral.max_clusters",
        "1" + "0" * 96 + "...",
        "whole ones up to 9007199254740992",
        "correct it",
    ),
    "more workers than the pool's maximum": (
        minimal(teams=[{"name": "alpha", "workers": 3}]),
        "teams[0].workers",
        "3",
        "at most 2, less what other teams use of pool a100",
        "raise node_count of pool a100",
    ),
    "more workers than the other teams leave room for": (
        minimal(teams=teams({"workers": 1}, {"workers": 2}), scheduler_pool={"node_count": 2}),
        "teams[1].workers",
        "2",
        "at most 1 beside the other teams",
        "raise node_count of pool a100",
    ),
    "more workers than the autoscaler may make nodes for": (
        minimal(
            teams=[{"name": "alpha", "workers": 9}],
            worker_pools=[{"autoscaling": {"min_nodes": 0, "max_nodes": 4}}],
        ),
        "teams[0].workers",
        "9",
        "at most 8",
        "raise autoscaling.max_nodes of pool a100",
    ),
    "more workers at most than the pool's maximum": (
        minimal(teams=[{"name": "alpha", "adaptive": {"minimum": 0, "maximum": 3}}]),
        "teams[0].adaptive.maximum",
        "3",
        "at most 2, less what other teams use of pool a100",
        "raise node_count of pool a100",
    ),
    "worker that no node can hold": (
        minimal(teams=[{"name": "alpha", "worker": {"memory_gib": 160}}]),
        "teams[0].worker",
        "11 cores, 160 GiB",
        "at most 22.9 cores and 155.9 GiB",
        "ask for less",
    ),
    "scheduler that no node can hold": (
        minimal(teams=[{"name": "alpha", "scheduler": {"memory_gib": 6}}]),
        "teams[0].scheduler",
        "1 cores, 6 GiB",
        "at most 1 cores and 4.4 GiB",
        "give the pool a larger machine type",
    ),
    "shared memory beyond the worker's memory": (
        minimal(teams=[{"name": "alpha", "worker": {"memory_gib": 8}}]),
        "teams[0].worker.shm_gib",
        "8",
        "less than 8",
        "lower shm_gib",
    ),
    "more schedulers than T4 slots": (
        minimal(teams=teams({"workers": 1}, {"workers": 1})),
        "scheduler_pool",
        "at most 1 node x 1 nvidia-tesla-t4",
        "room for 2 schedulers",
        "raise schedulers_per_gpu (GPU time-sharing, at no cost), node_count or the machine type",
    ),
    "shared GPU on a machine without memory for the schedulers": (
        minimal(
            teams=teams({"workers": 1}, {"workers": 1}), scheduler_pool={"schedulers_per_gpu": 2}
        ),
        "scheduler_pool",
        "at most 1 node x 1 nvidia-tesla-t4, shared by 2 schedulers each",
        "room for 2 schedulers",
        "raise node_count or the machine type of scheduler_pool",
    ),
    "fallback onto a pool that is full": (
        minimal(
            teams=teams(
                {"workers": 1, "scheduler": {"fallback": "worker-pool"}},
                {"workers": 1, "scheduler": {"fallback": "worker-pool"}},
            )
        ),
        "teams[1].scheduler.fallback",
        "worker-pool",
        "a worker pool with room for this scheduler",
        "raise scheduler_pool.schedulers_per_gpu",
    ),
    "blue-green beside a full scheduler pool": (
        minimal(teams=[{"name": "alpha", "workers": 1, "rollout": "blue-green"}]),
        "scheduler_pool",
        "at most 1 node x 1 nvidia-tesla-t4",
        "room for 2 schedulers",
        "raise schedulers_per_gpu (GPU time-sharing, at no cost), or raise node_count of the pool",
    ),
    "blue-green beside a scheduler pool whose memory is full": (
        minimal(
            teams=[{"name": "alpha", "workers": 1, "rollout": "blue-green"}],
            scheduler_pool={"schedulers_per_gpu": 2},
        ),
        "scheduler_pool",
        "at most 1 node x 1 nvidia-tesla-t4",
        "room for 2 schedulers",
        "raise node_count of the pool to 2; or give",
    ),
    "blue-green beside a full worker pool": (
        minimal(
            teams=[{"name": "alpha", "workers": 2, "rollout": "blue-green"}],
            scheduler_pool={"node_count": 2},
        ),
        "worker_pools[0]",
        "at most 1 node x 2 nvidia-tesla-a100",
        "room for 4 pods",
        "raise node_count of the pool to 2; or give a team rollout recreate",
    ),
    "several blue-green teams that one up may roll at once": (
        minimal(
            teams=teams(
                {"workers": 2, "rollout": "blue-green"},
                {"workers": 2, "rollout": "blue-green"},
            ),
            scheduler_pool={"node_count": 4},
            worker_pools=[{"autoscaling": {"min_nodes": 0, "max_nodes": 3}}],
        ),
        "worker_pools[0]",
        "at most 3 nodes x 2 nvidia-tesla-a100",
        "room for 8 pods",
        "raise autoscaling.max_nodes of the pool to 4",
    ),
    "blue-green scheduler that would fall back onto a full pool": (
        minimal(
            teams=[
                {
                    "name": "alpha",
                    "workers": 1,
                    "rollout": "blue-green",
                    "scheduler": {"fallback": "worker-pool"},
                }
            ]
        ),
        "worker_pools[0]",
        "at most 1 node x 2 nvidia-tesla-a100",
        "room for 3 pods",
        "raise node_count of the pool to 2",
    ),
    "unknown worker pool": (
        minimal(teams=[{"name": "alpha", "worker_pool": "a10"}]),
        "teams[0].worker_pool",
        "a10",
        "a100",
        "write a100 if",
    ),
    "worker pool left open": (
        minimal(worker_pools=[{"name": "a100"}, {"name": "more"}]),
        "teams[0].worker_pool",
        "not given",
        "a100, more",
        "say which one is this team's",
    ),
}
