"""Which images GKE can stream, and what a stack that wants it needs."""

from collections.abc import Iterator

from daskfleet.planning.pools import dask_pools, images_on
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack

ARTIFACT_REGISTRY = "-docker.pkg.dev"
DOCKER_HUB = frozenset({"docker.io", "index.docker.io", "registry-1.docker.io"})

SERVICE = "containerfilesystem.googleapis.com"
ROLE = "roles/serviceusage.serviceUsageConsumer"
"""What a project must have enabled, and what an account of nodes needs there that is not the
default one (cloud.google.com/kubernetes-engine/docs/how-to/image-streaming, "Requirements")."""


def is_streamed(stack: Stack) -> bool:
    """Whether a pool of the stack streams images."""
    return any(pool.image_streaming for _, pool in dask_pools(stack))


def can_be_streamed(image: str) -> bool:
    """Whether an image is where GKE can stream from, as far as its reference tells."""
    first, separator, _ = image.partition("/")
    is_host = bool(separator) and ("." in first or ":" in first or first == "localhost")
    return not is_host or first in DOCKER_HUB or first.endswith(ARTIFACT_REGISTRY)


def streaming_problems(stack: Stack) -> Iterator[Problem]:
    """Pools that would re-create their nodes for nothing."""
    for key, pool in dask_pools(stack):
        images = images_on(pool, stack=stack)
        if pool.image_streaming and images and not any(map(can_be_streamed, images)):
            yield Problem(
                key=f"{key}.image_streaming",
                value="true",
                reason=f"GKE cannot stream any of the pool's images ({', '.join(images)}).",
                allowed="true where an image is in Artifact Registry "
                f"(LOCATION{ARTIFACT_REGISTRY}/...) or a public one of Docker Hub",
                next_step="copy the image to Artifact Registry in the region of the nodes, or "
                "remove image_streaming; image_prepull works with every registry.",
            )


def streaming_warnings(stack: Stack) -> Iterator[str]:
    """Images that are pulled as before."""
    for _, pool in dask_pools(stack):
        others = [image for image in images_on(pool, stack=stack) if not can_be_streamed(image)]
        if pool.image_streaming and others:
            yield (
                f"Pool {pool.name} streams images, but GKE pulls {', '.join(others)} as a whole: "
                "it streams from Artifact Registry, and public images of Docker Hub."
            )
