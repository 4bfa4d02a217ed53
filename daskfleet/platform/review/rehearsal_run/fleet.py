"""The identities of everything that a change could touch, so that two moments can be compared."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from daskfleet.planning.generations import SUFFIX_LENGTH

Members = tuple[str, str]
"""A team and ``scheduler`` or ``worker``."""

Part = Literal["operator", "driver installer"]
Place = tuple[Part, str]
"""What runs for all teams, and the pool whose node it is on."""

Uids = frozenset[str]
KeyT = TypeVar("KeyT")


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """Kubernetes' UIDs at one moment, what is on its way out left aside; empty where nothing is."""

    nodes: Mapping[str, Uids] = field(default_factory=dict)
    """By pool."""

    dask_pods: Mapping[Members, Uids] = field(default_factory=dict)
    namespaces: Mapping[str, Uids] = field(default_factory=dict)
    platform: Mapping[Place, Uids] = field(default_factory=dict)
    """The pods of the operator and of the driver's installer."""

    @property
    def teams(self) -> frozenset[str]:
        """Teams with a Dask cluster."""
        return frozenset(team for team, _ in self.dask_pods)

    def named(self, pools: Collection[str]) -> "Fleet":
        """The same fleet with pools called as in the stack file, whatever their generation."""
        return replace(
            self,
            nodes=grouped((name_in(pools, pool), uids) for pool, uids in self.nodes.items()),
            platform=grouped(
                ((part, name_in(pools, pool)), uids) for (part, pool), uids in self.platform.items()
            ),
        )


def name_in(pools: Collection[str], name: str) -> str:
    """The stack file's name of a pool that GKE knows by ``name``."""
    return next((each for each in (name, name[:-SUFFIX_LENGTH]) if each in pools), name)


def grouped(found: Iterable[tuple[KeyT, Iterable[str]]]) -> dict[KeyT, Uids]:
    """UIDs of the same key together."""
    by_key: dict[KeyT, set[str]] = defaultdict(set)
    for key, uids in found:
        by_key[key] |= set(uids)
    return {key: frozenset(uids) for key, uids in by_key.items()}
