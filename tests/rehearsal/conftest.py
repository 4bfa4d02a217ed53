"""Fixtures of the rehearsal tests: one toolchain and one control plane for the whole session."""

from collections.abc import Iterator

import pytest

from rehearsal.control_plane import ControlPlane
from rehearsal.toolchain import Binaries, ensure_toolchain


@pytest.fixture(scope="session")
def binaries() -> Binaries:
    """Every executable of the rehearsal, built on first use."""
    return ensure_toolchain(progress=print)


@pytest.fixture(scope="session")
def control_plane(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ControlPlane]:
    """A running control plane; tests share it and keep to namespaces of their own."""
    plane = ControlPlane(
        binaries=binaries,
        directory=tmp_path_factory.mktemp("control-plane"),
        service_cidr="10.96.0.0/20",
        pod_cidr="10.100.0.0/16",
    )
    plane.start()
    yield plane
    plane.stop()
