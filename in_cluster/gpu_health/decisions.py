"""Pure: which nodes are kept from pods, which come back, and what becomes of a worker on one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from in_cluster.gpu_health.note import Document, Note
from in_cluster.gpu_health.signs import is_whole, missing_gpus, reported

MISSING_PATIENCE_S = 900
"""Seconds for which a GPU must be missing. When a device plugin goes, the kubelet says so at once,
and keeps what it had for five minutes (``endpointStopGracePeriod``, kubelet's device manager)."""

RESULTS_PATIENCE_S = 300
"""Seconds in which a worker's results must have found another place. Then it goes without: what is
lost Dask computes anew, and on a sick GPU nothing is computed any more."""


@dataclass(frozen=True, kw_only=True)
class Drain:
    """Keep pods from a node, and move its workers."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Return:
    """Let pods onto a node again."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Sick:
    """A node that stays as it is, although its GPU is sick."""

    why: str
    because: str


@dataclass(frozen=True, kw_only=True)
class Stay:
    """Do nothing."""

    why: str


Decision = Drain | Return | Sick | Stay


def sickness(node: Document, *, missing_since: datetime | None, now: datetime) -> str:
    """Return what is wrong with a node's GPUs; empty for nothing.

    Args:
        node: the Node.
        missing_since: since when GPUs have been missing without a break; None when none is.
        now: the moment.
    """
    if told := reported(node):
        return told
    if missing_since and now - missing_since >= timedelta(seconds=MISSING_PATIENCE_S):
        return f"{missing_gpus(node)} of its GPUs cannot be used"
    return ""


def decide(
    nodes: Sequence[Document], sick: Mapping[str, str], *, most_drained: int
) -> dict[str, Decision]:
    """Decide what becomes of each node, by name.

    Args:
        nodes: those with GPUs for workers.
        sick: what is wrong, by name; empty for nothing.
        most_drained: nodes that may be taken at the same time. A mistake in what the signs say must
            not take the fleet.
    """
    decided: dict[str, Decision] = {}
    taken = sum(Note.of(node) is not None for node in nodes)
    for node in nodes:
        name = node["metadata"]["name"]
        decision = _of_node(node, sick[name], is_room=taken < most_drained)
        taken += isinstance(decision, Drain)
        decided[name] = decision
    return decided


def _of_node(node: Document, wrong: str, *, is_room: bool) -> Decision:
    is_cordoned = bool(node["spec"].get("unschedulable"))
    if Note.of(node) is not None:
        return _of_taken_node(node, wrong, is_cordoned=is_cordoned)
    if not wrong:
        return Stay(why="")
    if is_cordoned:
        return Sick(why=wrong, because="somebody else has cordoned it, who moves its pods")
    if not is_room:
        return Sick(why=wrong, because="as many nodes are drained as may be at a time")
    return Drain(why=wrong)


def _of_taken_node(node: Document, wrong: str, *, is_cordoned: bool) -> Decision:
    if not wrong and is_whole(node):
        return Return(why="its GPUs are whole again")
    if is_cordoned:
        return Stay(why=f"drained: {wrong or 'its GPUs are not back yet'}")
    return Sick(why=wrong, because="somebody has put it back") if wrong else Stay(why="")


def may_wait(note: Note, *, now: datetime) -> bool:
    """Whether a worker may still wait for its results to be moved."""
    return now - note.since < timedelta(seconds=RESULTS_PATIENCE_S)
