"""A stack that sets everything, and for each of its settings another value that is worth a change.

``CHANGES`` has one entry per setting; a list stands for its first element, as does what has its
elements by name.
"""

from copy import deepcopy
from typing import Any

IMAGE = {"ref": "registry.example/rapids:1", "rapids": "26.10", "cuda": 12}

SLEEP: dict[str, Any] = {
    "idle": {"workers_after_min": 30},
    "hours": "Mon-Fri 07:00-20:00 Europe/Amsterdam",
}
"""Of a team without further groups of workers: those cannot sleep."""

SLEEPER: dict[str, Any] = {"teams": [{"name": "alpha", "worker_pool": "a100", **SLEEP}]}

RECYCLE: dict[str, Any] = {
    "after_h": 168,
    "above_memory_percent": 80,
    "when": "Sun 02:00-06:00 UTC",
}

RECYCLER: dict[str, Any] = {"teams": [{"name": "alpha", "worker_pool": "a100", "recycle": RECYCLE}]}

BY_NAME = frozenset({"prices"})

PRICED: dict[str, Any] = {
    "prices": {"e2-standard-4": {"usd_per_hour": 0.12, "source": "quote 1"}},
}

PRICED_SPOT: dict[str, Any] = {
    "prices": {"a2-highgpu-2g": {"usd_per_hour": 5, "source": "quote 1"}},
    "worker_pools.spot": True,
}
TWO_ZONES = ["us-central1-a", "us-central1-c"]

IN_EXISTING: dict[str, Any] = {
    "network": {
        "existing": {
            "network": "company",
            "subnetwork": "dask",
            "pods_range": "dask-pods",
            "services_range": "dask-services",
        },
        "nodes_cidr": "10.0.0.0/20",
        "pods_cidr": "10.4.0.0/14",
        "services_cidr": "10.8.0.0/20",
    }
}

_RING = "projects/example-keys/locations/us-central1/keyRings/fleet/cryptoKeys"

KEYS: dict[str, Any] = {"nodes": f"{_RING}/disks", "secrets": f"{_RING}/secrets"}

BASE: dict[str, Any] = {
    "project": "example-project",
    "project_number": 123456789012,
    "location": "us-central1",
    "node_zone": "us-central1-c",
    "cluster": {
        "name": "rapids-gpu",
        "maintenance_window": {
            "start_time": "2026-01-03T02:00:00Z",
            "end_time": "2026-01-03T08:00:00Z",
        },
        "maintenance_exclusions": [
            {
                "name": "quarter-end",
                "start_time": "2026-03-20T00:00:00Z",
                "end_time": "2026-04-05T00:00:00Z",
            }
        ],
        "security_group": "gke-security-groups@example.com",
        "endpoint": {
            "kind": "ip",
            "authorized_networks": [{"name": "office", "cidr": "192.0.2.0/24"}],
        },
    },
    "system_pool": {"autoscaling": {"min_nodes": 1, "max_nodes": 2}},
    "scheduler_pool": {
        "machine_type": "n1-standard-8",
        "schedulers_per_gpu": 2,
        "autoscaling": {"min_nodes": 1, "max_nodes": 3},
    },
    "worker_pools": [
        {
            "name": "a100",
            "image_streaming": False,
            "autoscaling": {"min_nodes": 1, "max_nodes": 3},
        },
        {"name": "other", "node_count": 3},
    ],
    "driver": {"install": "daemonset", "version": "570.86.15"},
    "image": IMAGE,
    "image_prepull": True,
    "monitoring": {"prometheus": "managed"},
    "gpu_health": {"max_drained_nodes": 2},
    "teams": [
        {
            "name": "alpha",
            "worker_pool": "a100",
            "image": {**IMAGE},
            "groups": [{"name": "memory", "pool": "other", "worker": {"resources": {"MEMORY": 1}}}],
            "members": ["user:alice@example.com", "group:alpha@example.com"],
            "ephemeral": {"max_workers": 1, "max_clusters": 1},
            "buckets": [{"name": "alpha-data", "access": "write"}, {"name": "shared"}],
            "secrets": [{"name": "warehouse"}],
            "volumes": [{"claim": "reference", "mount_path": "/data/reference"}],
            "quota": {"cpu": 2},
            "jupyter": {"image": {**IMAGE}, "cpu": 0.5, "memory_gib": 2},
            "access": {"internal_load_balancer": {"source_ranges": ["10.128.0.0/20"]}},
            "tls": {"rotation": 1},
        },
        {"name": "beta", "worker_pool": "other", "workers": 1, **SLEEP},
        {
            "name": "tides",
            "worker_pool": "other",
            "adaptive": {"minimum": 1, "maximum": 2},
            "recycle": RECYCLE,
        },
    ],
}

CHANGES: dict[str, Any] = {
    "project": "other-project",
    "project_number": 210987654321,
    "location": "us-central1-c",
    "node_zone": "us-central1-a",
    "labels": {"environment": "test"},
    "committed_use.percent": 80,
    "prices.usd_per_hour": 0.13,
    "prices.usd_per_hour_spot": 2.5,
    "prices.source": "quote 2",
    "committed_use.years": 3,
    "monthly_budget_usd": 10_000,
    "long_lived": False,
    "cluster.name": "other",
    "cluster.release_channel": "REGULAR",
    "cluster.maintenance_window.start_time": "2026-01-03T01:00:00Z",
    "cluster.maintenance_window.end_time": "2026-01-03T09:00:00Z",
    "cluster.maintenance_window.recurrence": "FREQ=DAILY",
    "cluster.maintenance_exclusions.name": "year-end",
    "cluster.maintenance_exclusions.start_time": "2026-03-21T00:00:00Z",
    "cluster.maintenance_exclusions.end_time": "2026-04-06T00:00:00Z",
    "cluster.maintenance_exclusions.scope": "NO_MINOR_UPGRADES",
    "cluster.binary_authorization": True,
    "cluster.security_group": "gke-security-groups@example.org",
    "cluster.endpoint.kind": "dns",
    "cluster.endpoint.authorized_networks.name": "home",
    "cluster.endpoint.authorized_networks.cidr": "198.51.100.0/24",
    "network.existing.project": "acme-host",
    "network.existing.network": "other",
    "network.existing.subnetwork": "other",
    "network.existing.pods_range": "other",
    "network.existing.services_range": "other",
    "network.nat": "none",
    "network.nodes_cidr": "10.16.0.0/20",
    "network.pods_cidr": "10.20.0.0/14",
    "network.services_cidr": "10.24.0.0/20",
    "network.max_pods_per_node": 64,
    "system_pool.name": "cpu",
    "system_pool.machine_type": "e2-standard-2",
    "system_pool.disk_size_gb": 150,
    "system_pool.node_count": 3,
    "system_pool.autoscaling.min_nodes": 2,
    "system_pool.autoscaling.max_nodes": 3,
    "system_pool.autoscaling.location_policy": "ANY",
    "system_pool.zones": TWO_ZONES,
    "scheduler_pool.name": "t4",
    "scheduler_pool.machine_type": "n1-standard-16",
    "scheduler_pool.accelerator": "nvidia-tesla-p100",
    "scheduler_pool.gpus_per_node": 2,
    "scheduler_pool.disk_size_gb": 250,
    "scheduler_pool.spot": True,
    "scheduler_pool.schedulers_per_gpu": 3,
    "scheduler_pool.reservation.name": "others",
    "scheduler_pool.reservation.project": "other-project",
    "scheduler_pool.reservation.machines": 6,
    "scheduler_pool.image_streaming": False,
    "scheduler_pool.replacement": "surge",
    "scheduler_pool.node_count": 3,
    "scheduler_pool.autoscaling.min_nodes": 2,
    "scheduler_pool.autoscaling.max_nodes": 4,
    "scheduler_pool.autoscaling.location_policy": "ANY",
    "scheduler_pool.zones": TWO_ZONES,
    "worker_pools.name": "renamed",
    "worker_pools.machine_type": "a2-highgpu-4g",
    "worker_pools.accelerator": "nvidia-a100-80gb",
    "worker_pools.gpus_per_node": 4,
    "worker_pools.gpu_partition_size": "3g.20gb",
    "worker_pools.workers_per_gpu": 2,
    "worker_pools.disk_size_gb": 250,
    "worker_pools.spot": True,
    "worker_pools.reservation.name": "others",
    "worker_pools.reservation.project": "other-project",
    "worker_pools.reservation.machines": 6,
    "worker_pools.image_streaming": True,
    "worker_pools.replacement": "surge",
    "worker_pools.node_count": 3,
    "worker_pools.autoscaling.min_nodes": 2,
    "worker_pools.autoscaling.max_nodes": 4,
    "worker_pools.autoscaling.location_policy": "ANY",
    "worker_pools.zones": TWO_ZONES,
    "driver.install": "gke",
    "driver.version": "580.95.05",
    "driver.unmarked_version": "570.86.15",
    "driver.channel": "LATEST",
    "operator.namespace": "dask-system",
    "operator.chart": "./charts/own",
    "operator.repository": "https://charts.example",
    "operator.version": "2026.2.0",
    "operator.image_digest": "sha256:" + "1" * 64,
    "image_prepull": False,
    "registry.mirror": "registry.example/mirror",
    "registry.reader_in": ["other-images"],
    "registry.pull_secret": "pull",
    "keys.nodes": f"{_RING}/other",
    "keys.secrets": f"{_RING}/other",
    "monitoring.prometheus": "none",
    "monitoring.dcgm": False,
    "monitoring.alerts.scheduler_down_min": 20,
    "monitoring.alerts.workers_missing_min": 45,
    "monitoring.alerts.idle_days": 7,
    "gpu_health.max_drained_nodes": 3,
    "image.ref": "registry.example/rapids:2",
    "image.rapids": "26.10",
    "image.cuda": 13,
    "teams.name": "gamma",
    "teams.image.ref": "registry.example/rapids:3",
    "teams.image.rapids": "26.10",
    "teams.image.cuda": 13,
    "teams.pull_secret": "other",
    "teams.workers": 3,
    "teams.adaptive.minimum": 2,
    "teams.adaptive.maximum": 5,
    "teams.ephemeral.max_workers": 2,
    "teams.ephemeral.max_clusters": 2,
    "teams.worker_pool": "other",
    "teams.idle.workers_after_min": 45,
    "teams.hours": "Mon-Fri 08:00-18:00 Europe/Amsterdam",
    "teams.recycle.after_h": 24,
    "teams.recycle.above_memory_percent": 90,
    "teams.recycle.when": "idle",
    "teams.worker.gpus": 2,
    "teams.worker.cpu": 4,
    "teams.worker.memory_gib": 20,
    "teams.worker.shm_gib": 4,
    "teams.worker.command": ["dask", "cuda", "worker", "--rmm-pool-size", "0.8"],
    "teams.worker.resources": {"MEMORY": 70e9},
    "teams.worker.environment": {"CUDF_SPILL": "on"},
    "teams.worker.rmm_pool_size": 0.8,
    "teams.worker.protocol": "ucx",
    "teams.worker.threads": 2,
    "teams.groups.name": "disk",
    "teams.groups.workers": 2,
    "teams.groups.pool": "a100",
    "teams.groups.worker.gpus": 2,
    "teams.groups.worker.cpu": 4,
    "teams.groups.worker.memory_gib": 20,
    "teams.groups.worker.shm_gib": 4,
    "teams.groups.worker.command": ["dask-cuda-worker"],
    "teams.groups.worker.resources": {"MEMORY": 2},
    "teams.groups.worker.environment": {"CUDF_SPILL": "on"},
    "teams.groups.worker.rmm_pool_size": 30,
    "teams.groups.worker.protocol": "ucx",
    "teams.groups.worker.threads": 2,
    "teams.scheduler.cpu": 1.5,
    "teams.scheduler.memory_gib": 5,
    "teams.scheduler.command": ["dask", "scheduler", "--jupyter"],
    "teams.scheduler.fallback": "worker-pool",
    "teams.scheduler.environment": {"DASK_LOGGING__DISTRIBUTED": "debug"},
    "teams.prefer_one_zone": True,
    "teams.rollout.kind": "blue-green",
    "teams.rollout.wait_idle_s": 600,
    "teams.members": ["user:bob@example.com"],
    "teams.buckets.name": "other-data",
    "teams.buckets.access": "read",
    "teams.secrets.name": "lake",
    "teams.secrets.kind": "environment",
    "teams.volumes.claim": "results",
    "teams.volumes.mount_path": "/mnt/reference",
    "teams.volumes.read_only": False,
    "teams.quota.cpu": 6,
    "teams.quota.memory_gib": 24,
    "teams.quota.pods": 30,
    "teams.quota.storage_gib": 100,
    "teams.jupyter.image.ref": "registry.example/lab:2",
    "teams.jupyter.image.rapids": "26.08",
    "teams.jupyter.image.cuda": 13,
    "teams.jupyter.worker_pool": "other",
    "teams.jupyter.cpu": 1,
    "teams.jupyter.memory_gib": 4,
    "teams.jupyter.storage_gib": 60,
    "teams.jupyter.storage_class": "premium-rwo",
    "teams.jupyter.people.name": "al",
    "teams.jupyter.people.member": "user:anne@example.com",
    "teams.access.internal_load_balancer.source_ranges": ["10.128.0.0/20", "192.168.7.0/24"],
    "teams.tls.validity_days": 730,
    "teams.tls.rotation": 2,
    "teams.retire": True,
    "teams.ready_timeout_s": 60,
    "teams.monthly_budget_usd": 10_000,
    "teams.labels": {"cost-center": "cc-1"},
}

_ADAPTIVE = {"name": "alpha", "worker_pool": "a100", "adaptive": {"minimum": 1, "maximum": 4}}

ALICES_LAB = {
    "teams.jupyter.people": [{"name": "alice", "member": "user:alice@example.com"}],
}

_GIVEN: dict[str, dict[str, Any]] = {
    "committed_use.percent": {"committed_use": {"percent": 60, "years": 1}},
    "committed_use.years": {"committed_use": {"percent": 60, "years": 1}},
    "system_pool.node_count": {"system_pool": {"node_count": 2}},
    "prices.usd_per_hour": PRICED,
    "prices.usd_per_hour_spot": PRICED_SPOT,
    "prices.source": PRICED,
    "scheduler_pool.node_count": {
        "scheduler_pool": {**BASE["scheduler_pool"], "autoscaling": None, "node_count": 2}
    },
    **{
        f"{pool}.autoscaling.location_policy": {f"{pool}.zones": TWO_ZONES}
        for pool in ("system_pool", "scheduler_pool", "worker_pools")
    },
    **{
        f"network.existing.{key}": IN_EXISTING
        for key in ("project", "network", "subnetwork", "pods_range", "services_range")
    },
    "worker_pools.node_count": {"worker_pools.autoscaling": None, "worker_pools.node_count": 2},
    **{
        f"{pool}.reservation.{key}": {f"{pool}.reservation": {"name": "kept", "machines": 4}}
        for pool in ("scheduler_pool", "worker_pools")
        for key in ("name", "project", "machines")
    },
    # Dask lost the command dask-scheduler between these two releases of RAPIDS.
    "image.rapids": {
        "image.rapids": "26.06",
        "teams": [
            {"name": "alpha", "worker_pool": "a100", "scheduler": {"command": ["dask-scheduler"]}}
        ],
    },
    "teams.image.rapids": {
        "teams.image.rapids": "26.06",
        "teams.jupyter": None,  # its image would have to change with it
        "teams.scheduler": {"command": ["dask-scheduler"]},
    },
    "teams.idle.workers_after_min": SLEEPER,
    "teams.hours": SLEEPER,
    "teams.recycle.after_h": RECYCLER,
    "teams.recycle.above_memory_percent": RECYCLER,
    "teams.recycle.when": RECYCLER,
    "teams.jupyter.people.name": ALICES_LAB,
    "teams.jupyter.people.member": ALICES_LAB,
    "teams.rollout.wait_idle_s": {"teams.rollout": {"kind": "blue-green"}},
    "registry.pull_secret": {"image_prepull": False},
    "teams.pull_secret": {"image_prepull": False},
    "teams.adaptive.minimum": {"teams": [_ADAPTIVE]},
    "teams.adaptive.maximum": {"teams": [_ADAPTIVE]},
    "monitoring.dcgm": {"driver": {"install": "gke", "channel": "DEFAULT"}},
    "driver.channel": {"driver": {"install": "gke", "channel": "DEFAULT"}},
    "worker_pools.gpu_partition_size": {"driver": {"install": "gke", "channel": "DEFAULT"}},
}
"""What has to be set first for a change to be possible."""


def changed(path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a stack before and after the change of one setting."""
    before = deepcopy(BASE)
    for given, value in _GIVEN.get(path, {}).items():
        _put(before, given, value)
    after = deepcopy(before)
    _put(after, path, CHANGES[path])
    return before, after


def _put(document: dict[str, Any], path: str, value: Any) -> None:
    *parents, last = path.split(".")
    for parent in parents:
        inner = document.setdefault(parent, {})
        if parent in BY_NAME:
            (inner,) = inner.values()
        document = inner[0] if isinstance(inner, list) else inner
    document[last] = deepcopy(value)
