"""Pure: how many nodes of which machine a node pool is declared to have."""

from daskfleet.platform.review.engine_step import Properties
from daskfleet.platform.review.model import PoolNodes
from daskfleet.platform.review.property_values import is_count, value_at

_TOTALS = (("autoscaling", "totalMinNodeCount"), ("autoscaling", "totalMaxNodeCount"))
_OF_EACH_ZONE = (("autoscaling", "minNodeCount"), ("autoscaling", "maxNodeCount"))


def pool_nodes(inputs: Properties) -> PoolNodes | None:
    """The nodes of a pool by its inputs; None where they do not say."""
    machine = value_at(inputs, ("nodeConfig", "machineType"))
    zones = len(value_at(inputs, ("nodeLocations",)) or (None,))
    fixed = value_at(inputs, ("nodeCount",))
    least, most = (value_at(inputs, path) for path in _TOTALS)
    if least is None and most is None:
        least, most = (_times(zones, value_at(inputs, path)) for path in _OF_EACH_ZONE)
    if most is None:
        least = most = _times(zones, fixed)
    if not isinstance(machine, str) or not is_count(most):
        return None
    least = least if is_count(least) else 0
    return PoolNodes(machine_type=machine, least=int(least), most=int(most))


def _times(zones: int, size: object) -> float | None:
    return zones * size if is_count(size) else None
