"""Zones, machine types and GPUs that do not go together."""

from tests.daskfleet.planning.documents import Refusal, minimal

P100 = {
    "name": "p100",
    "machine_type": "n1-standard-8",
    "accelerator": "nvidia-tesla-p100",
    "gpus_per_node": 1,
}

REFUSALS: dict[str, Refusal] = {
    "zone without the accelerators": (
        minimal(location="us-east5-a"),
        "location",
        "us-east5-a",
        "us-central1-c",
        "choose one of those zones",
    ),
    "a pool's zone of another region": (
        minimal(worker_pools=[{"zones": ["us-central1-a", "us-east1-b"], "node_count": 2}]),
        "worker_pools[0].zones",
        "us-east1-b",
        "zones of us-central1 with nvidia-tesla-a100: us-central1-a",
        "choose among those, or move the stack",
    ),
    "a pool's zone without its GPUs": (
        minimal(scheduler_pool={"zones": ["us-central1-a", "us-central1-d"], "node_count": 2}),
        "scheduler_pool.zones",
        "us-central1-d",
        "us-central1-a, us-central1-b, us-central1-c, us-central1-f",
        "remove what has none",
    ),
    "machine type of the system pool that nobody knows": (
        minimal(system_pool={"machine_type": "nonsense-99"}),
        "system_pool.machine_type",
        "nonsense-99",
        "e2-standard-4",
        "choose one of those, or add the type with its source",
    ),
    "price of what no pool has": (
        minimal(prices={"n9-standard-4": {"usd_per_hour": 1, "source": "quote 123"}}),
        "prices.n9-standard-4",
        '{"usd_per_hour": 1.0, "source": "quote 123"}',
        "a2-highgpu-2g, e2-standard-4, n1-standard-2, nvidia-tesla-t4",
        "correct the name, or remove the price",
    ),
    "price of a GPU that its machine always has": (
        minimal(prices={"nvidia-tesla-a100": {"usd_per_hour": 1, "source": "quote 123"}}),
        "prices.nvidia-tesla-a100",
        '{"usd_per_hour": 1.0, "source": "quote 123"}',
        "a2-highgpu-2g",
        "give the price of a2-highgpu-2g with its GPUs",
    ),
    "unknown zone": (
        minimal(location="us-central9-c"),
        "location",
        "us-central9-c",
        "zones with nvidia-tesla-a100 and nvidia-tesla-t4: asia-northeast1-a",
        "choose one of those zones",
    ),
    "machine type that the region does not have": (
        minimal(
            location="us-east1-b",
            worker_pools=[{"name": "big", "machine_type": "a2-megagpu-16g", "gpus_per_node": 16}],
        ),
        "worker_pools[0].machine_type",
        "a2-megagpu-16g",
        "asia-southeast1, europe-west4, us-central1",
        "choose another type",
    ),
    "GPU count that the machine type does not carry": (
        minimal(worker_pools=[{"machine_type": "a2-highgpu-2g", "gpus_per_node": 4}]),
        "worker_pools[0].gpus_per_node",
        "4",
        "2; GPUs by machine type: a2-highgpu-1g (1)",
        "write 2, or choose the machine type that has 4",
    ),
    "GPU that the machine type does not carry": (
        minimal(worker_pools=[{"accelerator": "nvidia-l4"}]),
        "worker_pools[0].accelerator",
        "nvidia-l4",
        "nvidia-tesla-a100",
        "write nvidia-tesla-a100",
    ),
    "GPU that cannot be attached": (
        minimal(scheduler_pool={"machine_type": "e2-standard-4"}),
        "scheduler_pool.machine_type",
        "e2-standard-4",
        "n1 machine types",
        "choose one of those",
    ),
    "attached GPU count that does not exist": (
        minimal(scheduler_pool={"gpus_per_node": 3}),
        "scheduler_pool.gpus_per_node",
        "3",
        "1, 2, 4",
        "choose one of those",
    ),
    "machine too large for its attached GPUs": (
        minimal(
            teams=[{"name": "alpha", "workers": 1}],
            worker_pools=[
                {**P100, "machine_type": "n1-standard-16", "accelerator": "nvidia-tesla-v100"}
            ],
        ),
        "worker_pools[0].machine_type",
        "n1-standard-16",
        "at most 12 vCPUs and 78 GiB",
        "choose a smaller type",
    ),
    "machine type that nobody knows": (
        minimal(worker_pools=[{"machine_type": "a9-highgpu-2g"}]),
        "worker_pools[0].machine_type",
        "a9-highgpu-2g",
        "a2-highgpu-1g, a2-highgpu-2g",
        "add the type with its source to daskfleet/catalog/data/machines.csv",
    ),
    "accelerator that nobody knows": (
        minimal(worker_pools=[{"accelerator": "tesla-a100"}]),
        "worker_pools[0].accelerator",
        "tesla-a100",
        "nvidia-tesla-a100, nvidia-a100-80gb",
        "write nvidia-tesla-a100 if",
    ),
    "system pool with GPUs": (
        minimal(system_pool={"machine_type": "g2-standard-4"}),
        "system_pool.machine_type",
        "g2-standard-4",
        "e2-standard-4",
        "choose one of those",
    ),
}
