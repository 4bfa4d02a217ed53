"""What a change of an input does, provider by provider: the table, and what it is pinned to."""

from dataclasses import dataclass
from enum import Enum
from functools import cache, total_ordering
from typing import Literal

from daskfleet.catalog.tables import Row, read_table


@total_ordering
class ChangeClass(Enum):
    """What people feel of a change, from the mildest to the worst."""

    NOTHING = "nothing"
    """Nothing changes but, at most, Pulumi's own state."""

    ADDS = "adds"
    """Something new comes; what runs is not touched."""

    IN_PLACE = "in-place"
    """Something changes; pods, nodes and connections stay."""

    RESTARTS_PLATFORM = "restarts-platform"
    """Pods of the platform restart, the operator's or the driver installer's; Dask goes on."""

    INTERRUPTS_CLIENTS = "interrupts-clients"
    """Connections of clients, or of pods to the outside, break; pods stay."""

    ROLLS_DASK_CLUSTER = "rolls-dask-cluster"
    """A team's scheduler and workers are replaced, and what was in their memory is lost."""

    ROLLS_NODES = "rolls-nodes"
    """Nodes of a pool are re-created, and every pod on them moves."""

    REPLACES_POOL = "replaces-pool"
    """All nodes of a pool go, with GPUs that may not be there again."""

    REPLACES_CLUSTER = "replaces-cluster"
    """The GKE cluster goes with all that is in it, and another one comes."""

    DESTROYS_DATA = "destroys-data"
    """Data goes that nobody can bring back: a namespace with its volumes, or more."""

    def __lt__(self, other: "ChangeClass") -> bool:
        order = list(ChangeClass)
        return order.index(self) < order.index(other)


Operation = Literal["same", "create", "update", "replace", "delete"]
"""What the engine says that it does; ``replace`` stands for all steps of a replacement."""


@dataclass(frozen=True, kw_only=True)
class ChangeRow(Row):
    """One input of one resource type, or, with an empty path, the resource as a whole."""

    type: str
    """The engine's type token."""

    resource: str
    """Pattern of logical names that the row is for; empty: all that have no row of their own."""

    path: str
    """Keys with dots between them, without list positions; stands for all that is below it."""

    when: Literal["", "grows", "shrinks"]
    """The direction of a number or a list, where it matters."""

    operation: Operation
    """What the engine does when this input alone changes."""

    change_class: ChangeClass
    what: str
    """The consequence in a sentence or two."""


@dataclass(frozen=True, kw_only=True)
class Pin(Row):
    """A package whose behaviour the table describes."""

    package: str
    version: str


@cache
def change_rows() -> dict[str, tuple[ChangeRow, ...]]:
    """All rows by resource type."""
    rows: dict[str, tuple[ChangeRow, ...]] = {}
    for row in read_table("changes", ChangeRow):
        rows[row.type] = (*rows.get(row.type, ()), row)
    return rows


@cache
def change_pins() -> dict[str, Pin]:
    """The versions that the rows were read in, by package."""
    return {pin.package: pin for pin in read_table("change_pins", Pin)}
