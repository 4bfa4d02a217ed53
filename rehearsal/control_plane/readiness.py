"""When a control plane may be used, and what it is given before."""

import time
from collections.abc import Callable
from pathlib import Path

import httpx

from rehearsal.control_plane.errors import ControlPlaneError, PortTakenError, StartRaceError
from rehearsal.control_plane.kwok_definitions import DEFINITIONS_PATH, KINDS, definition
from rehearsal.control_plane.processes import DeadProcess
from rehearsal.kubernetes_requests import connect

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
    admin_kubeconfig: Path,
    dead_processes: Callable[[], tuple[DeadProcess, ...]],
) -> None:
    """Ask the API server for `path` until it gives it.

    Raises:
        PortTakenError: a process ended because its port was taken meanwhile.
        StartRaceError: a process ended because two of its threads wrote one table.
        ControlPlaneError: a process ended, or the time is over.

    """
    deadline = time.monotonic() + READY_TIMEOUT_S
    answer = "no answer"
    with connect(admin_kubeconfig, timeout_s=ANSWER_TIMEOUT_S) as client:
        url = client.base_url.join(path)
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
    raise ControlPlaneError(f"{url} is not ready after {READY_TIMEOUT_S} s; last answer: {answer}")


def define_kinds_of_kwok(admin_kubeconfig: Path) -> None:
    """Create the definitions that kwok needs before it starts, unless an earlier start has.

    Raises:
        ControlPlaneError: the API server refuses them, or does not answer.

    """
    with connect(admin_kubeconfig, timeout_s=ANSWER_TIMEOUT_S) as client:
        for kind in KINDS:
            try:
                answer = client.post(DEFINITIONS_PATH, json=definition(kind))
            except httpx.TransportError as error:
                raise ControlPlaneError(f"{client.base_url} does not answer: {error}") from error
            if not answer.is_success and answer.status_code != httpx.codes.CONFLICT:
                raise ControlPlaneError(f"The definition of {kind} is refused: {answer.text}")


def _refuse_dead(dead: tuple[DeadProcess, ...]) -> None:
    if dead:
        story = "\n".join(map(str, dead))
        raise _kind_of(story)(f"The control plane failed: {story}")


def _kind_of(story: str) -> type[ControlPlaneError]:
    if "address already in use" in story:
        return PortTakenError
    # Go's runtime ends a program that does it. kwok 0.8.0 did, once in some thousand starts.
    if "fatal error: concurrent map" in story:
        return StartRaceError
    return ControlPlaneError
