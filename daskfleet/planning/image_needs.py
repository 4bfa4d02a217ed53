"""What an image needs of its nodes; the policies hold pools and pods to the same."""

from dataclasses import dataclass

from daskfleet.catalog.accelerators import accelerators
from daskfleet.catalog.software import (
    RapidsRelease,
    cuda_majors,
    newest_gke_drivers,
    rapids_releases,
)
from daskfleet.settings.software import Image


@dataclass(frozen=True, kw_only=True)
class ImageNeeds:
    """The least that an image runs on."""

    driver_branch: int
    """Oldest NVIDIA driver branch, for example 580; 0 where the catalog knows nothing."""

    compute_capability: float
    """Of each GPU; 0 where the catalog knows nothing."""

    def are_met_by_driver(self, branch: int) -> bool:
        """Whether the image runs on this driver branch."""
        return branch >= self.driver_branch

    def are_met_by_gpu(self, accelerator: str) -> bool:
        """Whether the image runs on this GPU; so it does on one that the catalog does not know."""
        gpu = accelerators().get(accelerator)
        return gpu is None or gpu.compute_capability >= self.compute_capability


def needs_of(image: Image) -> ImageNeeds:
    """What an image needs, by its RAPIDS release or, where that is unknown, by its CUDA."""
    release = release_in(image)
    if release:
        return ImageNeeds(
            driver_branch=release.min_driver_branch,
            compute_capability=release.min_compute_capability,
        )
    cuda = cuda_majors().get(image.cuda)
    return ImageNeeds(driver_branch=cuda.min_driver_branch if cuda else 0, compute_capability=0)


def release_in(image: Image) -> RapidsRelease | None:
    """The release inside, or the newest one before it that the catalog knows."""
    # Releases are numbered YY.MM: the order of their texts is that of time.
    not_newer = [
        row
        for (release, cuda), row in rapids_releases().items()
        if cuda == image.cuda and release <= image.rapids
    ]
    return max(not_newer, key=lambda row: row.release, default=None)


def branch_of_version(version: str) -> int:
    """The branch of a driver version: 580 for ``580.126.20``."""
    return int(version.partition(".")[0])


def branch_of_channel(channel: str) -> int:
    """The branch that GKE installs for its ``gpuDriverVersion`` ``DEFAULT`` or ``LATEST``."""
    drivers = newest_gke_drivers()
    return drivers.default_branch if channel == "DEFAULT" else drivers.latest_branch
