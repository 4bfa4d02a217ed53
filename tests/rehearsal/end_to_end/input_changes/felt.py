"""What a change does to nodes, Dask pods, namespaces and the platform: foretold, and seen."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from catalog.changes import ChangeClass
from planning.changes.consequence import Consequence
from tests.rehearsal.end_to_end.input_changes.observed import Fleet, Members

KeyT = TypeVar("KeyT")
Extent = Literal["some", "all"]


@dataclass(frozen=True, kw_only=True)
class Felt:
    """What went; what came beside it is not felt."""

    nodes: Mapping[str, Extent]
    """By pool."""

    dask_pods: frozenset[Members]
    """Team and role of pods."""

    namespaces: frozenset[str]
    platform: bool
    """Whether the operator's pod or one of the driver installer's went."""

    unsure: frozenset[Members] = frozenset()
    """Pods that may have gone or not, because somebody else chose."""

    def agrees_with(self, seen: "Felt") -> bool:
        """Whether what was seen is what was foretold."""
        return (
            self.nodes == seen.nodes
            and self.dask_pods - self.unsure == seen.dask_pods - self.unsure
            and self.namespaces == seen.namespaces
            and self.platform == seen.platform
        )


def seen(before: Fleet, after: Fleet) -> Felt:
    """What went between two looks."""
    return Felt(
        nodes=_gone(before.nodes, after.nodes),
        dask_pods=frozenset(_gone(before.dask_pods, after.dask_pods)),
        namespaces=frozenset(_gone(before.namespaces, after.namespaces)),
        platform=bool(before.platform - after.platform),
    )


def _gone(
    before: Mapping[KeyT, frozenset[str]], after: Mapping[KeyT, frozenset[str]]
) -> dict[KeyT, Extent]:
    gone: dict[KeyT, Extent] = {}
    for key, uids in before.items():
        left = uids & after.get(key, frozenset())
        if left != uids:
            gone[key] = "some" if left else "all"
    return gone


def foretold(consequences: Collection[Consequence], before: Fleet, *, scheduler_pool: str) -> Felt:
    """What consequences say will go."""
    nodes: dict[str, Extent] = {}
    dask_pods: set[Members] = set()
    unsure: set[Members] = set()
    goes = any(each.change_class >= ChangeClass.REPLACES_CLUSTER for each in consequences)
    restarts = any(each.change_class is ChangeClass.RESTARTS_PLATFORM for each in consequences)
    for each in consequences:
        if each.change_class < ChangeClass.ROLLS_DASK_CLUSTER:
            continue
        roles = ["scheduler", "worker"]
        if each.subject.kind == "pool":
            roles = ["scheduler"] if each.subject.name == scheduler_pool else ["worker"]
            shrinks = "shrinks" in each.headline
            nodes[each.subject.name] = "some" if shrinks else "all"
            unsure |= {(team, role) for team in each.teams for role in roles if shrinks}
        elif each.change_class >= ChangeClass.REPLACES_POOL:
            nodes = dict.fromkeys(before.nodes, "all")
        dask_pods |= {(team, role) for team in each.teams for role in roles}
    return Felt(
        nodes=nodes,
        dask_pods=frozenset(dask_pods),
        namespaces=frozenset(before.namespaces if goes else ()),
        platform=restarts or bool(nodes),
        unsure=frozenset(unsure),
    )
