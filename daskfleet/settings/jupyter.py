"""A team's JupyterLab beside its Dask cluster."""

from typing import Annotated

from pydantic import Field

from daskfleet.settings.base import Settings
from daskfleet.settings.names import PoolName, StorageClassName
from daskfleet.settings.sizes import Cores, Gib
from daskfleet.settings.software import ImageSetting


class Jupyter(Settings):
    """One JupyterLab for a team, with a home that outlives it, connected to its Dask cluster."""

    image: ImageSetting | None = None
    """Image with JupyterLab and dask-labextension, of the RAPIDS release, CUDA and Python of the
    team's. Left out: RAPIDS' ``notebooks`` image with the tag of the team's ``base`` image."""

    worker_pool: PoolName | None = None
    """Worker pool on which it runs, with one GPU of its own, or a share or partition where the pool
    has those. Left out: the system pool, without a GPU."""

    cpu: Cores = 2
    """CPU cores."""

    memory_gib: Gib = 8
    """Memory in GiB, for all notebooks together."""

    storage_gib: Annotated[int, Field(ge=10, le=65536)] = 50
    """Size of the home in GiB. It can grow and not shrink."""

    storage_class: StorageClassName = "standard-rwo"
    """StorageClass of the home. GKE has ``standard-rwo`` (balanced disks) and ``premium-rwo`` (SSD)
    in every cluster. Fixed for a home's life: another class is another home, and refused while
    ``long_lived`` protects this one."""
