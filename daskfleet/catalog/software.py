"""What runs together: CUDA, NVIDIA drivers, RAPIDS releases, GKE's own driver choices."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import Row, Words, read_table


@dataclass(frozen=True, kw_only=True)
class CudaMajor(Row):
    """A major version of CUDA."""

    major: int
    min_driver_branch: int
    """Oldest NVIDIA driver branch that runs it, for example 580."""


@dataclass(frozen=True, kw_only=True)
class RapidsRelease(Row):
    """A RAPIDS release in the build for one CUDA major version."""

    release: str
    cuda_major: int
    min_driver_branch: int
    min_compute_capability: float
    dask: str
    """Version of dask and distributed inside."""

    has_dask_scheduler_script: bool
    """Whether the legacy commands ``dask-scheduler`` and ``dask-worker`` exist."""

    pythons: Words
    """Python versions for which images are published."""


@dataclass(frozen=True, kw_only=True)
class GkeDrivers(Row):
    """Driver branches that GKE installs on Container-Optimized OS."""

    gke_minor: str
    default_branch: int
    latest_branch: int


@cache
def cuda_majors() -> dict[int, CudaMajor]:
    """All CUDA major versions by number."""
    return {row.major: row for row in read_table("cuda", CudaMajor)}


@cache
def rapids_releases() -> dict[tuple[str, int], RapidsRelease]:
    """All RAPIDS releases by release and CUDA major version."""
    return {(row.release, row.cuda_major): row for row in read_table("rapids", RapidsRelease)}


def packages_inside(rapids: str, cuda: int) -> dict[str, str] | None:
    """Return versions of packages inside of an image; None for a release that is not known."""
    release = rapids_releases().get((rapids, cuda))
    return {"dask": release.dask, "distributed": release.dask} if release else None


@cache
def newest_gke_drivers() -> GkeDrivers:
    """The row of the newest GKE minor version that Google's table has."""
    return max(
        read_table("gke_drivers", GkeDrivers),
        key=lambda row: tuple(int(part) for part in row.gke_minor.split(".")),
    )
