"""What was collected about one team's cluster; the checks read nothing else."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text has characters that no screen shows")
    return text


LONGEST_TOLD = 10_000
"""Characters; the probe's longest is eight exceptions of 500 each."""

Told = Annotated[str, Field(max_length=LONGEST_TOLD), AfterValidator(_printable)]
"""Text that a scheduler or a worker may have invented, and that goes to a terminal."""

Number = Annotated[float, Field(allow_inf_nan=False)]

Release = Annotated[str, Field(pattern=r"^[0-9]{1,4}\.[0-9]{1,4}$")]
"""``12.8``."""

KnownRelease = Release | Literal[""]
"""Empty where it is not known."""


class PodFacts(_Fact):
    """A scheduler's or worker's pod."""

    name: str
    role: str
    """``scheduler``, ``worker`` or ``jupyter``."""
    node: str
    """Empty while the pod is not scheduled."""
    pool: str | None
    """The node's pool; empty when there is no node, or it has no such label. None: not known,
    because members of a team may not read nodes."""
    image: str
    is_ready: bool
    state: str
    """The phase, and why the pod is not ready, in Kubernetes' words."""


class Raised(_Fact):
    """An exception."""

    type: Told
    message: Told
    module: Told | None = None
    """The module that a ``ModuleNotFoundError`` misses."""


class Gpu(_Fact):
    """A GPU that a process sees."""

    name: Told
    memory_mib: int
    compute_capability: Release


class ProcessFacts(_Fact):
    """What one process says of itself."""

    python: Told
    versions: dict[Told, Told]
    """By the name that all builds of a library share: ``cudf`` for ``cudf-cu13``."""
    gpus: tuple[Gpu, ...] = ()
    driver: Told = ""
    driver_cuda: KnownRelease = ""
    """The newest CUDA that the driver runs."""
    cuda_runtime: KnownRelease = ""
    gpu_error: Told = ""
    """Why no GPU is seen although the libraries for it are there."""


class SchedulerFacts(_Fact):
    """The scheduler; None where it did not answer."""

    process: ProcessFacts | None = None
    error: Told = ""


class WorkerFacts(_Fact):
    """One worker."""

    address: Told
    name: Told = ""
    threads: int | None = None
    resources: dict[Told, Number] = {}
    process: ProcessFacts | None = None
    error: Told = ""


class GraphFacts(_Fact):
    """A task graph that was sent, and what came of it."""

    carries: Told
    """``plain Python objects``, ``numpy``, ``module fraud.features``."""
    module: Told = ""
    """The team's module, where it is one."""
    raised: tuple[Raised, ...] = ()
    """The exception and its causes, the outermost first."""
    is_overdue: bool = False
    workers_lacking: tuple[Told, ...] = ()
    """Addresses of workers that cannot import the module."""


class BoundTask(_Fact):
    """A task that asked for the declared resources."""

    asked: dict[Told, Number]
    """Dask resources."""
    meant_for: Told
    """A worker's address; empty: whichever the scheduler chose."""
    ran_on: Told = ""
    state: Told = ""
    """The scheduler's word for a task that did not run in time."""
    queue: int = 0
    """Tasks that the worker was working on then."""
    raised: tuple[Raised, ...] = ()


class Computation(_Fact):
    """A result, beside the one that is known."""

    what: Told
    on: Told = ""
    """A worker's address, where it was meant for one."""
    expected: Told
    seen: Told = ""
    raised: tuple[Raised, ...] = ()
    is_overdue: bool = False
    is_absent: bool = False
    """The library is not installed there."""

    @property
    def is_right(self) -> bool:
        """Whether the result came and is the expected one."""
        return self.seen == self.expected


class DaskFacts(_Fact):
    """What the probe reports. The probe is the client of the checks."""

    client: ProcessFacts
    client_python: Told
    """Path of its interpreter."""
    connection_error: Told = ""
    """Why no connection came about. All that follows is empty then."""
    scheduler: SchedulerFacts = SchedulerFacts()
    workers: tuple[WorkerFacts, ...] = ()
    graphs: tuple[GraphFacts, ...] = ()
    bound_tasks: tuple[BoundTask, ...] = ()
    computations: tuple[Computation, ...] = ()
    gpu_computations: tuple[Computation, ...] = ()

    @classmethod
    def unasked(cls, *, client_python: str, why: str) -> Self:
        """Return the facts where there was nobody to connect to."""
        nothing = ProcessFacts(python="", versions={})
        return cls(client=nothing, client_python=client_python, connection_error=why)


class PageFacts(_Fact):
    """A page of the scheduler's HTTP server."""

    path: str
    status: int | None = None
    """None: no answer."""
    text: str = ""
    """The beginning of the page, or why there was none."""


class TlsFacts(_Fact):
    """What happens to a client without a certificate, and how long the certificates are valid."""

    anonymous_client_refused: bool | None
    """None: nobody could be asked."""
    anonymous_client_outcome: str
    """What became of a connection without a certificate, in OpenSSL's words."""
    valid_until: datetime


class MetricsFacts(_Fact):
    """What the scheduler's page of metrics has."""

    status: int | None = None
    """None: no answer."""
    names: tuple[str, ...] = ()
    """Of its metrics that begin with ``dask_``."""
    error: str = ""
    """Why there was no answer."""


class TeamFacts(_Fact):
    """All of it."""

    pods: tuple[PodFacts, ...]
    """Of the Dask cluster."""
    jupyter: tuple[PodFacts, ...] = ()
    """Of the team's JupyterLabs."""
    service_leads_to: str
    """DaskCluster that the team's Service selects; empty when there is no Service."""
    asleep: str = ""
    """Since when the workers are away because nobody needs them; empty while they are not."""
    dask: DaskFacts
    certificate_error: Told = ""
    """Why there is no certificate for a client of a team with TLS; empty where there is one."""
    not_asked: str = ""
    """Why no client has asked Dask, of which nothing follows for Dask; empty where one has."""
    has_client_in_image: bool = False
    """Whether the client of the checks was a pod of the team's image."""
    pages: tuple[PageFacts, ...] = ()
    tls: TlsFacts | None = None
    """None: the team has no TLS, or nobody could be asked."""
    metrics: MetricsFacts | None = None
    """None: not asked."""
