"""A team and its Dask cluster."""

from typing import Annotated, Literal

from pydantic import Field

from settings.base import Settings
from settings.names import Labels, PoolName, TeamName
from settings.software import ImageSetting

Command = Annotated[tuple[str, ...], Field(min_length=1)]


class Worker(Settings):
    """One Dask worker: one pod, one process, one GPU."""

    gpus: Literal[1] = 1
    """The operator scales down by Dask worker name, and dask-cuda renames workers when a pod sees
    several GPUs; so one GPU per pod is the only arrangement that scales as declared."""

    cpu: Annotated[float, Field(gt=0)] | None = None
    """CPU cores. Left out: this GPU's share of what the node can allocate."""

    memory_gib: Annotated[float, Field(gt=0)] | None = None
    """Memory in GiB. Left out: this GPU's share of what the node can allocate."""

    shm_gib: Annotated[float, Field(gt=0)] = 8
    """Size of ``/dev/shm`` in GiB; counts against the memory limit."""

    command: Command = ("dask", "cuda", "worker")
    """Command to which the worker's own flags are added."""


class Scheduler(Settings):
    """The team's Dask scheduler."""

    cpu: Annotated[float, Field(gt=0)] = 1
    """CPU cores."""

    memory_gib: Annotated[float, Field(gt=0)] = 4
    """Memory in GiB: a CUDA context plus an imported cuDF take about 2."""

    command: Command = ("dask", "scheduler")
    """Command to which the scheduler's own flags are added."""

    fallback: Literal["none", "worker-pool"] = "none"
    """Where the scheduler may go when the scheduler pool is full: nowhere, or onto a worker's GPU,
    which it then keeps."""


class Team(Settings):
    """One team: a namespace and a fixed RAPIDS Dask cluster."""

    name: TeamName
    """The team's name; also its namespace and its DaskCluster."""

    image: ImageSetting | None = None
    """RAPIDS image of scheduler and workers; left out: the stack's."""

    workers: Annotated[int, Field(ge=0)] = 2
    """Dask workers, one GPU each. Changing only this number leaves running workers alone."""

    worker_pool: PoolName | None = None
    """Pool of the workers; may be left out when there is one worker pool."""

    worker: Worker = Worker()
    """Each of the workers."""

    scheduler: Scheduler = Scheduler()
    """The scheduler."""

    ready_timeout_s: Annotated[int, Field(ge=10)] = 1800
    """How long ``up`` waits for the scheduler and all workers, in seconds. Booting a GPU node and
    pulling a RAPIDS image onto it take 9 to 17 minutes."""

    labels: Labels = Field(default_factory=dict)
    """Labels for billing, on the namespace and all pods."""
