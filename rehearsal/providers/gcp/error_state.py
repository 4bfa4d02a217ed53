"""The states in which a cluster or pool exists and is of no use."""

from typing import Final

from rehearsal.providers.gcp.rest_mapping import Document

ERROR_STATES: Final = ("ERROR", "RUNNING_WITH_ERROR", "DEGRADED")


def error_states(resource_id: str, live: Document) -> list[str]:
    """Say in which error a resource is, with the conditions that the server gives."""
    if live.get("status") not in ERROR_STATES:
        return []
    messages = [condition.get("message", "") for condition in live.get("conditions", [])]
    said = "; ".join(filter(None, [live.get("statusMessage"), *messages]))
    text = f"{resource_id} was created in the error state {live['status']}"
    return [f"{text}: {said}" if said else text]
