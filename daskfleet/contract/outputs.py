"""The stack's outputs: one model, which the program writes and commands and the rehearsal read.

What a team's notice has of them is in ``declared``; the rest is here. Nothing in it is secret. A
field is written where it was given, so that a default is what is not told.
"""

from daskfleet.contract.declared import (
    Declared,
    DeclaredJupyter,
    DeclaredMonitoring,
    DeclaredPool,
    DeclaredTeam,
)


class ClusterOutput(Declared):
    """The GKE cluster."""

    name: str
    location: str
    get_credentials: str
    """The command that lets kubectl in."""


class JupyterOutput(DeclaredJupyter):
    """How a team reaches its JupyterLab."""

    port_forward: str
    """For people outside of the cluster: then ``http://localhost:8888``."""


class TeamOutput(DeclaredTeam):
    """How a team reaches its Dask cluster."""

    port_forward: str
    """For clients outside of the cluster: then ``localhost:8786``."""
    connect: str
    """Python that connects."""
    internal_address: str | None = None
    """For clients in the VPC, of teams that have ``access.internal_load_balancer``."""
    jupyter: JupyterOutput | None = None
    """Of teams that have a JupyterLab."""


class RetiredTeamOutput(Declared):
    """What is left of a retired team."""

    namespace: str
    next_step: str


class PoolOutput(DeclaredPool):
    """A node pool and its size. Its ``name`` is GKE's."""

    pool: str
    """Its name in the stack file."""
    role: str
    machine_type: str
    gpus_per_node: int
    workers_per_gpu: int = 1
    """Workers that share one GPU, or partition, in turns."""
    min_nodes: int
    max_nodes: int
    surge_quota: dict[str, int]
    """With ``replacement: surge``: the quota that a new generation takes beside the old one."""


class ShareOutput(Declared):
    """A part of the cost, in US dollars per month."""

    idle: float
    full: float


class CostOutput(Declared):
    """What the fleet costs by list prices, in US dollars; at least, where ``unpriced`` says so."""

    idle_usd_per_hour: float
    full_usd_per_hour: float
    idle_usd_per_month: float
    full_usd_per_month: float
    teams: dict[str, ShareOutput]
    """By their shares of the nodes; with the next two they add up to the figures per month."""
    unused: ShareOutput
    """GPUs that no team declares pods for."""
    platform: ShareOutput
    """What all teams need: the cluster, its network, the system pool."""
    prices_as_of: str
    """Date of the oldest price, ISO 8601."""
    monthly_budget_usd: float | None
    budget: str
    """How ``full_usd_per_month`` stands to it: none, within, above, unknown, far above."""
    unpriced: tuple[str, ...]
    """Machine types and attached GPUs of which nobody knows the price. Where there are any, all
    figures are at least: what has a price."""
    notes: tuple[str, ...]
    """What is not in the figures, and which prices are missing or another region's."""


class ProtectionOutput(Declared):
    """What a deletion is refused for, and how to do it all the same."""

    long_lived: bool
    protected: tuple[str, ...]
    to_remove_a_team: str
    to_destroy: str


class DriverOutput(Declared):
    """How the NVIDIA driver gets onto the nodes."""

    install: str
    """``daemonset`` or ``gke``."""
    version: str = ""
    """The version that the DaemonSet installs."""
    unmarked_version: str | None = None
    """The version on the nodes of pools whose settings do not name it."""
    channel: str = ""
    """GKE's ``gpuDriverVersion``, where GKE installs one."""


class OperatorOutput(Declared):
    """The Dask operator."""

    namespace: str
    version: str


class MonitoringOutput(DeclaredMonitoring):
    """What is measured, where the stack says so. ``prometheus`` is ``managed`` or ``none``."""

    gpu_metrics: bool = False
    collector_namespace: str = ""
    """Namespace of the pods that read metrics of a team's pods; empty: nobody does."""


class FleetOutputs(Declared):
    """The stack's outputs."""

    cluster: ClusterOutput
    teams: dict[str, TeamOutput]
    retired_teams: dict[str, RetiredTeamOutput]
    pools: tuple[PoolOutput, ...]
    cost: CostOutput
    protection: ProtectionOutput
    driver: DriverOutput
    operator: OperatorOutput
    monitoring: MonitoringOutput = MonitoringOutput()
