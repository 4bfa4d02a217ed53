"""google-api-python-client on an emulator that serves from a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from google.auth.credentials import AnonymousCredentials
from googleapiclient.discovery import build

from tests.rehearsal.emulator.running import emulated_in_thread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rehearsal.emulator import Emulator


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[Emulator]:
    with emulated_in_thread(tmp_path) as emulator:
        yield emulator


def api_client(emulator: Emulator, *, name: str, version: str, base: str) -> Any:
    return build(
        name,
        version,
        credentials=AnonymousCredentials(),  # type: ignore[no-untyped-call]
        client_options={"api_endpoint": emulator.base_url + base},
        static_discovery=True,
    )
