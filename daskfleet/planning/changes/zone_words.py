"""What changes of a pool's zones are called."""

from collections.abc import Sequence

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Reason
from daskfleet.planning.changes.property_path import keys_of
from daskfleet.settings.pools import Pool

ZONES = ("nodeLocations",)
"""The input that has a pool's zones."""

_SHARED_OUT = {ZONES, ("nodeCount",)}


def moves(reasons: Sequence[Reason]) -> bool:
    """Whether the worst that happens to a pool is that its nodes are in other zones.

    A pool of fixed size has fewer nodes in each zone when there are more zones.
    """
    paths = {keys_of(each.path)[:1] for each in reasons if each.path}
    worst = {
        keys_of(each.path)[:1]
        for each in reasons
        if each.change_class is ChangeClass.ROLLS_NODES and each.path
    }
    return ZONES in paths and worst <= _SHARED_OUT


def where(pool: Pool | None) -> str:
    """Where a pool's nodes are, where the stack file says it."""
    return f" in {' and '.join(pool.zones)}" if pool and pool.zones else ""
