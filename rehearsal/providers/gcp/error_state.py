"""The states in which a cluster or pool exists and is of no use."""

from typing import Final

from rehearsal.providers.gcp.rest_mapping import Document

ERROR_STATES: Final = ("ERROR", "RUNNING_WITH_ERROR", "DEGRADED")

_KINDS: Final = {"clusters": "Cluster", "nodePools": "NodePool"}


def error_states(resource_id: str, live: Document) -> list[str]:
    """Say in which error a resource is, in Google's provider's words, which give no reason."""
    if live.get("status") not in ERROR_STATES:
        return []
    *_, collection, name = resource_id.split("/")
    return [f'{_KINDS[collection]} {name} was created in the error state "{live["status"]}"']


def why_incomplete(said: str, resource_id: str, live: Document) -> list[str]:
    """Say why a creation did not come to its end, ``said`` being the operation's own error.

    Of a pool that exists in an error the provider drops what the operation said
    (``resource_container_node_pool.go``): a stock-out shows as its state alone.
    """
    states = error_states(resource_id, live)
    return states if states and "/nodePools/" in resource_id else [said, *states]
