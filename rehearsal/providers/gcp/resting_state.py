"""Waiting until a cluster or pool rests, and telling success from failure."""

from typing import TYPE_CHECKING, Final

from rehearsal.providers.gcp.operations import POLL_S
from rehearsal.providers.gcp.rest_mapping import Document
from rehearsal.providers.protocol import Call, Properties, ProviderError

if TYPE_CHECKING:
    from rehearsal.providers.gcp.resource import GoogleResource

_FAILED: Final = ("ERROR", "RUNNING_WITH_ERROR", "DEGRADED")


def require_running(
    resource: "GoogleResource", resource_id: str, inputs: Properties, call: Call
) -> None:
    """Return once the status is RUNNING.

    Raises ResourceIncompleteError when it rests in an error: the resource exists, with what the
    server says of it, and stays in the state; ProviderError when it has vanished.
    """
    latest: Document = {}

    def attempt() -> Document | None:
        nonlocal latest
        live = resource.fetch(resource_id, call)
        if live is None:
            raise ProviderError(f"{resource_id} vanished while it was being set up")
        latest = live
        return live if live.get("status") in ("RUNNING", *_FAILED) else None

    live = call.until(
        attempt,
        every_s=POLL_S,
        default_timeout_s=resource.default_timeout_s,
        waiting_for=lambda: f"{resource_id} to rest (it is {latest.get('status')})",
    )
    if live["status"] in _FAILED:
        raise resource.incomplete(resource_id, inputs, live, error_states(resource_id, live))


def error_states(resource_id: str, live: Document) -> list[str]:
    """Say in which error a resource is, with the conditions that the server gives."""
    if live.get("status") not in _FAILED:
        return []
    messages = [condition.get("message", "") for condition in live.get("conditions", [])]
    said = "; ".join(filter(None, [live.get("statusMessage"), *messages]))
    text = f"{resource_id} was created in the error state {live['status']}"
    return [f"{text}: {said}" if said else text]
