"""Generations of a GPU pool: what forces another pool, and how each pool is called in GKE.

An ``in-place`` pool has one name, so its successor comes when it is gone. A ``surge`` pool has a
hash of what forces a replacement in its name, so its successor is another pool beside it: nothing
has to go first, and taking a change back finds the old generation where it was.
"""

import hashlib
import json
from dataclasses import dataclass

from daskfleet.planning.pools import clients_per_gpu, partition_size
from daskfleet.planning.reservations import affinity_of
from daskfleet.settings.pools import GpuPool
from daskfleet.settings.software import DaemonSetDriver
from daskfleet.settings.stack import Stack

HASH_LENGTH = 6
SUFFIX_LENGTH = len("-") + HASH_LENGTH


@dataclass(frozen=True, kw_only=True)
class Generation:
    """A GPU pool as GKE knows it."""

    pool: str
    """The pool's name in the stack file."""

    name: str
    """Its name in GKE."""

    is_numbered: bool
    """Whether the name changes with each generation (``replacement: surge``)."""


def generation_of(pool: GpuPool, stack: Stack) -> Generation:
    """The generation of a pool that the settings describe.

    Setting ``replacement`` to another value is a new generation, too: the name gets or loses its
    hash. Both ways the new pool comes beside the old one.
    """
    is_numbered = pool.replacement == "surge"
    return Generation(
        pool=pool.name,
        name=f"{pool.name}-{_hash(pool, stack)}" if is_numbered else pool.name,
        is_numbered=is_numbered,
    )


def gpu_driver_version(stack: Stack) -> str:
    """GKE's ``gpuDriverVersion``; disabled when our DaemonSet installs the driver."""
    driver = stack.driver
    return "INSTALLATION_DISABLED" if isinstance(driver, DaemonSetDriver) else driver.channel


def _hash(pool: GpuPool, stack: Stack) -> str:
    """Hash the settings whose change replaces a node pool (ForceNew in pulumi-gcp 10.2).

    Left out is what replaces the cluster as well: its name and location. A machine type that
    changes the number of GPUs changes ``gpus_per_node``; any other comes in place. What joins this
    list gives every ``surge`` pool of every stack a new generation, and so joins it only where it
    is set. A pool without GPUs has no driver.
    """
    size, reservation = partition_size(pool), affinity_of(pool, stack)
    replacing = {
        "name": pool.name,
        "accelerator": pool.accelerator,
        "gpus_per_node": pool.gpus_per_node,
        **({"gpu_driver_version": gpu_driver_version(stack)} if pool.has_gpus else {}),
        "clients_per_gpu": clients_per_gpu(pool),
        "spot": pool.spot,
        "max_pods_per_node": stack.network.max_pods_per_node,
        **({"gpu_partition_size": size} if size else {}),
        **({"boot_disk_kms_key": stack.keys.nodes} if stack.keys.nodes else {}),
        **({"reservation": [reservation.consume, *reservation.values]} if reservation else {}),
    }
    text = json.dumps(replacing, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]
