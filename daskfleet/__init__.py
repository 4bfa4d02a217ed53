"""GPU Dask clusters for teams on GKE: decided before they exist, used in one line.

``daskfleet.connect("fraud")`` is a ``distributed.Client`` of a team's cluster, and
``daskfleet.Cluster("fraud")`` a cluster beside it; ``daskfleet.errors`` has what stands in the way.
Nothing else is loaded until it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daskfleet import errors
    from daskfleet.client.connect import connect
    from daskfleet.client.own_cluster import Cluster

__all__ = ["Cluster", "connect", "errors"]


def __getattr__(name: str) -> object:
    """Load a public name when it is asked for: commands need none, and Dask takes a second."""
    if name == "connect":
        from daskfleet.client.connect import connect  # noqa: PLC0415

        return connect
    if name == "Cluster":
        from daskfleet.client.own_cluster import Cluster  # noqa: PLC0415

        return Cluster
    if name == "errors":
        # Not `from daskfleet import`, which would ask here again.
        return import_module("daskfleet.errors")
    raise AttributeError(f"module 'daskfleet' has no attribute {name!r}")
