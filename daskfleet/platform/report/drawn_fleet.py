"""What the picture of the fleet consists of."""

from dataclasses import dataclass

from daskfleet.platform.report.teams import TeamMark


@dataclass(frozen=True, kw_only=True)
class Pod:
    """A pod of a Dask cluster as it is drawn."""

    anchor: str
    """Of its row in the table of all pods."""
    name: str
    team: TeamMark
    role: str
    node: str
    pool: str
    accelerator: str
    is_ready: bool
    state: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Slot:
    """What one pod can be given: a GPU, or its share of one that is shared."""

    pod: Pod | None
    is_continued: bool = False
    """Whether the pod has the place before, too."""


@dataclass(frozen=True, kw_only=True)
class Gpu:
    """A GPU."""

    label: str
    slots: tuple[Slot, ...]
    """None before a driver is loaded."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """A node as it is drawn."""

    name: str
    short_name: str
    is_ready: bool
    gpus: tuple[Gpu, ...]
    beside: tuple[Pod, ...]
    """Pods that ask for no GPU, or for more than there is left."""


@dataclass(frozen=True, kw_only=True)
class Pool:
    """A pool as it is drawn."""

    name: str
    purpose: str
    machine: tuple[str, ...]
    """Type and GPUs of one node."""
    size: str
    room: str
    """Places for pods on its GPUs, and how many are free; empty where its nodes have none."""
    nodes: tuple[Node, ...]


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """The whole picture."""

    pools: tuple[Pool, ...]
    unplaced: tuple[Pod, ...]
    """Pods on no node that is there."""
    pods: tuple[Pod, ...]
    are_pods_known: bool
    """Where they are not, a place without a pod may be anybody's."""
    used_shares: int
    all_shares: int
