"""When a control plane may be used, and what it is given before."""

import ssl
import time
from collections.abc import Callable

import httpx

from rehearsal.control_plane.credentials import Credentials
from rehearsal.control_plane.errors import ControlPlaneError, PortTakenError
from rehearsal.control_plane.kwok_definitions import DEFINITIONS_PATH, KINDS, definition
from rehearsal.control_plane.processes import DeadProcess

READY_TIMEOUT_S = 60
LOOK_AGAIN_S = 0.1
# Another program on a port that was lost may accept a connection and say nothing.
ANSWER_TIMEOUT_S = 2

API_SERVER_READY = "/readyz"
# Made by the controller manager; no pod is admitted to the namespace before.
DEFAULT_ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/default"


def wait_until_answered(
    path: str,
    *,
    endpoint: str,
    credentials: Credentials,
    dead_processes: Callable[[], tuple[DeadProcess, ...]],
) -> None:
    """Ask the API server for `path` until it gives it.

    Raises:
        PortTakenError: a process ended because its port was taken meanwhile.
        ControlPlaneError: a process ended, or the time is over.

    """
    deadline = time.monotonic() + READY_TIMEOUT_S
    answer = "no answer"
    with _client(endpoint, credentials) as client:
        while time.monotonic() < deadline:
            _refuse_dead(dead_processes())
            try:
                response = client.get(path)
            except httpx.TransportError as error:
                answer = str(error)
            else:
                if response.is_success:
                    return
                answer = f"{response.status_code} {response.text[-500:]}"
            time.sleep(LOOK_AGAIN_S)
    raise ControlPlaneError(
        f"https://{endpoint}{path} is not ready after {READY_TIMEOUT_S} s; last answer: {answer}"
    )


def define_kinds_of_kwok(*, endpoint: str, credentials: Credentials) -> None:
    """Create the definitions that kwok needs before it starts, unless an earlier start has.

    Raises:
        ControlPlaneError: the API server refuses them, or does not answer.

    """
    with _client(endpoint, credentials) as client:
        for kind in KINDS:
            try:
                answer = client.post(DEFINITIONS_PATH, json=definition(kind))
            except httpx.TransportError as error:
                raise ControlPlaneError(f"https://{endpoint} does not answer: {error}") from error
            if not answer.is_success and answer.status_code != httpx.codes.CONFLICT:
                raise ControlPlaneError(f"The definition of {kind} is refused: {answer.text}")


def _client(endpoint: str, credentials: Credentials) -> httpx.Client:
    return httpx.Client(
        base_url=f"https://{endpoint}",
        verify=ssl.create_default_context(cafile=str(credentials.authority.certificate)),
        headers={"Authorization": f"Bearer {credentials.rehearsal_token}"},
        timeout=ANSWER_TIMEOUT_S,
        trust_env=False,
    )


def _refuse_dead(dead: tuple[DeadProcess, ...]) -> None:
    if not dead:
        return
    story = "\n".join(map(str, dead))
    taken = "address already in use" in story
    raise (PortTakenError if taken else ControlPlaneError)(f"The control plane failed: {story}")
