"""A team and its Dask cluster."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from daskfleet.settings.access import Access
from daskfleet.settings.adaptive import Adaptive
from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.buckets import Bucket
from daskfleet.settings.ephemeral import Ephemeral
from daskfleet.settings.google_names import Member
from daskfleet.settings.hours import Hours
from daskfleet.settings.idle import Idle
from daskfleet.settings.jupyter import Jupyter
from daskfleet.settings.names import Labels, SecretName, TeamName
from daskfleet.settings.recycle import Recycle
from daskfleet.settings.scheduler import Scheduler
from daskfleet.settings.sizes import Cores, Gib
from daskfleet.settings.software import ImageSetting
from daskfleet.settings.team_secrets import TeamSecret
from daskfleet.settings.team_volumes import TeamVolume
from daskfleet.settings.tls import TlsSetting
from daskfleet.settings.worker_chain import WorkerPools
from daskfleet.settings.workers import MOST_GROUPS, Worker, WorkerGroup

RolloutKind = Literal["recreate", "blue-green"]


class Rollout(Settings):
    """How the team's Dask cluster is replaced by another one."""

    kind: RolloutKind = "recreate"
    """``recreate``: the old cluster goes, then the new one comes; it needs no further GPUs.
    ``blue-green``: the new one comes beside the old one, the team's address moves to it once it is
    ready, then the old one goes. The pools must hold both."""

    wait_idle_s: Annotated[int, Field(ge=0, le=86400)] = 0
    """How long, in seconds, the new cluster of a ``blue-green`` rollout waits for the old one's
    scheduler to be idle before the address moves. When the time is over, the address moves
    anyway."""

    @model_validator(mode="after")
    def _waits_beside_the_old_one(self) -> Self:
        if self.wait_idle_s and self.kind == "recreate":
            raise conflict(
                "wait_idle_s",
                "With recreate the old cluster is gone before `up` could wait for it.",
                allowed="wait_idle_s only together with kind blue-green",
                next_step="remove wait_idle_s, or set kind to blue-green.",
            )
        return self


def _rollout_kind(value: Any) -> Any:
    """``rollout: blue-green`` stands for ``rollout: {kind: blue-green}``."""
    return value if isinstance(value, Mapping | Rollout) else {"kind": value}


class Quota(Settings):
    """What a team may use of the fleet besides its Dask cluster: notebooks, jobs, volumes."""

    cpu: Cores = 4
    """CPU cores that pods may ask for."""

    memory_gib: Gib = 16
    """Memory in GiB that pods may ask for."""

    pods: Annotated[int, Field(ge=0, le=10000)] = 20
    """Pods."""

    storage_gib: Annotated[int, Field(ge=0, le=65536)] = 500
    """GiB of all persistent volumes together."""


class Team(Settings):
    """One team: a namespace and a fixed RAPIDS Dask cluster."""

    name: TeamName
    """The team's name. Its namespace and its DaskCluster have the same name."""

    image: ImageSetting | None = None
    """RAPIDS image of scheduler and workers; left out: the stack's."""

    pull_secret: SecretName | None = None
    """Secret in the team's namespace with which its pods pull their images; left out: the one of
    the stack's ``registry``, if it names one."""

    workers: Annotated[int, Field(ge=0)] = 2
    """Dask workers, one GPU each unless ``worker.gpus`` says more. Changing only this number leaves
    running workers alone."""

    adaptive: Adaptive | None = None
    """Let the number of workers follow the work, between two bounds, in place of ``workers``."""

    ephemeral: Ephemeral | None = None
    """Let members make Dask clusters of their own beside the fixed one, on the same pools."""

    worker_pool: WorkerPools | None = None
    """Pool of the workers. May be left out if there is only one worker pool. A list is a chain: the
    workers may run on each of its pools and nowhere else. The first is preferred. If a pool has no
    machines, another one takes the workers."""

    idle: Idle | None = None
    """When all workers go because there is no work. Scheduler and address stay. Left out: the
    workers always stay."""

    hours: Hours | None = None
    """Hours of the week in which the workers are there, such as ``Mon-Fri 07:00-20:00
    Europe/Amsterdam``. Outside of these hours they go once nothing runs. A task brings them
    back."""

    recycle: Recycle | None = None
    """When workers and scheduler are restarted, because their memory grows with time. Left out:
    never."""

    worker: Worker = Worker()
    """Each of the workers."""

    groups: Annotated[tuple[WorkerGroup, ...], Field(max_length=MOST_GROUPS)] = ()
    """Further groups of workers in the same Dask cluster, each scaled on its own: on another pool,
    or with other Dask resources."""

    scheduler: Scheduler = Scheduler()
    """The scheduler."""

    prefer_one_zone: bool = False
    """On pools in several ``zones``, prefer for each worker the zone of the team's other Dask pods:
    data that is sent to another zone takes longer and costs 0.01 USD per GB. This is only a
    preference: a worker takes another zone rather than wait, and no node is added for it. Changing
    it replaces the Dask cluster."""

    rollout: Annotated[
        Rollout,
        BeforeValidator(_rollout_kind, json_schema_input_type=Rollout | RolloutKind),
    ] = Rollout()
    """How a change of anything but ``workers`` reaches the pods: ``recreate`` or ``blue-green``."""

    members: tuple[Member, ...] = ()
    """Who may look at the team's namespace, read logs, open a port-forward and scale its workers,
    as in Google's IAM: ``user:alice@example.com``, ``group:...``, ``serviceAccount:...``. This
    gives no rights in other teams' namespaces."""

    buckets: tuple[Bucket, ...] = ()
    """Cloud Storage buckets that the team's pods may use, as ``ns/<team>/sa/dask``; needs
    ``project_number``. No other team's pods may use them unless its entry lists them too."""

    secrets: tuple[TeamSecret, ...] = ()
    """Secrets in the team's namespace for scheduler, workers and JupyterLabs, and for members' own
    clusters. Whoever runs tasks or notebooks of the team can read them. Pods wait for one that is
    not there."""

    volumes: tuple[TeamVolume, ...] = ()
    """Claims in the team's namespace that scheduler, workers, JupyterLabs and members' own clusters
    mount. Pods wait for one that is not there. Changing it replaces the Dask cluster."""

    quota: Quota | None = None
    """The most that the team may use besides its Dask cluster. With a quota, the team cannot make
    Services that open a port to the outside. Left out: only GPUs are limited."""

    jupyter: Jupyter | None = None
    """A JupyterLab for the team, connected to its Dask cluster. People of the team may have their
    own, too."""

    access: Access = Access()
    """How clients outside of the cluster reach the scheduler, besides ``daskfleet connect``."""

    tls: TlsSetting = None
    """Encrypt the connections of clients, scheduler and workers, and let in only those who have a
    certificate of the team: ``true``, or how long certificates last. Left out: plain TCP."""

    retire: bool = False
    """First step of removing a team: its Dask cluster goes and its namespace loses its protection.
    The second step is to remove the team's entry, and with it the namespace."""

    ready_timeout_s: Annotated[int, Field(ge=10)] = 1800
    """How long ``up`` waits for the scheduler and all workers, in seconds. Booting a GPU node and
    pulling a RAPIDS image onto it take 9 to 17 minutes."""

    monthly_budget_usd: Annotated[float, Field(gt=0)] | None = None
    """What Google may bill for the team's namespace in a month, in US dollars. `daskfleet cost
    --actual` ends with status 4 when a month passes it or will; nothing in the cluster stops."""

    labels: Labels = Field(default_factory=dict)
    """Labels for billing, on the namespace and all pods."""

    @property
    def minimum_workers(self) -> int:
        """Workers of the first group that are there when nothing is to be done."""
        return self.adaptive.minimum if self.adaptive else self.workers

    @property
    def minimum_workers_of_all_groups(self) -> int:
        """The number below which workers are missing."""
        return self.minimum_workers + sum(group.workers for group in self.groups)

    @property
    def maximum_workers(self) -> int:
        """Workers of the first group for which there must be room."""
        return self.adaptive.maximum if self.adaptive else self.workers

    @model_validator(mode="after")
    def _has_somebody_for_clusters_of_their_own(self) -> Self:
        if self.ephemeral is not None and not self.members:
            raise conflict(
                "ephemeral",
                "Clusters of their own are for the team's members, and the team has none.",
                allowed="ephemeral only together with members",
                next_step="add members, or remove ephemeral.",
            )
        return self

    @model_validator(mode="after")
    def _has_one_number_of_workers(self) -> Self:
        if self.adaptive is not None and "workers" in self.model_fields_set:
            raise conflict(
                "workers",
                "The number of workers is either fixed or between the bounds of `adaptive`.",
                allowed="one of workers and adaptive",
                next_step="remove workers to keep adaptive, or remove adaptive.",
            )
        return self

    @model_validator(mode="after")
    def _has_jupyterlabs_for_its_own_members(self) -> Self:
        # Who is in a group is not known here.
        if self.jupyter is None or any(each.startswith("group:") for each in self.members):
            return self
        strangers = {person.member for person in self.jupyter.people} - set(self.members)
        if strangers:
            raise conflict(
                "jupyter",
                f"{', '.join(sorted(strangers))} would have a JupyterLab and could not reach it: "
                f"only the team's members may forward ports into the namespace.",
                allowed="people who are among members, or in one of its groups",
                next_step="add them to members, or remove them from jupyter.people.",
            )
        return self
