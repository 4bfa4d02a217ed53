"""Worker pools without GPUs, and GPUs that are divided or shared otherwise than they can be."""

from tests.daskfleet.planning.documents import Document, Refusal, minimal

CPU = {
    "name": "cpu",
    "accelerator": "none",
    "machine_type": "e2-standard-8",
    "node_count": 2,
}
BY_GKE = {"install": "gke", "channel": "DEFAULT"}


def _pool(**changes: object) -> Document:
    return minimal(worker_pools=[{"name": "workers", **changes}], driver=BY_GKE)


def _team(**changes: object) -> Document:
    return minimal(worker_pools=[CPU], teams=[{"name": "alpha", **changes}])


REFUSALS: dict[str, Refusal] = {
    "pool without GPUs that counts them": (
        minimal(worker_pools=[{**CPU, "gpus_per_node": 1}]),
        "worker_pools[0].gpus_per_node",
        "1",
        "nothing beside accelerator: none",
        "remove gpus_per_node",
    ),
    "pool without GPUs that divides them": (
        minimal(worker_pools=[{**CPU, "gpu_partition_size": "1g.5gb"}]),
        "worker_pools[0].gpu_partition_size",
        "1g.5gb",
        "nothing beside accelerator: none",
        "remove gpu_partition_size",
    ),
    "pool without GPUs that shares them": (
        minimal(worker_pools=[{**CPU, "workers_per_gpu": 2}]),
        "worker_pools[0].workers_per_gpu",
        "2",
        "nothing beside accelerator: none",
        "remove workers_per_gpu",
    ),
    "GPU pool with no GPU on its nodes": (
        minimal(worker_pools=[{"gpus_per_node": 0}]),
        "worker_pools[0].gpus_per_node",
        "0",
        "accelerator: none",
        "say how many",
    ),
    "pool without GPUs on machines that have some": (
        minimal(worker_pools=[{"accelerator": "none", "node_count": 2}]),
        "worker_pools[0].machine_type",
        "a2-highgpu-2g",
        "e2-standard-4",
        "write accelerator: nvidia-tesla-a100",
    ),
    "pool without GPUs on machines that nobody knows": (
        minimal(worker_pools=[{**CPU, "machine_type": "e3-standard-8"}]),
        "worker_pools[0].machine_type",
        "e3-standard-8",
        "e2-standard-8",
        "daskfleet/catalog/data/machines.csv",
    ),
    "pool without GPUs on machines that the region does not have": (
        minimal(
            location="asia-northeast3-b",
            worker_pools=[{**CPU, "machine_type": "c3-standard-8"}],
        ),
        "worker_pools[0].machine_type",
        "c3-standard-8",
        "this type in asia-northeast1",
        "choose another type",
    ),
    "dask-cuda on a pool without GPUs": (
        _team(worker={"command": ["dask", "cuda", "worker"]}),
        "teams[0].worker.command",
        '["dask", "cuda", "worker"]',
        "[dask, worker]",
        "remove the key",
    ),
    "scheduler that would fall back onto a pool without GPUs": (
        _team(scheduler={"fallback": "worker-pool"}),
        "teams[0].scheduler.fallback",
        "worker-pool",
        "none",
        "move the team to a pool with GPUs",
    ),
    "partitions of a card that has none": (
        _pool(
            machine_type="g2-standard-8",
            accelerator="nvidia-l4",
            gpus_per_node=1,
            gpu_partition_size="1g.5gb",
            node_count=2,
        ),
        "worker_pools[0].gpu_partition_size",
        "1g.5gb",
        "nvidia-tesla-a100, nvidia-a100-80gb, nvidia-h100-80gb",
        "workers_per_gpu shares every GPU",
    ),
    "partitions of another card": (
        _pool(gpu_partition_size="1g.10gb"),
        "worker_pools[0].gpu_partition_size",
        "1g.10gb",
        "1g.5gb (7 per GPU), 2g.10gb (3 per GPU)",
        "choose one of those",
    ),
    "partitions with a driver that nobody divides the GPU for": (
        minimal(worker_pools=[{"gpu_partition_size": "1g.5gb"}]),
        "worker_pools[0].gpu_partition_size",
        "1g.5gb",
        "install: gke",
        "let GKE install the driver",
    ),
    "more workers on one GPU than GKE lets share it": (
        _pool(workers_per_gpu=49),
        "worker_pools[0].workers_per_gpu",
        "49",
        "48",
        "correct worker_pools[0].workers_per_gpu",
    ),
    "more workers on the partitions of one GPU than GKE lets share it": (
        {
            **_pool(gpu_partition_size="1g.5gb", workers_per_gpu=7),
            "teams": [{"name": "alpha", "worker": {"cpu": 0.1, "memory_gib": 1, "shm_gib": 0.5}}],
        },
        "worker_pools[0].workers_per_gpu",
        "7",
        "1 to 6",
        "lower workers_per_gpu",
    ),
}
