"""Waiting until a cluster or pool rests, and telling success from failure."""

from rehearsal.providers.gcp.error_state import ERROR_STATES, error_states
from rehearsal.providers.gcp.operations import POLL_S
from rehearsal.providers.gcp.resource import GoogleResource
from rehearsal.providers.gcp.rest_mapping import Document
from rehearsal.providers.protocol import Call, Properties, ProviderError


def require_running(
    resource: GoogleResource, resource_id: str, inputs: Properties, call: Call
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
        return live if live.get("status") in ("RUNNING", *ERROR_STATES) else None

    live = call.until(
        attempt,
        every_s=POLL_S,
        default_timeout_s=resource.default_timeout_s,
        waiting_for=lambda: f"{resource_id} to rest (it is {latest.get('status')})",
    )
    if live["status"] in ERROR_STATES:
        raise resource.incomplete(resource_id, inputs, live, error_states(resource_id, live))
