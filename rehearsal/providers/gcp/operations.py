"""Requests that start one of Google's long-running operations, and waiting for its end."""

from typing import Final

from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.gcp.rest_mapping import Document, relative_name
from rehearsal.providers.protocol import Call, ProviderError

POLL_S: Final = 0.2
"""The real provider polls every 10 s; an emulated operation may be done in less than one."""

_UNFINISHED: Final = ("PENDING", "RUNNING")


class OperationFailedError(ProviderError):
    """An operation was accepted and ended in an error."""


def run_operation(
    api: GoogleApi,
    service: str,
    method: str,
    path: str,
    *,
    doing: str,
    call: Call,
    default_timeout_s: float,
    body: Document | None = None,
) -> None:
    """Send a request and wait until its operation is done.

    Raises GoogleApiError when the request is refused, OperationFailedError when it fails later.
    """
    latest = api.send(
        method, service, path, body=body, call=call, default_timeout_s=default_timeout_s
    )

    def attempt() -> Document | None:
        nonlocal latest
        if latest.get("status") in _UNFINISHED:
            link = relative_name(latest["selfLink"])
            latest = api.get(service, link, call=call) or latest
        if latest.get("status") in _UNFINISHED:
            call.report(f"{doing}: {latest['status'].lower()}")
            return None
        return latest

    finished = call.until(
        attempt,
        every_s=POLL_S,
        default_timeout_s=default_timeout_s,
        waiting_for=lambda: f"{doing} ({latest.get('name', '')} is {latest.get('status', '')})",
    )
    if failure := _failure(finished):
        raise OperationFailedError(f"Error waiting for {doing}: {failure}")


def _failure(operation: Document) -> str:
    """Read the failure: GKE's is the `statusMessage`, Compute Engine's a list of errors."""
    if message := operation.get("statusMessage"):
        return str(message)
    errors = operation.get("error", {}).get("errors", [])
    return "; ".join(error.get("message", error.get("code", "")) for error in errors)
