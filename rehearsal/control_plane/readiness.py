"""When a control plane may be used."""

import ssl
import time
from collections.abc import Callable

import httpx

from rehearsal.control_plane.credentials import Credentials
from rehearsal.control_plane.errors import ControlPlaneError, PortTakenError
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
    authority = ssl.create_default_context(cafile=str(credentials.authority.certificate))
    token = {"Authorization": f"Bearer {credentials.rehearsal_token}"}
    deadline = time.monotonic() + READY_TIMEOUT_S
    answer = "no answer"
    with httpx.Client(
        base_url=f"https://{endpoint}",
        verify=authority,
        headers=token,
        timeout=ANSWER_TIMEOUT_S,
        trust_env=False,
    ) as client:
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


def _refuse_dead(dead: tuple[DeadProcess, ...]) -> None:
    if not dead:
        return
    story = "\n".join(map(str, dead))
    taken = "address already in use" in story
    raise (PortTakenError if taken else ControlPlaneError)(f"The control plane failed: {story}")
