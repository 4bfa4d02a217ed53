"""What a history tells: each update, what it changed, what people felt of it, and what is unknown.

Where Pulumi's settings or Kubernetes say nothing, a value is None or a list is short, and
``unknown`` says why; nothing is counted as zero.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A part of the history."""

    model_config = ConfigDict(frozen=True)


class Gap(Record):
    """How long a team had no scheduler, as narrow as the evidence goes."""

    at_least_s: int | None
    """Whole seconds; None: nothing tells."""

    at_most_s: int | None
    """Whole seconds; None: it has not ended as far as is known."""

    evidence: str
    """From what this is known."""


class TeamChange(Record):
    """One thing that an update changed for a team."""

    team: str
    what: Literal["came", "went", "image", "workers", "settings", "cluster"]
    """``cluster``: its Dask cluster is another one; the settings do not say why."""

    before: str = ""
    """Image reference or number of workers."""

    after: str = ""
    is_another_cluster: bool | None = None
    """Whether its Dask cluster was replaced; None: nothing tells any more."""

    gap: Gap | None = None
    """Where its Dask cluster was replaced, or may have been."""


class PoolChange(Record):
    """What an update declared anew of a pool."""

    pool: str
    """Its name in the stack file."""

    what: Literal["came", "went", "settings"]


class NodeMove(Record):
    """A node that came or went."""

    node: str
    pool: str
    """GKE's name of its pool; empty where the node is gone and nothing tells."""

    what: Literal["came", "went"]
    at: datetime


class Update(Record):
    """One update of the stack, as Pulumi's backend keeps it."""

    kind: str
    """As Pulumi calls it: ``update``, ``refresh``, ``destroy``, ``import``."""

    began_at: datetime
    ended_at: datetime | None
    """None: it has not ended, or its end was not kept."""

    result: str
    """``succeeded``, ``failed``, ``in-progress``."""

    message: str
    """The first line of the commit, as Pulumi takes it for the update."""

    commit: str
    """Empty: it ran outside of git."""

    is_dirty: bool
    """Whether the checkout had changes that the commit does not have."""

    author: str
    """Who wrote the commit. Who ran the update, backends of one's own do not keep."""

    run_url: str
    """The CI run; empty: none, or none that Pulumi knows."""

    held_to_a_plan: bool | None
    """Whether it applied a saved plan; None: not kept."""

    resources: Mapping[str, int]
    """Resources by operation."""

    teams: tuple[TeamChange, ...] = ()
    pools: tuple[PoolChange, ...] = ()
    nodes: tuple[NodeMove, ...] = ()
    """Nodes that came or went while it ran."""

    unknown: str = ""
    """Why ``teams`` and ``pools`` are not told; empty when they are."""


class History(Record):
    """The updates of a stack since a moment, the newest first."""

    stack: str
    since: datetime
    read_at: datetime
    updates: tuple[Update, ...]
    nodes: tuple[NodeMove, ...] = ()
    """Nodes that came or went while no update ran: the autoscaler's, GKE's, or somebody's work."""

    unknown: tuple[str, ...] = ()
    """What could not be read, and what nobody keeps."""


def of_team(history: History, team: str) -> History:
    """The same history, with what concerns one team alone."""
    updates = (
        each.model_copy(
            update={
                "teams": tuple(change for change in each.teams if change.team == team),
                "pools": (),
                "nodes": (),
            }
        )
        for each in history.updates
    )
    return history.model_copy(
        update={
            "updates": tuple(each for each in updates if each.teams or each.unknown),
            "nodes": (),
        }
    )
