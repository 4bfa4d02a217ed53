"""A running control plane, and a plain client for it."""

import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from rehearsal.control_plane import ControlPlane
from rehearsal.toolchain import Binaries

SERVICE_CIDR = "10.120.0.0/20"
POD_CIDR = "10.100.0.0/16"
PATIENCE_S = 60

Document = dict[str, Any]


class ApiClient(httpx.Client):
    """Speaks JSON to the API server, trusting its authority only."""

    def __init__(self, control_plane: ControlPlane, *, token: str | None) -> None:
        super().__init__(
            base_url=f"https://{control_plane.endpoint}",
            verify=ssl.create_default_context(cadata=control_plane.ca_certificate),
            headers={"Authorization": f"Bearer {token}"} if token else {},
            trust_env=False,
        )

    def create(self, collection: str, document: Document) -> Document:
        """Create an object that must be accepted."""
        response = self.post(collection, json=document)
        assert response.status_code == httpx.codes.CREATED, response.text
        return dict(response.json())

    def wait_for(self, path: str, condition: Callable[[Document], bool]) -> Document:
        """Read until the object is there and as expected."""
        answer = self._read_until(path, lambda one: one.is_success and condition(one.json()))
        return dict(answer.json())

    def wait_until_gone(self, path: str) -> None:
        """Read until there is no such object."""
        self._read_until(path, lambda one: one.status_code == httpx.codes.NOT_FOUND)

    def _read_until(self, path: str, condition: Callable[[httpx.Response], bool]) -> httpx.Response:
        deadline = time.monotonic() + PATIENCE_S
        while not condition(answer := self.get(path)):
            assert time.monotonic() < deadline, f"{path}: {answer.status_code} {answer.text}"
            time.sleep(0.05)
        return answer


def make_control_plane(binaries: Binaries, directory: Path) -> ControlPlane:
    return ControlPlane(
        binaries=binaries, directory=directory, service_cidr=SERVICE_CIDR, pod_cidr=POD_CIDR
    )


@pytest.fixture(scope="module")
def control_plane(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ControlPlane]:
    """Give one running control plane per module."""
    control_plane = make_control_plane(binaries, tmp_path_factory.mktemp("control-plane"))
    control_plane.start()
    yield control_plane
    control_plane.stop()


@pytest.fixture(scope="module")
def api(control_plane: ControlPlane) -> Iterator[ApiClient]:
    """Give a client with the program's own token."""
    with ApiClient(control_plane, token=control_plane.client_token) as client:
        yield client
