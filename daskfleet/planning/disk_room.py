"""Do the images of its teams fit each pool's boot disk?

A warning and no refusal: how large an image is, nobody knows before it is pulled. RAPIDS' own
stands in for all of them.
"""

from collections.abc import Iterator
from math import ceil

from daskfleet.catalog.disk import disk_uses
from daskfleet.planning.pools import OLD_AND_NEW, dask_pools, gpu_slots, images_on
from daskfleet.settings.pools import GpuPool
from daskfleet.settings.stack import Stack

GB_PER_GIB = 2**30 / 10**9
"""Google's disks are in GiB, whatever their fields are called: a node with a boot disk of 100 has
98831908 KiB after the node image (catalog: ``node-image``)."""

FULL = 0.85
"""Kubelets delete images from here on, and evict pods soon after (kubernetes.io, ``ImageGC...``;
GKE keeps the default of ``imageGcHighThresholdPercent``)."""


def image_gb() -> float:
    """What one image takes: containerd keeps the layers as they came beside the unpacked ones."""
    return disk_uses()["rapids-image"].gb + disk_uses()["rapids-image-compressed"].gb


def room_gb(disk_gib: float) -> float:
    """What a boot disk has for the images of Dask pods."""
    after_system = disk_gib * GB_PER_GIB - disk_uses()["node-image"].gb
    return FULL * after_system - disk_uses()["gke-images"].gb


def least_disk_gib(needed_gb: float) -> int:
    """The smallest boot disk with so much room."""
    with_gke = (needed_gb + disk_uses()["gke-images"].gb) / FULL
    return ceil((with_gke + disk_uses()["node-image"].gb) / GB_PER_GIB)


def disk_warnings(stack: Stack) -> Iterator[str]:
    """Pools on whose nodes a change of image would find no room."""
    for _, pool in dask_pools(stack):
        images = _images_on_a_node(pool, stack)
        needed = OLD_AND_NEW * images * image_gb()
        if needed > room_gb(pool.disk_size_gb):
            yield (
                f"Pool {pool.name}: a boot disk of {pool.disk_size_gb} GB has about "
                f"{room_gb(pool.disk_size_gb):.0f} GB for images, and {images} "
                f"image{'s' if images > 1 else ''} on a node, old and new during a rollout, take "
                f"{needed:.0f} GB if each is as large as RAPIDS' own. Kubelets then delete images "
                "and evict pods. What workers spill comes on top: set disk_size_gb to "
                f"{least_disk_gib(needed)} or more."
            )


def _images_on_a_node(pool: GpuPool, stack: Stack) -> int:
    """With ``image_prepull`` all of the pool's, else one for each GPU pod at most."""
    images = len(images_on(pool, stack=stack))
    return images if stack.image_prepull or not pool.has_gpus else min(images, gpu_slots(pool))
