"""Unit tests: every kind of refusal names file, key, value, what is allowed, and the next step."""

from typing import Any

import pytest

from tests.planning.documents import FILE, minimal, refused

LONG = "a" * 54

A100 = {"name": "a100"}
P100 = {
    "name": "p100",
    "machine_type": "n1-standard-8",
    "accelerator": "nvidia-tesla-p100",
    "gpus_per_node": 1,
}


def teams(*documents: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"name": f"team-{number}", **each} for number, each in enumerate(documents)]


# document, key, value, words of what is allowed, words of the next step
REFUSALS = {
    "unknown key": (
        minimal(schedular_pool={}),
        "schedular_pool",
        "{}",
        "scheduler_pool, worker_pools",
        "write scheduler_pool if",
    ),
    "unknown key inside a team": (
        minimal(teams=[{"name": "alpha", "worker": {"memory": 40}}]),
        "teams[0].worker.memory",
        "40",
        "cpu, memory_gib",
        "write memory_gib if",
    ),
    "zone without the accelerators": (
        minimal(location="us-east5-a"),
        "location",
        "us-east5-a",
        "us-central1-c",
        "choose one of those zones",
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
        "add the type with its source to catalog/data/machines.csv",
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
    "CUDA 13 image with an old driver": (
        minimal(
            image="rapidsai/base:26.10-cuda13-py3.13",
            driver={"version": "570.195.03"},
        ),
        "driver.version",
        "570.195.03",
        "version 580.x or newer",
        "choose a 580.x driver, or an image for an older CUDA",
    ),
    "CUDA 13 image with GKE's default driver": (
        minimal(
            image="rapidsai/base:26.10-cuda13-py3.13",
            driver={"install": "gke", "channel": "DEFAULT"},
        ),
        "driver.channel",
        "DEFAULT",
        "LATEST (branch 580)",
        "change the driver",
    ),
    "GPU below the image's compute capability": (
        minimal(teams=[{"name": "alpha", "workers": 1}], worker_pools=[P100]),
        "worker_pools[0].accelerator",
        "nvidia-tesla-p100",
        "nvidia-l4, nvidia-tesla-t4, nvidia-tesla-v100",
        "an image that was built for older GPUs",
    ),
    "scheduler's GPU below the image's compute capability": (
        minimal(scheduler_pool={"accelerator": "nvidia-tesla-p4"}),
        "scheduler_pool.accelerator",
        "nvidia-tesla-p4",
        "nvidia-tesla-v100",
        "choose one of those",
    ),
    "legacy scheduler command with a newer image": (
        minimal(teams=[{"name": "alpha", "scheduler": {"command": ["dask-scheduler"]}}]),
        "teams[0].scheduler.command",
        '["dask-scheduler"]',
        "[dask, scheduler]",
        "write dask scheduler",
    ),
    "legacy worker command with an image newer than the catalog": (
        minimal(
            image="rapidsai/base:27.02-cuda13-py3.14",
            teams=[{"name": "alpha", "worker": {"command": ["dask-worker"]}}],
        ),
        "teams[0].worker.command",
        '["dask-worker"]',
        "[dask, cuda, worker]",
        "write dask worker",
    ),
    "image whose tag says nothing": (
        minimal(image="rapidsai/base:latest"),
        "image",
        "rapidsai/base:latest",
        "{ref: my.registry/team@sha256:",
        "write the mapping {ref, rapids, cuda}",
    ),
    "image for a CUDA version that RAPIDS does not build for": (
        minimal(image="rapidsai/base:26.10-cuda11-py3.13"),
        "image",
        "rapidsai/base:26.10-cuda11-py3.13",
        "CUDA 12 or 13",
        "choose an image for one of those",
    ),
    "image for a Python version that RAPIDS does not publish": (
        minimal(image="rapidsai/base:26.10-cuda12-py3.10"),
        "image",
        "rapidsai/base:26.10-cuda12-py3.10",
        "Python 3.11, 3.12, 3.13, 3.14",
        "write -py3.14",
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
        "raise scheduler_pool.schedulers_per_gpu",
    ),
    "shared GPU on a machine without memory for the schedulers": (
        minimal(
            teams=teams({"workers": 1}, {"workers": 1}), scheduler_pool={"schedulers_per_gpu": 2}
        ),
        "scheduler_pool",
        "at most 1 node x 1 nvidia-tesla-t4, shared by 2 schedulers each",
        "room for 2 schedulers",
        "its machine type",
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
    "team name too long for the operator's suffix": (
        minimal(teams=[{"name": LONG}]),
        "teams[0].name",
        LONG,
        "at most 53 lower-case letters",
        "correct teams[0].name",
    ),
    "ill-formed team name": (
        minimal(teams=[{"name": "1st_team"}]),
        "teams[0].name",
        "1st_team",
        "beginning with a letter",
        "correct teams[0].name",
    ),
    "pool name too long": (
        minimal(worker_pools=[{"name": "p" * 41}]),
        "worker_pools[0].name",
        "p" * 41,
        "at most 40 lower-case letters",
        "correct worker_pools[0].name",
    ),
    "reserved namespace": (
        minimal(teams=[{"name": "kube-system"}]),
        "teams[0].name",
        "kube-system",
        "do not begin with kube-, gke-, gmp-",
        "choose another name",
    ),
    "team in the operator's namespace": (
        minimal(teams=[{"name": "dask-operator"}]),
        "teams[0].name",
        "dask-operator",
        "names other than dask-operator",
        "choose another name",
    ),
    "duplicate teams": (
        minimal(
            teams=[{"name": "alpha", "workers": 1}, {"name": "alpha", "workers": 1}],
            scheduler_pool={"node_count": 2},
        ),
        "teams[1].name",
        "alpha",
        "each name once",
        "rename one of the two",
    ),
    "duplicate pools": (
        minimal(
            worker_pools=[{"name": "scheduler-pool"}],
        ),
        "worker_pools[0].name",
        "scheduler-pool",
        "each name once",
        "rename one of the two",
    ),
    "ill-formed label": (
        minimal(labels={"env": "Production"}),
        "labels.env",
        "Production",
        "at most 63 lower-case letters",
        "correct labels.env",
    ),
    "label key that Google keeps": (
        minimal(labels={"goog-env": "x"}),
        "labels.goog-env",
        "x",
        "keys that do not begin with goog",
        "choose another key",
    ),
    "unknown worker pool": (
        minimal(teams=[{"name": "alpha", "worker_pool": "a10"}]),
        "teams[0].worker_pool",
        "a10",
        "a100",
        "write a100 if",
    ),
    "worker pool left open": (
        minimal(worker_pools=[A100, {"name": "more"}]),
        "teams[0].worker_pool",
        "not given",
        "a100, more",
        "say which one is this team's",
    ),
    "overlapping ranges": (
        minimal(network={"services_cidr": "10.0.8.0/22"}),
        "network.services_cidr",
        "10.0.8.0/22",
        "a range outside 10.0.0.0/20",
        "move services_cidr or nodes_cidr",
    ),
    "pod range too small for the pools": (
        minimal(network={"pods_cidr": "10.4.0.0/25"}),
        "network.pods_cidr",
        "10.4.0.0/25",
        "a range of /24 or larger",
        "widen pods_cidr to /24",
    ),
    "range with host bits": (
        minimal(network={"pods_cidr": "10.4.0.1/14"}),
        "network.pods_cidr",
        "10.4.0.1/14",
        "without host bits",
        "correct network.pods_cidr",
    ),
    "driver mode mixed between pools": (
        minimal(worker_pools=[{"driver": {"install": "gke"}}]),
        "worker_pools[0].driver",
        '{"install": "gke"}',
        "node_count, autoscaling",
        "set daskfleet:driver for the whole stack",
    ),
    "node_count with autoscaling": (
        minimal(worker_pools=[{"node_count": 1, "autoscaling": {"min_nodes": 0, "max_nodes": 2}}]),
        "worker_pools[0].node_count",
        "1",
        "one of node_count and autoscaling",
        "remove node_count to keep autoscaling",
    ),
    "autoscaling bounds the wrong way round": (
        minimal(worker_pools=[{"autoscaling": {"min_nodes": 3, "max_nodes": 2}}]),
        "worker_pools[0].autoscaling.min_nodes",
        "3",
        "0 to 2",
        "lower min_nodes",
    ),
    "region without a zone for the nodes": (
        minimal(location="us-central1"),
        "location",
        "us-central1",
        "a region together with node_zone",
        "add node_zone",
    ),
    "zone outside the region": (
        minimal(location="us-central1", node_zone="us-east1-b"),
        "node_zone",
        "us-east1-b",
        "a zone of us-central1",
        "correct node_zone or location",
    ),
    "open public endpoint": (
        minimal(cluster={"endpoint": {"kind": "ip"}}),
        "cluster.endpoint.kind",
        "ip",
        "at least one entry in authorized_networks",
        "name the networks",
    ),
    "endpoint open to the whole internet": (
        minimal(
            cluster={
                "endpoint": {
                    "kind": "ip",
                    "authorized_networks": [{"name": "all", "cidr": "0.0.0.0/0"}],
                }
            }
        ),
        "cluster.endpoint.authorized_networks[0].cidr",
        "0.0.0.0/0",
        "ranges of networks that you know",
        "use kind dns",
    ),
    "range that is a number": (
        minimal(network={"nodes_cidr": True}),
        "network.nodes_cidr",
        "true",
        "an IPv4 network without host bits",
        "correct network.nodes_cidr",
    ),
    "missing project": (
        {"teams": [{"name": "alpha"}]},
        "project",
        "not given",
        "a value",
        "add project",
    ),
    "unknown driver mode": (
        minimal(driver={"install": "operator"}),
        "driver.install",
        "operator",
        "'daemonset', 'gke'",
        "correct driver.install",
    ),
    "number where YAML should have had quotes": (
        minimal(image={"ref": "x", "rapids": 26.1, "cuda": 12}),
        "image.rapids",
        "26.1",
        "a valid string",
        "put the value in quotes",
    ),
}


ALSO = {
    # No zone of the catalog has V100s, the only GPU whose limit a known machine type exceeds.
    "machine too large for its attached GPUs": ["location"],
}
"""Further keys that a refusal of this kind cannot do without."""


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refusal_names_file_key_value_what_is_allowed_and_the_next_step(kind: str) -> None:
    document, key, value, allowed, next_step = REFUSALS[kind]
    error = refused(document)
    assert [problem.key for problem in error.problems] == [key, *ALSO.get(kind, [])]
    assert f"1. {FILE}, daskfleet:{key}: {value}\n" in str(error)
    assert allowed in error.problems[0].allowed
    assert next_step in error.problems[0].next_step
    assert f"Allowed: {error.problems[0].allowed}\n" in str(error)
    assert f"Next step: {error.problems[0].next_step}" in str(error)
