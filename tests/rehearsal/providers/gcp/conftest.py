"""An emulator without Kubernetes per test, and the stand-in's resource types on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rehearsal.emulator import Emulator
from rehearsal.providers.gcp.cloud import Cloud
from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.gcp.provider import RESOURCE_TYPES
from rehearsal.providers.protocol import Call, Naming, Properties, ResourceType, State
from tests.rehearsal.emulator.running import emulated_in_thread
from tests.rehearsal.providers.calls import engine_call

PROJECT = "acme-research"


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[Emulator]:
    """An emulator that serves from a thread of its own."""
    with emulated_in_thread(tmp_path) as emulator:
        yield emulator


def endpoints(base_url: str) -> dict[str, str]:
    """Build the environment that points any gcp provider at an emulator."""
    return {
        "GOOGLE_CONTAINER_CUSTOM_ENDPOINT": f"{base_url}/container/v1beta1/",
        "GOOGLE_COMPUTE_CUSTOM_ENDPOINT": f"{base_url}/compute/beta/",
        "GOOGLE_IAM_BETA_CUSTOM_ENDPOINT": f"{base_url}/iam/v1/",
        "GOOGLE_RESOURCE_MANAGER_CUSTOM_ENDPOINT": f"{base_url}/crm/v1/",
        "GOOGLE_STORAGE_CUSTOM_ENDPOINT": f"{base_url}/storage/v1/",
        "GOOGLE_OAUTH_ACCESS_TOKEN": "not-a-token",
    }


@dataclass(frozen=True)
class StandIn:
    """The stand-in without its gRPC side: what the engine would ask, as plain calls."""

    cloud: Cloud
    emulator: Emulator

    def type(self, token: str) -> ResourceType:
        """Find a resource type."""
        return RESOURCE_TYPES[token](self.cloud)

    def check(self, token: str, inputs: Properties) -> Properties:
        """Check inputs, which must be right."""
        checked = self.type(token).check(
            inputs=inputs, old_inputs={}, naming=Naming("logical", b"seed")
        )
        assert checked.failures == ()
        return checked.inputs

    def create(self, token: str, inputs: Properties, call: Call | None = None) -> State:
        """Check and create."""
        return self.type(token).create(inputs=self.check(token, inputs), call=call or engine_call())

    def update(self, token: str, old: State, inputs: Properties) -> State:
        """Check and change in place."""
        return self.type(token).update(
            old=old, inputs=self.check(token, inputs), call=engine_call()
        )

    def delete(self, token: str, old: State) -> None:
        """Delete."""
        self.type(token).delete(old=old, call=engine_call())

    def writes(self) -> list[str]:
        """List what was asked of the emulator so far, reads left out."""
        return [
            f"{request.method} {request.path.partition(PROJECT + '/')[2]}"
            for request in self.emulator.log.read()
            if request.mutating
        ]

    def bodies(self) -> list[Any]:
        """List the bodies of what was asked of the emulator so far, reads left out."""
        return [request.body for request in self.emulator.log.read() if request.mutating]


@pytest.fixture
def stand_in(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    for name, value in endpoints(emulator.base_url).items():
        monkeypatch.setenv(name, value)
    return StandIn(Cloud(api=GoogleApi.from_environment(), project=PROJECT), emulator)
