"""A fleet as it was seen, a rehearsal's or one that runs: what a picture of it is drawn from."""

from typing import Self

from pydantic import BaseModel, ConfigDict

from daskfleet.contract.outputs import PoolOutput


class SeenPart(BaseModel):
    """A part of what was seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PoolRow(SeenPart):
    """A node pool as it is declared; it may have no node at the moment."""

    name: str
    role: str
    """``system``, ``scheduler`` or ``worker``."""
    machine_type: str
    accelerator: str
    """GPU type as GKE spells it; empty for a pool without GPUs."""
    gpus_per_node: int
    min_nodes: int
    max_nodes: int

    @classmethod
    def of(cls, pool: PoolOutput) -> Self:
        """Return a pool as the last `up` declared it."""
        return cls(
            name=pool.name,
            role=pool.role,
            machine_type=pool.machine_type,
            accelerator=pool.accelerator or "",
            gpus_per_node=pool.gpus_per_node,
            min_nodes=pool.min_nodes,
            max_nodes=pool.max_nodes,
        )


class NodeRow(SeenPart):
    """A node, and what it offers to Dask."""

    name: str
    pool: str
    machine_type: str
    accelerator: str
    gpus: int
    """Pieces of hardware."""
    gpu_shares: int
    """What pods can be given: more than ``gpus`` where a GPU is shared, and none until a driver is
    loaded."""
    is_ready: bool


class PodRow(SeenPart):
    """One pod of a team's Dask cluster, or its JupyterLab, and where it is."""

    team: str
    role: str
    """``scheduler``, ``worker`` or ``jupyter``."""
    name: str
    namespace: str
    node: str
    """Empty while the pod is not scheduled."""
    pool: str
    accelerator: str
    """GPU type of the node, as GKE spells it."""
    phase: str
    is_ready: bool
    image: str
    reason: str
    """Why the pod is not ready, in Kubernetes' words; empty when it is."""
    gpu_shares: int = 0
    """What it asks for of its node's."""


class SeenFleet(SeenPart):
    """Pools, nodes, and the pods of teams on them."""

    stack: str
    pods: tuple[PodRow, ...]
    pools: tuple[PoolRow, ...] = ()
    """As declared, in that order."""
    nodes: tuple[NodeRow, ...] = ()
