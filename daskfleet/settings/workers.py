"""A team's workers: each of them, and groups of them."""

from typing import Annotated, Literal

from pydantic import Field

from daskfleet.settings.base import Settings
from daskfleet.settings.names import EnvironmentName, ResourceName, WorkerGroupName
from daskfleet.settings.sizes import MOST_GIB, Command, Cores, Gib
from daskfleet.settings.worker_chain import WorkerPools

MOST_THREADS = 1024

MOST_GPUS = 16
"""GPUs of one machine, at most (a2-megagpu-16g)."""

MOST_GROUPS = 20
"""Further groups of workers in one team."""

Amount = Annotated[float, Field(gt=0, le=1e18)]
"""How much of a Dask resource a worker has; Dask attaches no meaning to it."""


class Worker(Settings):
    """One Dask worker: one pod, one process, and GPUs where its pool has some."""

    gpus: Annotated[int, Field(ge=1, le=MOST_GPUS)] = 1
    """GPUs of each worker on a pool with GPUs. With more than one, a single process, ``dask
    worker``, sees them all, for tasks that use several at once. ``dask cuda worker`` would start a
    process for each GPU, whose names the operator cannot scale down."""

    cpu: Cores | None = None
    """CPU cores. Left out: its GPUs' share of what the node can allocate, and all of it on a
    pool without GPUs."""

    memory_gib: Gib | None = None
    """Memory in GiB. Left out: its GPUs' share of what the node can allocate, and all of it on a
    pool without GPUs."""

    shm_gib: Gib = 8
    """Size of ``/dev/shm`` in GiB; counts against the memory limit."""

    command: Command | None = None
    """Command to which the worker's own flags are added. Left out: ``dask cuda worker``, and ``dask
    worker`` with several GPUs or none."""

    resources: dict[ResourceName, Amount] = Field(default_factory=dict)
    """Dask resources of each worker, for tasks that ask for them: ``{MEMORY: 70e9}`` and
    ``client.submit(..., resources={"MEMORY": 70e9})``. A worker also has ``GPU``, by default as
    many as its GPUs. A smaller amount can be given here."""

    environment: dict[EnvironmentName, str] = Field(default_factory=dict)
    """Environment variables of each worker. No secrets: whoever may look at the team's pods reads
    them, and so does whoever may read this stack's state; the team's ``secrets`` are for those."""

    rmm_pool_size: Annotated[float, Field(gt=0, le=MOST_GIB)] | None = None
    """GPU memory that RAPIDS' allocator (RMM) takes at the start and hands out without asking the
    driver each time. A number below 1 is a fraction of the GPU's memory, any other is GiB."""

    protocol: Literal["tcp", "ucx"] = "tcp"
    """How workers take and send data. ``ucx`` is for data in GPU memory. All workers of a team must
    have it, and ``distributed-ucxx`` must be in the image and in the clients' environments."""

    threads: Annotated[int, Field(ge=1, le=MOST_THREADS)] | None = None
    """Tasks that a worker runs at a time. Left out: 1 with a GPU, since two tasks would share its
    memory without knowing. Without a GPU one for each whole core."""


class WorkerGroup(Settings):
    """Further workers of a team that differ from the first: on another pool, with resources."""

    name: WorkerGroupName
    """The group's name in the team. ``default`` is the name of the group that every team has."""

    workers: Annotated[int, Field(ge=0)] = 1
    """Dask workers of this group. Changing only this number leaves all other workers alone."""

    pool: WorkerPools | None = None
    """Worker pool. May be left out if there is only one. A list is a chain, as for a team."""

    worker: Worker = Worker()
    """Each of the group's workers. A change replaces only these workers."""
